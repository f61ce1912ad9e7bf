// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/node_stats.hpp>
#include <hashring/balance/utilization.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// \file
/// Who gets new data next: steps 1 and 2 of the postal paper's weighted round robin.

namespace hashring {

/// What a node has to be below of to get data.
enum class load_reference : std::uint8_t {
    cluster, ///< the cluster's utilisation: sum of used over sum of capacities
    mean,    ///< the mean of the load factors, as the paper has it
};

/// How much of the new data a node gets, relative to the others.
struct store_weight {
    std::string name{};
    std::uint64_t weight = 0;

    friend bool operator==(const store_weight&, const store_weight&) = default;
};

/// The weights of one round, and how they came about.
struct store_weights {
    /// In the order of the nodes that were handed in; 0 for those that get nothing this round.
    std::vector<store_weight> nodes{};
    /// What a node had to be strictly below of.
    fraction64 reference{};
    /// Nobody was below, so that everybody with room got its capacity for a weight.
    bool by_capacity = false;

    friend bool operator==(const store_weights&, const store_weights&) = default;
};

/// The weights with which new data are handed out: 0 to a node that is loaded at or above the
/// reference (or does not take part), its free space to any other.
///
/// If nobody is below the reference, all being equally full, each node with room gets its capacity.
/// A full node never gets a weight above 0, so the weights are all 0 only if nobody has room or
/// takes part. The load is taken from the nodes' own numbers: there is no way to hand in a factor
/// that grows with free space and so to feed the full ones. O(n).
///
/// Source: postal paper, weighted round robin, steps 1 and 2. Its weight, "from the load factor",
/// is read as free bytes: a factor alone gives a small disk as much as a large one.
[[nodiscard]] inline store_weights
round_robin_weights(std::span<const node_stats> nodes,
                    load_reference reference = load_reference::cluster) {
    store_weights result;
    result.reference =
        reference == load_reference::mean ? mean_utilization(nodes) : cluster_utilization(nodes);
    const auto is_below = [&](const node_stats& node) {
        return node.takes_part() && utilization(node) < result.reference;
    };
    result.by_capacity = true;
    for (const node_stats& node : nodes) {
        result.by_capacity = result.by_capacity && !is_below(node);
    }
    for (const node_stats& node : nodes) {
        const bool has_room = node.takes_part() && node.free() > 0;
        const std::uint64_t fallback = has_room ? node.total : 0;
        const std::uint64_t by_room = is_below(node) ? node.free() : 0;
        result.nodes.push_back({node.name, result.by_capacity ? fallback : by_room});
    }
    return result;
}

} // namespace hashring
