// SPDX-License-Identifier: MIT
#include "simulate/balanced_rings.hpp"

#include "simulate/storing.hpp"

namespace simulate {

using hashring::schemes::xxh3;

following_ring<xxh3> settled_ring(const cluster& nodes, std::uint32_t vnodes) {
    following_ring<xxh3> placed(nodes, vnodes_by_capacity(nodes, vnodes));
    hashring::rebalance_state state;
    for (int round = 0; round < 100; ++round) {
        const auto plan = hashring::rebalance(placed.stats(), {}, state);
        if (plan.empty() && plan.state == state) {
            break;
        }
        placed.apply(plan.changes);
        state = plan.state;
    }
    return placed;
}

cut_ring dealt_ring(const cluster& nodes, std::uint32_t vnodes) {
    const following_ring<xxh3> start(nodes, vnodes_by_capacity(nodes, vnodes));
    cut_ring placed(start.ring(), nodes);
    placed.apply(hashring::plan_transfers(placed.stats(), {}).transfers);
    return placed;
}

} // namespace simulate
