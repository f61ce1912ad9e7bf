// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/loads.hpp>
#include <hashring/balance/memory.hpp>
#include <hashring/balance/plan_report.hpp>
#include <hashring/balance/proportion.hpp>
#include <hashring/balance/thresholds.hpp>
#include <hashring/core/text.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// New counts of virtual nodes, and why.

namespace hashring {

/// A new count of virtual nodes for one node, and what caused it.
struct vnode_change {
    std::string name{};
    std::uint32_t before = 0;
    std::uint32_t vnodes = 0; ///< from now on

    relative_load load{};      ///< the node's, smoothed
    relative_load reference{}; ///< the median, or the mean if that is 0
    relative_load allowed{};   ///< the distance that the threshold allows
    threshold limit{};         ///< the threshold
    fraction64 gain{};         ///< the part of the deviation that was corrected, before limits
    bool by_release = false;   ///< within its threshold, and not yet within the part that releases

    /// In words, such as `'a': load 1.26 times the cluster's, 26 % above the reference of 1
    /// (threshold 5 %): 160 -> 143 virtual nodes`.
    [[nodiscard]] std::string text() const;

    friend bool operator==(const vnode_change&, const vnode_change&) = default;
};

/// The counts to change, by name of node, and the state to hand in next time.
struct weights_plan {
    std::vector<vnode_change> changes{};
    std::vector<plan_warning> warnings{};
    plan_outcome outcome = plan_outcome::too_few_nodes;
    rebalance_state state{};

    [[nodiscard]] bool empty() const noexcept { return changes.empty(); }

    friend bool operator==(const weights_plan&, const weights_plan&) = default;
};

inline std::string vnode_change::text() const {
    const bool is_over = load > reference;
    const std::uint64_t off = proportion(100 * relative_load::one_bits,
                                         detail::distance(load, reference).bits, reference.bits);
    return concat("'", name, "': load ", load.text(), " times the cluster's, ",
                  detail::fixed_text(off, 32, 1), is_over ? " % above" : " % below",
                  " the reference of ", reference.text(), " (threshold ", limit.text(),
                  by_release ? ", not yet released): " : "): ", decimal(before), " -> ",
                  decimal(vnodes), " virtual nodes");
}

} // namespace hashring
