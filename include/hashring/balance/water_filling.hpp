// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/node_stats.hpp>
#include <hashring/balance/round_robin.hpp>
#include <hashring/balance/utilization.hpp>
#include <hashring/core/uint128.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// \file
/// The weighted round robin that looks ahead: each node gets what brings all to one level.

namespace hashring {

namespace detail {

/// Nodes with room, the emptiest first.
[[nodiscard]] inline std::vector<std::size_t> by_utilization(std::span<const node_stats> nodes) {
    std::vector<fraction64> loads;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        loads.push_back(utilization(nodes[i]));
        if (nodes[i].takes_part() && nodes[i].free() > 0) {
            order.push_back(i);
        }
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return loads[a] != loads[b] ? loads[a] < loads[b] : nodes[a].name < nodes[b].name;
    });
    return order;
}

/// How far a batch fills the nodes, and how many of them it reaches.
struct water {
    fraction64 level{};
    std::size_t reached = 0;
};

/// The water of `batch` in the nodes in `order`.
[[nodiscard]] inline water fill(std::span<const node_stats> nodes,
                                std::span<const std::size_t> order, std::uint64_t batch) {
    uint128 filled = batch;
    uint128 capacity;
    water result;
    for (const std::size_t i : order) {
        if (result.reached > 0 && result.level <= utilization(nodes[i])) {
            break;
        }
        filled += nodes[i].stored();
        capacity += nodes[i].total;
        result = {fraction64::ratio(filled, capacity), result.reached + 1};
    }
    return result;
}

} // namespace detail

/// How much of the next `batch` of data each node gets so that they end as equally full as the
/// batch can make them: `capacity · max(0, level − utilisation)`, the level being where the batch
/// is used up. Nothing overflows: what has no room is not handed out.
///
/// @returns  amounts in the unit of the stats, in the order of `nodes`; they sum to the lesser of
///           `batch` and the room there is. They are weights too, for the order within the batch.
///
/// Law: the nodes that get something end within one unit a node of one level, and no other node is
/// below it. O(n log n).
///
/// Source: the water filling of network flow control; a variant of the postal paper's step 2 that
/// leaves no gap, where that leaves what is written between two refreshes.
[[nodiscard]] inline std::vector<store_weight>
water_filling_weights(std::span<const node_stats> nodes, std::uint64_t batch) {
    std::vector<store_weight> result;
    for (const node_stats& node : nodes) {
        result.push_back({node.name, 0});
    }
    std::vector<std::size_t> order = detail::by_utilization(nodes);
    const detail::water water = detail::fill(nodes, order, batch);
    order.resize(water.reached);
    std::uint64_t left = batch;
    for (const std::size_t i : order) {
        const std::uint64_t surface = water.level.of(nodes[i].total);
        const std::uint64_t wanted = surface - std::min(surface, nodes[i].stored());
        result[i].weight = std::min(wanted, left);
        left -= result[i].weight;
    }
    // Each amount was rounded down: a few units a node are left, or there is no more room.
    for (bool has_room = left > 0; has_room;) {
        has_room = false;
        for (const std::size_t i : order) {
            if (left > 0 && result[i].weight < nodes[i].free()) {
                result[i].weight += 1;
                left -= 1;
                has_room = left > 0;
            }
        }
    }
    return result;
}

} // namespace hashring
