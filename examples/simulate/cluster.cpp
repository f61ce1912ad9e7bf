// SPDX-License-Identifier: MIT
#include "simulate/cluster.hpp"

#include "simulate/random.hpp"

#include <hashring/balance/measures.hpp>
#include <hashring/core/text.hpp>

#include <algorithm>
#include <numeric>
#include <set>

namespace simulate {

std::uint64_t cluster::capacity() const noexcept {
    return std::accumulate(capacities.begin(), capacities.end(), std::uint64_t{0});
}

cluster draw_cluster(std::size_t count, capacity_rule rule, std::uint64_t seed) {
    random_source random(seed, 3);
    std::set<std::string> names;
    while (names.size() < count) {
        const std::uint64_t host = random.next();
        names.insert(hashring::concat("10.", hashring::decimal(host >> 16U & 0xffU), ".",
                                      hashring::decimal(host >> 8U & 0xffU), ".",
                                      hashring::decimal(host & 0xffU)));
    }
    cluster result;
    result.names.assign(names.begin(), names.end());
    for (std::size_t i = 0; i < count; ++i) {
        result.capacities.push_back(rule == capacity_rule::mixed ? std::uint64_t{1} << (i % 3) : 1);
    }
    return result;
}

std::vector<double> relative_loads(std::span<const double> amounts, const cluster& nodes) {
    const double sum = std::accumulate(amounts.begin(), amounts.end(), 0.0);
    const double level = sum / static_cast<double>(nodes.capacity());
    std::vector<double> loads;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        loads.push_back(amounts[i] / level / static_cast<double>(nodes.capacities[i]));
    }
    return loads;
}

std::vector<double> relative_loads(std::span<const std::uint64_t> amounts, const cluster& nodes) {
    std::vector<double> exact;
    for (const std::uint64_t amount : amounts) {
        exact.push_back(static_cast<double>(amount));
    }
    return relative_loads(exact, nodes);
}

double gap_of(std::span<const std::uint64_t> amounts, const cluster& nodes) {
    return hashring::measure(relative_loads(amounts, nodes)).load_gap;
}

double gap_of(std::span<const double> amounts, const cluster& nodes) {
    return hashring::measure(relative_loads(amounts, nodes)).load_gap;
}

std::vector<hashring::node_stats> stats_of(std::span<const std::uint64_t> amounts,
                                           std::uint64_t sum, std::uint64_t percent,
                                           const cluster& nodes) {
    // In units so fine that capacities need no rounding: a node's is capacity · sum · 100.
    std::vector<hashring::node_stats> result;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        hashring::node_stats node;
        node.name = nodes.names[i];
        node.total = nodes.capacities[i] * sum * 100;
        node.used = amounts[i] * nodes.capacity() * percent;
        result.push_back(std::move(node));
    }
    return result;
}

} // namespace simulate
