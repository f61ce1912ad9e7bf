// SPDX-License-Identifier: MIT
#pragma once

#include "placement.hpp"

#include <hashring/balance/measures.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tool {

/// How many keys each node answers for, and how many nobody does.
struct key_counts {
    std::vector<std::uint64_t> of_node;
    std::uint64_t total = 0;
    std::uint64_t nobody = 0;

    void add(std::uint32_t owner) {
        ++(owner == no_node ? nobody : of_node[owner]);
        ++total;
    }
};

/// Whether a node counts for how even the load is: it wishes for keys and can take them.
[[nodiscard]] inline bool takes_keys(const placed& node) {
    return node.wished_share > 0.0 && !node.down;
}

/// `amount(i)` ÷ wished share of each node that takes keys.
template <class Amount>
[[nodiscard]] hashring::load_measures measure_nodes(const std::vector<placed>& nodes,
                                                    Amount amount) {
    std::vector<double> loads;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (takes_keys(nodes[i])) {
            loads.push_back(amount(i) / nodes[i].wished_share);
        }
    }
    return hashring::measure(loads);
}

/// The measures of the shares that the nodes own.
[[nodiscard]] inline hashring::load_measures measure_shares(const std::vector<placed>& nodes) {
    return measure_nodes(nodes, [&](std::size_t i) { return nodes[i].share; });
}

/// The measures of the keys that they answer for.
[[nodiscard]] inline hashring::load_measures measure_keys(const std::vector<placed>& nodes,
                                                          const key_counts& keys) {
    return measure_nodes(nodes,
                         [&](std::size_t i) { return static_cast<double>(keys.of_node[i]); });
}

} // namespace tool
