// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/limits.hpp>
#include <hashring/balance/loads.hpp>
#include <hashring/balance/node_stats.hpp>
#include <hashring/balance/plan_report.hpp>
#include <hashring/balance/proportion.hpp>
#include <hashring/balance/thresholds.hpp>
#include <hashring/balance/warnings.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// \file
/// The rebalancer without detours: who hands how much to whom.

namespace hashring {

/// An amount of load that one node hands to another, and where both stand. Loads are relative to
/// the cluster's, which is 1.
struct load_transfer {
    std::string from{};
    std::string to{};
    std::uint64_t amount = 0; ///< in the unit of what is used, or in requests
    relative_load from_load{};
    relative_load to_load{};

    /// In words, such as `'a' (load 1.6 times the cluster's) hands 200 to 'c' (0.6 times)`.
    [[nodiscard]] std::string text() const {
        return concat("'", from, "' (load ", from_load.text(), " times the cluster's) hands ",
                      decimal(amount), " to '", to, "' (", to_load.text(), " times)");
    }

    friend bool operator==(const load_transfer&, const load_transfer&) = default;
};

/// The node outside its threshold that set a plan off: the one that is furthest outside.
struct transfer_cause {
    std::string name{};
    relative_load load{};
    relative_load median{};
    threshold limit{};

    /// In words, such as `'a': load 1.26 times the cluster's, further than the threshold 5 % from
    /// the median of 1`.
    [[nodiscard]] std::string text() const {
        return concat("'", name, "': load ", load.text(),
                      " times the cluster's, further than the threshold ", limit.text(),
                      " from the median of ", median.text());
    }

    friend bool operator==(const transfer_cause&, const transfer_cause&) = default;
};

/// What the transfer rule remembers: the rounds in which nothing is sent yet.
struct transfer_state {
    std::uint32_t cooldown = 0;

    friend bool operator==(const transfer_state&, const transfer_state&) = default;
};

/// Who hands how much to whom, the largest needs first, and the state to hand in next time.
struct transfer_plan {
    std::vector<load_transfer> transfers{};
    std::optional<transfer_cause> cause{}; ///< there is one if a node is outside its threshold
    std::vector<plan_warning> warnings{};
    plan_outcome outcome = plan_outcome::too_few_nodes;
    transfer_state state{};

    [[nodiscard]] bool empty() const noexcept { return transfers.empty(); }
    /// The sum of the amounts.
    [[nodiscard]] uint128 amount() const noexcept {
        uint128 sum;
        for (const load_transfer& t : transfers) {
            sum += t.amount;
        }
        return sum;
    }

    friend bool operator==(const transfer_plan&, const transfer_plan&) = default;
};

namespace detail {

/// What a node has too much or too little of.
struct need {
    std::size_t node = 0;
    std::uint64_t amount = 0;
};

/// One round of the transfer rule.
class transfer_round {
public:
    transfer_round(std::span<const node_stats> stats, const thresholds& settings)
        : settings_(settings), limits_(settings), loads_(stats, settings.load, false) {}

    [[nodiscard]] transfer_plan run(transfer_state state, std::optional<std::uint64_t> budget) {
        plan_.state.cooldown = state.cooldown - std::min(state.cooldown, std::uint32_t{1});
        if (loads_.size() < 2) {
            return std::move(plan_);
        }
        if (loads_.amount == uint128(0)) {
            plan_.outcome = plan_outcome::no_load;
            return std::move(plan_);
        }
        for (std::size_t i = 0; i < loads_.size(); ++i) {
            relative_.push_back(loads_.relative(i));
        }
        find_cause();
        if (!plan_.cause) {
            plan_.outcome = plan_outcome::balanced;
        } else if (state.cooldown > 0) {
            plan_.outcome = plan_outcome::waiting;
        } else {
            send(budget);
        }
        return std::move(plan_);
    }

private:
    void find_cause() {
        relative_load median = upper_median(relative_);
        median = std::max(median, relative_load{1}); // most hold nothing: all others are outside
        const allowed allowed(loads_, limits_, median);
        if (auto warning = warn_of_noise(loads_, allowed, settings_)) {
            plan_.warnings.push_back(std::move(*warning));
        }
        std::uint64_t furthest = 0;
        for (std::size_t i = 0; i < loads_.size(); ++i) {
            const std::uint64_t off = distance(relative_[i], median).bits;
            const std::uint64_t limit = allowed.distance(i).bits;
            if (off > limit && off - limit > furthest) {
                furthest = off - limit;
                plan_.cause = {loads_.nodes[i]->name, relative_[i], median, allowed.setting(i)};
            }
        }
    }

    /// What each node is above or below its part of the whole, in units that do not cross it.
    void weigh(std::vector<need>& over, std::vector<need>& under) const {
        for (std::size_t i = 0; i < loads_.size(); ++i) {
            const std::uint64_t capacity = loads_.nodes[i]->total;
            const std::uint64_t held = loads_.amounts[i];
            const std::uint64_t most = proportion_up(capacity, loads_.amount, loads_.capacity);
            const std::uint64_t least = proportion(capacity, loads_.amount, loads_.capacity);
            if (held > most) {
                over.push_back({i, settings_.transfer_gain.of(held - most)});
            } else if (held < least) {
                under.push_back({i, settings_.transfer_gain.of(least - held)});
            }
        }
        for (std::vector<need>* needs : {&over, &under}) {
            std::sort(needs->begin(), needs->end(), [](const need& a, const need& b) {
                return a.amount != b.amount ? a.amount > b.amount : a.node < b.node; // by name
            });
        }
    }

    [[nodiscard]] static uint128 total(std::span<const need> needs) {
        uint128 sum;
        for (const need& n : needs) {
            sum += n.amount;
        }
        return sum;
    }

    void send(std::optional<std::uint64_t> budget) {
        std::vector<need> over;
        std::vector<need> under;
        weigh(over, under);
        const uint128 flow = std::min(total(over), total(under));
        if (budget && uint128(*budget) < flow) {
            for (std::vector<need>* needs : {&over, &under}) {
                for (need& n : *needs) {
                    n.amount = proportion(n.amount, *budget, flow);
                }
            }
        }
        match(over, under);
        plan_.outcome = plan_.empty() ? plan_outcome::limited : plan_outcome::changes;
        if (!plan_.empty()) {
            plan_.state.cooldown = settings_.cooldown;
        }
    }

    /// The largest surplus to the largest lack, until one side is used up.
    void match(std::vector<need>& over, std::vector<need>& under) {
        for (std::size_t o = 0, u = 0; o < over.size() && u < under.size();) {
            const std::uint64_t amount = std::min(over[o].amount, under[u].amount);
            if (amount > 0) {
                const std::size_t from = over[o].node;
                const std::size_t to = under[u].node;
                plan_.transfers.push_back({loads_.nodes[from]->name, loads_.nodes[to]->name, amount,
                                           relative_[from], relative_[to]});
            }
            over[o].amount -= amount;
            under[u].amount -= amount;
            o += over[o].amount == 0 ? 1U : 0U;
            u += under[u].amount == 0 ? 1U : 0U;
        }
    }

    const thresholds& settings_;
    limits limits_;
    measured_loads loads_;
    std::vector<relative_load> relative_;
    transfer_plan plan_;
};

} // namespace detail

/// Who hands how much to whom, so that every node comes to the load of the cluster at once.
///
/// If any node is further from the median than its threshold, each node above the cluster's load
/// (the sum of loads over the sum of capacities) sheds `transfer_gain` of what it has too much, and
/// each below takes that part of what it lacks; the largest surplus goes to the largest lack first,
/// ties by name. Nobody crosses the cluster's load. After a plan, `cooldown` rounds send nothing;
/// with loads that are d rounds old it has to be at least d + 1.
///
/// @param stats     loads; counts of virtual nodes do not matter. Nodes that do not take part are
///                  left out.
/// @param settings  the thresholds, `load`, `transfer_gain`, `cooldown` and `noise`.
/// @param state     the `state` of the plan before, or an empty one.
/// @param budget    the most that one plan may move, in the unit of the loads; all needs are scaled
///                  to it alike.
/// @returns         the transfers, whole units, and what set them off.
/// @throws          like `plan_weights`.
///
/// Laws: what moves is at most the budget and never more than the least that evens out; equal loads
/// move nothing; a plan carried out in full with a gain of 1 leaves every node within n units of
/// its part of the load. O(n log n).
///
/// Source: postal paper, load transfer ("even out with the neighbour"), done exactly and at once.
[[nodiscard]] inline transfer_plan plan_transfers(std::span<const node_stats> stats,
                                                  const thresholds& settings,
                                                  const transfer_state& state = {},
                                                  std::optional<std::uint64_t> budget = {}) {
    return detail::transfer_round(stats, settings).run(state, budget);
}

} // namespace hashring
