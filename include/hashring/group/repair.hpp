// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/group/copy_list.hpp>
#include <hashring/group/election.hpp>
#include <hashring/group/members.hpp>
#include <hashring/group/rules.hpp>

#include <cstddef>
#include <cstdint>

/// \file
/// How copies that are not complete become so: from whom, and in which order.

namespace hashring::group {

/// The next step of a repair.
enum class repair_step : std::uint8_t {
    nothing,     ///< nothing to do now
    copy_whole,  ///< make the targets what the source is, whatever they hold
    elect_first, ///< the master is not complete: the source becomes the master, then ask again
    merge,       ///< nobody is known to have all: bring the records of the targets together in the
                 ///< source, of each key the newest; then it is the complete master, the others are
                 ///< behind
    more_copies, ///< nobody is known to have all, and not all copies answer: wait for them
};

/// What to do next.
struct repair_plan {
    repair_step step = repair_step::nothing;
    std::size_t source = no_copy; ///< the copy to repair from, or `no_copy`
    copy_list targets{};          ///< the copies to repair, the first first

    friend bool operator==(const repair_plan&, const repair_plan&) = default;
};

namespace detail {

/// Whether `a` is further than `b`, so that less is missing; of equals the one with the lesser
/// name.
[[nodiscard]] inline bool is_further(const copy& a, const copy& b) noexcept {
    return a.offset != b.offset ? a.offset > b.offset : a.name < b.name;
}

/// The copies in `state` but for `source`, the furthest first, at most `most` of them.
[[nodiscard]] inline copy_list furthest_first(const members& group, copy_state state,
                                              std::size_t source, std::size_t most) noexcept {
    copy_list result;
    while (result.size() < most) {
        std::size_t next = no_copy;
        for (std::size_t i = 0; i < group.size(); ++i) {
            if (i != source && group[i].state == state && !result.contains(i) &&
                (next == no_copy || is_further(group[i], group[next]))) {
                next = i;
            }
        }
        if (next == no_copy) {
            break;
        }
        result.push_back(next);
    }
    return result;
}

/// What there is to do when nobody is known to have all that was acknowledged.
[[nodiscard]] inline repair_plan plan_merge(const members& group) noexcept {
    if (group.empty() || group.answering() < group.size()) {
        return {repair_step::more_copies, no_copy, {}};
    }
    repair_plan plan{repair_step::merge, 0, {}};
    for (std::size_t i = 1; i < group.size(); ++i) {
        plan.source = is_further(group[i], group[plan.source]) ? i : plan.source;
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (i != plan.source) {
            plan.targets.push_back(i);
        }
    }
    return plan;
}

} // namespace detail

/// What to do next for a group, with at most `at_once` (at least 1) copies under repair at a time.
///
/// 1. A complete master is the source for the copies that are behind. The furthest comes first: it
///    makes a majority the soonest.
/// 2. A master that is not complete never is a source: it may have restarted empty, and would empty
///    the others. A complete replica becomes the master first: under a strategy without safe mode
///    the one that `elect` names, else the furthest, and only if it has for certain all that was
///    acknowledged.
/// 3. Otherwise nobody is known to have all, and when all copies answer, what they have is merged.
///    Until then the group waits: a copy that is gone for good has to be taken off it.
///
/// Law: every target answers; the source is complete but in a merge.
[[nodiscard]] inline repair_plan plan_repair(const rules& chosen, const members& group,
                                             std::size_t at_once = 1) noexcept {
    const std::size_t master = group.master();
    if (master != no_copy && is_complete(group[master].state)) {
        const std::size_t busy = group.count(copy_state::repairing);
        const copy_list targets = detail::furthest_first(group, copy_state::behind, master,
                                                         at_once > busy ? at_once - busy : 0);
        return targets.empty() ? repair_plan{}
                               : repair_plan{repair_step::copy_whole, master, targets};
    }
    const bool is_strict = has_safe_mode(chosen.write);
    const election next = elect(group, is_strict ? precedence::offset : precedence::priority);
    if (next.winner != no_copy && (next.keeps_acknowledged || !is_strict)) {
        return {repair_step::elect_first, next.winner, {}};
    }
    return detail::plan_merge(group);
}

/// Whether what a copy holds that was away for `away` milliseconds may be merged by versions.
/// If not, deletions that it missed may be forgotten by now (`forget_at`): it is copied whole.
[[nodiscard]] constexpr bool may_merge(std::uint64_t away, std::uint64_t retention) noexcept {
    return away < retention;
}

} // namespace hashring::group
