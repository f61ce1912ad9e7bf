// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/group/copy_list.hpp>
#include <hashring/group/election.hpp>
#include <hashring/group/members.hpp>

#include <cstddef>
#include <cstdint>

/// \file
/// How copies that are not complete become so: from whom, and in which order.

namespace hashring::group {

enum class repair_step : std::uint8_t {
    nothing,     ///< nothing to do now
    copy_whole,  ///< make the targets what the source is, whatever they hold
    elect_first, ///< the master is not complete but a replica is: it becomes the master first
    merge,       ///< no copy is complete: bring the records of all together, the newest of each key
    more_copies, ///< no copy is complete, and too few answer to know all that was acknowledged
};

/// What to do next.
struct repair_plan {
    repair_step step = repair_step::nothing;
    std::size_t source = no_copy; ///< the copy to repair from; with `elect_first` the next master,
                                  ///< `no_copy` if no priority allows one;
                                  ///< with `merge` where the others are brought together
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

/// What there is to do when no copy is complete.
[[nodiscard]] inline repair_plan plan_merge(const members& group) noexcept {
    if (group.empty() || group.answering() + majority(group.size()) <= group.size()) {
        return {repair_step::more_copies, no_copy, {}};
    }
    repair_plan plan{repair_step::merge, no_copy, {}};
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (is_answering(group[i].state) &&
            (plan.source == no_copy || is_further(group[i], group[plan.source]))) {
            plan.source = i;
        }
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (i != plan.source && is_answering(group[i].state)) {
            plan.targets.push_back(i);
        }
    }
    return plan;
}

} // namespace detail

/// What to do next for a group, with at most `at_once` (at least 1) copies under repair at a time.
///
/// A complete master is the source, and the furthest of the copies that are behind comes first: it
/// makes a majority the soonest. A master that is not complete never is a source, even if it alone
/// is the master: it may have restarted empty, and would empty the others. Law: only copies that
/// answer are targets, and the source is complete unless none is.
[[nodiscard]] inline repair_plan plan_repair(const members& group,
                                             std::size_t at_once = 1) noexcept {
    if (group.complete() == 0) {
        return detail::plan_merge(group);
    }
    const std::size_t master = group.master();
    if (master == no_copy || !is_complete(group[master].state)) {
        return {repair_step::elect_first, elect(group).winner, {}};
    }
    const std::size_t busy = group.count(copy_state::repairing);
    repair_plan plan{repair_step::copy_whole, master, {}};
    plan.targets = detail::furthest_first(group, copy_state::behind, master,
                                          at_once > busy ? at_once - busy : 0);
    return plan.targets.empty() ? repair_plan{} : plan;
}

/// Whether what a copy holds that was away for `away` milliseconds may be merged by versions.
/// If not, deletions that it missed may be forgotten by now (`forget_at`): it is copied whole.
[[nodiscard]] constexpr bool may_merge(std::uint64_t away, std::uint64_t retention) noexcept {
    return away < retention;
}

} // namespace hashring::group
