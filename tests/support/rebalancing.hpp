// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/rebalance.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Short forms of what goes into the damped rebalancer and of what comes out.
namespace rebalancing {

using namespace hashring;

using nodes = std::vector<node_stats>;

inline node_stats node(std::string name, std::uint64_t used, std::uint32_t vnodes = 100,
                       std::uint64_t total = 1000) {
    node_stats result;
    result.name = std::move(name);
    result.total = total;
    result.used = used;
    result.vnodes = vnodes;
    return result;
}

inline std::string counts(const weights_plan& plan) {
    std::string out;
    for (const vnode_change& c : plan.changes) {
        out += concat(c.name, ":", decimal(c.before), ">", decimal(c.vnodes), " ");
    }
    return out;
}

inline thresholds limit(std::string_view text) {
    thresholds result;
    result.limit = threshold::parse(text);
    return result;
}

} // namespace rebalancing
