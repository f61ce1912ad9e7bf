// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/correction.hpp>
#include <hashring/balance/fraction.hpp>
#include <hashring/balance/limits.hpp>
#include <hashring/balance/loads.hpp>
#include <hashring/balance/memory.hpp>
#include <hashring/balance/node_stats.hpp>
#include <hashring/balance/plan_report.hpp>
#include <hashring/balance/proportion.hpp>
#include <hashring/balance/thresholds.hpp>
#include <hashring/balance/warnings.hpp>
#include <hashring/balance/weights_plan.hpp>
#include <hashring/core/uint128.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

/// \file
/// The damped rebalancer: who gets how many virtual nodes, and why.

namespace hashring {

namespace detail {

/// One round of the damped rule.
class weights_round {
public:
    weights_round(std::span<const node_stats> stats, const thresholds& settings,
                  const rebalance_state& state)
        : settings_(settings), limits_(settings), loads_(stats, settings.load, true) {
        plan_.state = state;
    }

    [[nodiscard]] weights_plan run() {
        if (loads_.size() < 2) {
            return std::move(plan_);
        }
        if (loads_.amount == uint128(0)) {
            plan_.outcome = plan_outcome::no_load;
            return std::move(plan_);
        }
        plan_.outcome = plan_outcome::balanced;
        plan_.state.nodes = remember(loads_, plan_.state.nodes, settings_);
        reference_ = reference(plan_.state.nodes);
        count();
        const allowed allowed(loads_, limits_, reference_);
        warn(allowed);
        for (std::size_t i = 0; i < loads_.size(); ++i) {
            consider(i, allowed);
        }
        return std::move(plan_);
    }

private:
    /// The median; the mean where most nodes hold nothing.
    [[nodiscard]] static relative_load reference(std::span<const node_memory> nodes) {
        std::vector<relative_load> loads;
        uint128 sum;
        for (const node_memory& node : nodes) {
            loads.push_back(node.load);
            sum += node.load.bits;
        }
        const relative_load mean{proportion(1, sum, static_cast<std::uint64_t>(loads.size()))};
        const relative_load median = upper_median(std::move(loads));
        return median.bits > 0 ? median : std::max(mean, relative_load{1});
    }

    /// How many virtual nodes are due, and the part of an addition that is made where there are
    /// more. The same deviation adds more below the reference than it takes above it, so that noise
    /// would let all counts grow.
    void count() {
        std::uint64_t sum = 0;
        for (const node_stats* node : loads_.nodes) {
            sum += node->vnodes;
        }
        std::uint32_t& vnodes = plan_.state.vnodes;
        if (settings_.vnodes) {
            vnodes = *settings_.vnodes;
        } else if (vnodes == 0) { // nodes with none are left out: the mean is above 0
            vnodes = static_cast<std::uint32_t>(sum / loads_.size());
        }
        addition_ = fraction64::ratio(std::uint64_t{vnodes} * loads_.size(), sum);
    }

    void warn(const allowed& allowed) {
        for (const auto& warning :
             {warn_of_vnodes(loads_, allowed), warn_of_noise(loads_, allowed, settings_)}) {
            if (warning) {
                plan_.warnings.push_back(*warning);
            }
        }
    }

    /// Raises the outcome: changes outrank waiting, and that being at the limits.
    void note(plan_outcome outcome) {
        const auto rank = [](plan_outcome o) {
            return o == plan_outcome::changes   ? 3
                   : o == plan_outcome::waiting ? 2
                   : o == plan_outcome::limited ? 1
                                                : 0;
        };
        plan_.outcome = rank(outcome) > rank(plan_.outcome) ? outcome : plan_.outcome;
    }

    void consider(std::size_t i, const allowed& allowed) {
        node_memory& node = plan_.state.nodes[i];
        const relative_load off = distance(node.load, reference_);
        const relative_load limit = allowed.distance(i);
        const bool is_outside = off > limit;
        node.active = is_outside || (node.active && off.bits > settings_.release.of(limit.bits));
        if (node.cooldown > 0) {
            node.cooldown -= 1;
            if (node.active) {
                note(plan_outcome::waiting);
            }
        } else if (node.active) {
            correct(i, limit, allowed.setting(i), !is_outside);
        } else {
            recover(node);
        }
    }

    void correct(std::size_t i, relative_load limit, const threshold& setting, bool by_release) {
        node_memory& node = plan_.state.nodes[i];
        const direction now = node.load > reference_ ? direction::over : direction::under;
        if (node.last == opposite(now)) {
            node.gain = std::max(halved(node.gain), least_gain(settings_));
        }
        const std::uint32_t before = loads_.nodes[i]->vnodes;
        const correction rule{node.gain, settings_.step,
                              range_of(loads_, settings_, plan_.state.vnodes, i), addition_};
        const std::uint32_t after = rule.apply(before, node.load, reference_);
        const bool is_same_way = node.last == now;
        node.last = now;
        if (after == before) {
            note(plan_outcome::limited);
            return;
        }
        note(plan_outcome::changes);
        plan_.changes.push_back({node.name, before, after, node.load, reference_, limit, setting,
                                 node.gain, by_release});
        node.cooldown = settings_.cooldown;
        if (is_same_way) {
            recover(node);
        }
    }

    [[nodiscard]] static fraction64 halved(fraction64 gain) noexcept {
        return fraction64::from_bits(gain.bits() / 2);
    }
    void recover(node_memory& node) const noexcept {
        const std::uint64_t tenth = node.gain.bits() / 10 + 1;
        node.gain = std::min(settings_.gain, fraction64::from_bits(node.gain.bits() + tenth));
    }

    const thresholds& settings_;
    limits limits_;
    measured_loads loads_;
    relative_load reference_{};
    fraction64 addition_{};
    weights_plan plan_;
};

} // namespace detail

/// The damped form of the postal paper's rebalancer: which nodes get other counts of virtual nodes,
/// so that each load comes within its threshold of the median, and stays there.
///
/// A node that is further from the median than its threshold is corrected, round by round, until it
/// is within `release` of that. One round takes `gain` of the deviation, at most `step` of the
/// count, and stays between the floor and the ceiling that are due to the node's capacity (one that
/// is outside them comes back and goes no further out); a node without load gets the whole step
/// up. Where the nodes have more virtual nodes than `vnodes` each, additions are smaller in that
/// proportion, so that counts do not creep up. Each time that a node's deviation changes its sign,
/// its own gain is halved (to a sixteenth at the least), and it recovers by a tenth while nothing
/// swings. After a change a node is left alone for `cooldown` rounds.
///
/// @param stats  current counts and loads; nodes that do not take part or have no virtual nodes are
///               left out. The counts must be those of now even where the loads are older.
/// @param settings  thresholds and damping.
/// @param state  the `state` of the plan before, or an empty one.
/// @returns      the changes by name, why, warnings, and the state for the next round. The state
///               assumes that the changes are made; counts come from the stats, so one that was not
///               made is proposed anew.
/// @throws invalid_node    for an empty name, one that comes twice, or unknown requests.
/// @throws invalid_option  for settings without a meaning; see `thresholds`.
///
/// Laws: nodes of equal load are left as they are; neither the order of the stats nor a common
/// factor of all loads matters (but to absolute thresholds); no count leaves its floor and ceiling
/// or changes by more than the step; no node changes that was not outside its threshold in this
/// round or since it was last. O(n log n).
///
/// Source: postal paper, load transfer between nodes; the damping is that of a controller with
/// hysteresis whose gain g is stable below 2 with fresh loads and below 1 with loads one round old.
[[nodiscard]] inline weights_plan plan_weights(std::span<const node_stats> stats,
                                               const thresholds& settings,
                                               const rebalance_state& state = {}) {
    return detail::weights_round(stats, settings, state).run();
}

} // namespace hashring
