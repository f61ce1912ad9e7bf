// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/group/copy_list.hpp>
#include <hashring/group/members.hpp>
#include <hashring/group/rules.hpp>
#include <hashring/group/safe_mode.hpp>

#include <cstddef>
#include <cstdint>

/// \file
/// Whom a read asks.

namespace hashring::group {

/// Whether a copy serves reads in this state. In a majority only complete copies count, whatever
/// the policy.
[[nodiscard]] constexpr bool may_read(copy_state state, repair_policy policy) noexcept {
    return is_complete(state) || (is_answering(state) && policy != repair_policy::refuse);
}

/// Whom to ask, and how many of them must answer.
struct read_plan {
    copy_list order;             ///< the copies that may be asked, in this order; each once
    std::size_t needed = 0;      ///< how many answers it takes: 1, or a majority of all copies
    refusal why = refusal::none; ///< why nobody is asked; then `order` is empty

    friend bool operator==(const read_plan&, const read_plan&) = default;
};

namespace detail {

class read_planner {
public:
    read_planner(const rules& chosen, const members& group, std::uint64_t turn) noexcept
        : chosen_(chosen), group_(group), master_(group.master()), turn_(turn) {}

    [[nodiscard]] read_plan master_alone() const noexcept {
        if (master_ == no_copy) {
            return refused(refusal::no_master);
        }
        if (!is_answering(group_[master_].state)) {
            return refused(refusal::master_down);
        }
        read_plan plan{{}, 1, refusal::none};
        append_master(plan.order);
        return plan.order.empty() ? refused(refusal::under_repair) : plan;
    }

    [[nodiscard]] read_plan any_copy() const noexcept {
        read_plan plan{{}, 1, refusal::none};
        append_in_turn(plan.order, [](std::size_t) { return true; });
        return plan.order.empty() ? refused(refusal::too_few_copies) : plan;
    }

    [[nodiscard]] read_plan replicas(bool and_master) const noexcept {
        read_plan plan{{}, 1, refusal::none};
        append_in_turn(plan.order, [this](std::size_t i) { return i != master_; });
        if (and_master) {
            append_master(plan.order);
        }
        const refusal why = and_master ? refusal::too_few_copies : refusal::no_replica;
        return plan.order.empty() ? refused(why) : plan;
    }

    /// The master first: what it holds is the newest, so that mostly nothing is left to repair.
    [[nodiscard]] read_plan majority_of_all() const noexcept {
        read_plan plan{{}, majority(group_.size()), refusal::none};
        if (master_ != no_copy && is_complete(group_[master_].state)) {
            plan.order.push_back(master_);
        }
        append_in_turn(plan.order, [this](std::size_t i) {
            return i != master_ && is_complete(group_[i].state);
        });
        return plan.order.size() < plan.needed ? refused(refusal::too_few_copies) : plan;
    }

    [[nodiscard]] static read_plan refused(refusal why) noexcept { return {{}, 0, why}; }

private:
    void append_master(copy_list& order) const noexcept {
        if (master_ != no_copy && may_read(group_[master_].state, chosen_.repair)) {
            order.push_back(master_);
        }
    }

    /// The copies that may be read and pass `test`, beginning with the one whose turn it is.
    template <class Test>
    void append_in_turn(copy_list& order, Test test) const noexcept {
        copy_list found;
        for (std::size_t i = 0; i < group_.size(); ++i) {
            if (test(i) && may_read(group_[i].state, chosen_.repair)) {
                found.push_back(i);
            }
        }
        for (std::size_t i = 0; i < found.size(); ++i) {
            order.push_back(found[(turn_ % found.size() + i) % found.size()]);
        }
    }

    const rules& chosen_;
    const members& group_;
    std::size_t master_;
    std::uint64_t turn_;
};

} // namespace detail

/// Whom to ask for a value. `turn` is any number that grows by one with each read: copies that are
/// asked in turn are so often asked as each other.
///
/// | strategy | asked, in this order | if too few may be read |
/// | --- | --- | --- |
/// | `master` | the master | `no_master`, `master_down`, `under_repair` |
/// | `any_copy` | all in turn, the master among them | `too_few_copies` |
/// | `replica_preferred` | the replicas in turn, then the master | `too_few_copies` |
/// | `replica_only` | the replicas in turn | `no_replica` |
/// | `majority` | the master, the replicas in turn, complete ones only | `too_few_copies` |
///
/// Those at the end are asked when others do not answer. A group in safe mode answers `safe_mode`
/// if its rules say so.
[[nodiscard]] inline read_plan plan_read(const rules& chosen, const members& group, mode now,
                                         std::uint64_t turn) noexcept {
    using planner = detail::read_planner;
    if (now == mode::safe && has_safe_mode(chosen.write) &&
        chosen.safe_reads == safe_reads::refuse) {
        return planner::refused(refusal::safe_mode);
    }
    const planner plan(chosen, group, turn);
    switch (chosen.read) {
    case read_strategy::master:
        return plan.master_alone();
    case read_strategy::any_copy:
        return plan.any_copy();
    case read_strategy::replica_preferred:
        return plan.replicas(true);
    case read_strategy::replica_only:
        return plan.replicas(false);
    case read_strategy::majority:
        break;
    }
    return plan.majority_of_all();
}

} // namespace hashring::group
