// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/group/members.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// \file
/// Which replica becomes the master.
///
/// In an own failover, in this order: (1) take the replicas off the old master, or see it dead:
/// from then on no write can be acknowledged; (2) read their offsets; (3) elect; (4) promote; (5)
/// let the others follow. Offsets that were read earlier may miss an acknowledged write. Offsets
/// are of one history: those of a master that was replaced mean nothing beside them.

namespace hashring::group {

/// A replica as a candidate. Times are in milliseconds.
struct candidate {
    std::string_view name{};
    std::uint32_t priority = 100; ///< the lowest first; 0 never
    std::uint64_t offset = 0;
    bool is_down = false;          ///< does not answer, or is not connected
    std::uint64_t silent_for = 0;  ///< since it last answered
    std::uint64_t info_age = 0;    ///< since it said how far it is
    std::uint64_t cut_off_for = 0; ///< since it lost its master

    friend bool operator==(const candidate&, const candidate&) = default;
};

/// How old what is known of a candidate may be, in milliseconds; the defaults set no limit.
struct election_limits {
    std::uint64_t silent_for = ~std::uint64_t{0};
    std::uint64_t info_age = ~std::uint64_t{0};
    std::uint64_t cut_off_for = ~std::uint64_t{0};

    /// Those of Sentinel, for a master that has been down for `master_down_for` and counts as down
    /// after `down_after`: 5 s, 5 s, and ten times `down_after` plus `master_down_for`.
    ///
    /// Source: Redis 7.0.15, sentinel.c, `sentinelSelectSlave`.
    [[nodiscard]] static constexpr election_limits
    of_sentinel(std::uint64_t down_after, std::uint64_t master_down_for) noexcept {
        return {5000, 5000, 10 * down_after + master_down_for};
    }

    friend bool operator==(const election_limits&, const election_limits&) = default;
};

/// Why a candidate cannot be elected.
enum class unelectable : std::uint8_t {
    no,       ///< it can
    down,     ///< it does not answer
    priority, ///< its priority is 0
    stale,    ///< what is known of it is too old
    cut_off,  ///< it has been without its master for too long
};

/// Why a candidate cannot be elected, `unelectable::no` if it can: the first reason in the order
/// listed.
[[nodiscard]] constexpr unelectable why_not(const candidate& c,
                                            const election_limits& limits = {}) noexcept {
    if (c.is_down) {
        return unelectable::down;
    }
    if (c.priority == 0) {
        return unelectable::priority;
    }
    if (c.silent_for > limits.silent_for || c.info_age > limits.info_age) {
        return unelectable::stale;
    }
    return c.cut_off_for > limits.cut_off_for ? unelectable::cut_off : unelectable::no;
}

/// What counts first in an election.
enum class precedence : std::uint8_t {
    priority, ///< as in Sentinel: a replica that lacks acknowledged writes can win
    offset,   ///< the greatest offset wins, priorities only where offsets are equal
};

/// Whether `a` is the better master: by the lower priority, the greater offset (the other way round
/// with `precedence::offset`), then by name. A total order over different names.
///
/// Source: Redis 7.0.15, sentinel.c, `compareSlavesForPromotion`, whose last word is the run id.
[[nodiscard]] constexpr bool is_better_master(const candidate& a, const candidate& b,
                                              precedence first = precedence::priority) noexcept {
    if (first == precedence::offset && a.offset != b.offset) {
        return a.offset > b.offset;
    }
    if (a.priority != b.priority) {
        return a.priority < b.priority;
    }
    return a.offset != b.offset ? a.offset > b.offset : a.name < b.name;
}

/// The index of the candidate that becomes the master, `no_copy` if none can. The order in which
/// they are listed does not matter. O(candidates).
[[nodiscard]] constexpr std::size_t elect(std::span<const candidate> candidates,
                                          const election_limits& limits = {},
                                          precedence first = precedence::priority) noexcept {
    std::size_t best = no_copy;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (why_not(candidates[i], limits) == unelectable::no &&
            (best == no_copy || is_better_master(candidates[i], candidates[best], first))) {
            best = i;
        }
    }
    return best;
}

/// Who becomes the master of a group, and what that does to acknowledged writes.
struct election {
    std::size_t winner = no_copy; ///< the index of the copy
    /// Whether it has every write that `master_first_sync` acknowledged, for certain: none of the
    /// complete copies is further than it, and they are so many that each majority has one of them.
    bool keeps_acknowledged = false;

    friend bool operator==(const election&, const election&) = default;
};

/// Elects among the replicas of a group that are complete.
///
/// With `precedence::priority` and unequal priorities the winner can lack acknowledged writes: keep
/// them equal (or 0) where Sentinel elects for a group of `master_first_sync`.
[[nodiscard]] inline election elect(const members& group,
                                    precedence first = precedence::priority) noexcept {
    std::array<candidate, max_copies> candidates;
    std::uint64_t furthest = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {
        const copy& c = group[i];
        const bool can = c.role == role::replica && is_complete(c.state);
        candidates[i] = {c.name, c.priority, c.offset, !can, 0, 0, 0};
        if (is_complete(c.state) && c.offset > furthest) {
            furthest = c.offset;
        }
    }
    election result;
    result.winner = elect(std::span(candidates).first(group.size()), {}, first);
    result.keeps_acknowledged = result.winner != no_copy &&
                                group[result.winner].offset == furthest &&
                                group.complete() + majority(group.size()) > group.size();
    return result;
}

} // namespace hashring::group
