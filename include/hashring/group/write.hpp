// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/group/members.hpp>
#include <hashring/group/outcome.hpp>
#include <hashring/group/rules.hpp>
#include <hashring/group/safe_mode.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

/// \file
/// When a write is done: what must be acknowledged, and by whom.
///
/// A client asks `refusal_of_write` first, sends the write to the master, and says after each
/// answer, error or time-out what it knows; `decide_write` says what became of the write, or that
/// it is to wait:
/// ```cpp
/// acknowledgements known;
/// // the master's answer:       known.master = master_answer::applied;
/// // WAIT's answer:             known.replicas = count; known.is_closed = no_more_waiting;
/// // an error, at any moment:   known = after_error(known, server_error(text), phase::sent);
/// if (auto what = decide_write(strategy, copies, known)) …
/// ```

namespace hashring::group {

/// The replicas that must have acknowledged a write besides the master, in a group of `copies` (at
/// least 1): the first argument of `WAIT`, which is not called for 0.
///
/// For `master_first_sync` a majority of all copies, the master among them: 0, 1, 1, 2, 2 of 1 … 5.
[[nodiscard]] constexpr std::size_t replicas_to_wait_for(write_strategy strategy,
                                                         std::size_t copies) noexcept {
    return strategy == write_strategy::master_first_sync ? majority(copies) - 1 : 0;
}

/// What the master said to a write.
enum class master_answer : std::uint8_t {
    pending, ///< nothing yet
    applied, ///< that it applied it
    refused, ///< that it did not, or it was never sent
    unknown, ///< nothing, and nothing will come
};

/// What is known of a write so far.
struct acknowledgements {
    master_answer master = master_answer::pending;
    /// How many replicas of the group have it, as far as is known. Of a server's count only what
    /// follows this write on the same connection: `WAIT` on a connection without a write counts
    /// everybody.
    std::size_t replicas = 0;
    /// No more will come: time is up, or the connection is gone.
    bool is_closed = false;

    friend bool operator==(const acknowledgements&, const acknowledgements&) = default;
};

/// What became of the write, or nothing if it is to be waited for.
///
/// 1. The master has refused it: refused, whatever replicas seem to say.
/// 2. The master's word is lost, or has not come and will not: unknown.
/// 3. The master has applied it: done if as many replicas have it as the strategy asks for; if not,
///    unknown when no more will come: it stands on the master and may vanish with it.
///
/// Law: done only if the copies that have it are as many as the strategy asks for; more
/// acknowledgements never make less of it.
[[nodiscard]] constexpr std::optional<outcome>
decide_write(write_strategy strategy, std::size_t copies, const acknowledgements& known) noexcept {
    switch (known.master) {
    case master_answer::refused:
        return outcome::refused;
    case master_answer::unknown:
        return outcome::unknown;
    case master_answer::applied:
        if (known.replicas >= replicas_to_wait_for(strategy, copies)) {
            return outcome::done;
        }
        break;
    case master_answer::pending:
        break;
    }
    return known.is_closed ? std::optional(outcome::unknown) : std::nullopt;
}

/// What is known after an error: no more acknowledgements will come over this connection, and a
/// master that had not answered has refused the write or leaves it unknown (`outcome_of`). With
/// `phase::applied`, what it said stands.
[[nodiscard]] constexpr acknowledgements after_error(acknowledgements known, error_kind kind,
                                                     phase at) noexcept {
    known.is_closed = true;
    if (at == phase::applied) {
        known.master = master_answer::applied;
    } else if (known.master == master_answer::pending) {
        known.master = outcome_of(kind, at) == outcome::refused ? master_answer::refused
                                                                : master_answer::unknown;
    }
    return known;
}

/// Whether a copy serves writes in this state.
[[nodiscard]] constexpr bool may_write(copy_state state, repair_policy policy) noexcept {
    return is_complete(state) || (is_answering(state) && policy == repair_policy::serve);
}

/// Why a write must not even be sent, `refusal::none` if it may be: in safe mode, also if the mode
/// is not yet told that half of the copies are lost (both where the strategy has a safe mode),
/// without a master, or with one that is down or whose repair forbids it.
[[nodiscard]] inline refusal refusal_of_write(const rules& chosen, const members& group,
                                              mode now) noexcept {
    if (has_safe_mode(chosen.write) && (now == mode::safe || has_lost_half(group))) {
        return refusal::safe_mode;
    }
    const std::size_t master = group.master();
    if (master == no_copy) {
        return refusal::no_master;
    }
    if (!is_answering(group[master].state)) {
        return refusal::master_down;
    }
    return may_write(group[master].state, chosen.repair) ? refusal::none : refusal::under_repair;
}

} // namespace hashring::group
