// SPDX-License-Identifier: MIT
#include "simulate/balanced_rings.hpp"

#include "simulate/following_ring.hpp"

#include <algorithm>

namespace simulate {

using hashring::schemes::xxh3;

namespace {

/// `amount` · nodes · vnodes over the sum of capacities, rounded, at least 1.
std::uint32_t vnodes_for(std::uint64_t amount, const cluster& nodes, std::uint32_t vnodes) {
    const std::uint64_t exact = amount * nodes.size() * vnodes;
    const std::uint64_t sum = nodes.capacity();
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (exact + sum / 2) / sum));
}

} // namespace

std::vector<std::uint32_t> vnodes_by_capacity(const cluster& nodes, std::uint32_t vnodes) {
    std::vector<std::uint32_t> counts;
    for (const std::uint64_t capacity : nodes.capacities) {
        counts.push_back(vnodes_for(capacity, nodes, vnodes));
    }
    return counts;
}

hashring::ring<hashring::schemes::corrected<xxh3>> corrected_ring(const cluster& nodes,
                                                                  std::uint32_t vnodes) {
    hashring::schemes::corrected<xxh3> scheme;
    scheme.vnodes_per_unit = vnodes_for(1, nodes, vnodes);
    std::vector<hashring::node_spec> specs;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        specs.emplace_back(nodes.names[i],
                           hashring::weight::from_thousandths(nodes.capacities[i] * 1000));
    }
    return hashring::ring<hashring::schemes::corrected<xxh3>>(specs, scheme);
}

hashring::ring<> settled_ring(const cluster& nodes, std::uint32_t vnodes) {
    following_ring placed(nodes, ring_with<xxh3>(nodes, vnodes_by_capacity(nodes, vnodes)));
    hashring::rebalance_state state;
    for (int round = 0; round < 100; ++round) {
        const auto plan = hashring::rebalance(placed.stats(), {}, state);
        if (plan.empty() && plan.state == state) {
            break;
        }
        placed.apply(plan);
        state = plan.state;
    }
    return placed.ring();
}

hashring::exact_ring<> dealt_ring(const cluster& nodes, std::uint32_t vnodes) {
    const auto start = ring_with<xxh3>(nodes, vnodes_by_capacity(nodes, vnodes));
    following_ring placed(nodes, hashring::exact_ring<>(start));
    placed.apply(hashring::plan_transfers(placed.stats(), {}));
    return placed.ring();
}

} // namespace simulate
