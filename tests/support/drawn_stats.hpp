// SPDX-License-Identifier: MIT
#pragma once

#include "support/dice.hpp"

#include <hashring/balance/node_stats.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// `count` nodes of capacities 1 : 2 : 4 in units of a million, filled from nothing to full, with
// virtual nodes about those due to their capacity, in no order.
inline std::vector<hashring::node_stats> drawn_stats(dice& d, std::size_t count) {
    std::vector<hashring::node_stats> nodes;
    for (std::string& name : node_names(count, 7)) {
        hashring::node_stats node;
        node.name = std::move(name);
        const std::uint64_t units = std::uint64_t{1} << d.below(3);
        node.total = units * 1'000'000;
        node.used = d.below(node.total + 1);
        node.vnodes = static_cast<std::uint32_t>(units * (60 + d.below(40)));
        node.requests = d.below(10'000);
        nodes.push_back(std::move(node));
    }
    d.shuffle(nodes);
    return nodes;
}
