// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// What came out of a round of the self-check.

namespace hashring {

/// The time that rounds are measured in: it never goes back and is no date.
using check_time = std::chrono::steady_clock::time_point;
using check_duration = std::chrono::steady_clock::duration;

/// How a round ended. Only after the first two is the plan's state kept (`is_done`); after the
/// others the next round goes on from the state before.
enum class round_outcome : std::uint8_t {
    applied,        ///< a plan was made and applied
    nothing_to_do,  ///< a plan without changes was made
    source_failed,  ///< the source, or what tells whether it is whole, threw
    source_slow,    ///< the source took longer than it may
    source_partial, ///< nodes are missing, or the statistics were said not to be whole
    stats_stale,    ///< measured too long ago, or not later than those of the round before
    plan_failed,    ///< the rule threw
    plan_stale,     ///< when it could have been applied, its statistics had become too old
    superseded,     ///< the cluster was changed after the statistics were asked for
    stopped,        ///< the self-check was told to stop before the plan was applied
    apply_declined, ///< the apply function returned false
    apply_failed,   ///< the apply function threw
    check_failed,   ///< the self-check itself threw, for lack of memory
};

/// Whether the round did what it is for; if not, it was skipped.
[[nodiscard]] constexpr bool is_done(round_outcome outcome) noexcept {
    return outcome == round_outcome::applied || outcome == round_outcome::nothing_to_do;
}

[[nodiscard]] constexpr std::string_view describe(round_outcome outcome) noexcept {
    switch (outcome) {
    case round_outcome::applied:
        return "applied";
    case round_outcome::nothing_to_do:
        return "nothing to do";
    case round_outcome::source_failed:
        return "skipped: the source of the statistics failed";
    case round_outcome::source_slow:
        return "skipped: the source of the statistics is too slow";
    case round_outcome::source_partial:
        return "skipped: the statistics are not whole";
    case round_outcome::stats_stale:
        return "skipped: the statistics are too old";
    case round_outcome::plan_failed:
        return "skipped: no plan could be made";
    case round_outcome::plan_stale:
        return "skipped: the plan is too old";
    case round_outcome::superseded:
        return "skipped: the cluster has changed since";
    case round_outcome::stopped:
        return "skipped: the self-check was stopped";
    case round_outcome::apply_declined:
        return "skipped: the plan was declined";
    case round_outcome::apply_failed:
        return "skipped: the plan could not be applied";
    case round_outcome::check_failed:
        return "skipped: the self-check failed";
    }
    return "";
}

/// What is said of a round.
template <class Plan>
struct round_report {
    std::uint64_t number = 0; ///< 1, 2, … since the self-check was made
    round_outcome outcome = round_outcome::check_failed;
    std::string detail{}; ///< what was thrown or is missing; empty if there is nothing to add
    std::optional<Plan>
        plan{};         ///< the one that was made, if one was, also where it was not applied
    check_time asked{}; ///< when the source was called
    check_duration source_took{};

    /// In words, such as `skipped: the statistics are not whole: none of node 'b'`.
    [[nodiscard]] std::string text() const {
        return concat(describe(outcome), detail.empty() ? "" : ": ", detail);
    }
};

} // namespace hashring
