// SPDX-License-Identifier: MIT
#include "simulate/round_robin_storing.hpp"

#include <hashring/balance/round_robin.hpp>
#include <hashring/balance/utilization.hpp>

#include <algorithm>

namespace simulate {

refreshed_order::refreshed_order(const trial& t, weight_rule rule)
    : trial_(t), rule_(rule), random_(t.seed, 7) {}

void refreshed_order::step(std::span<const std::uint64_t> held) {
    const std::uint64_t records = trial_.numbers.xxh3.size();
    if (left_ == 0) {
        weights_ = rule_(stats_of(held, records, fill_percent, trial_.nodes));
        order_.refresh(weights_);
        const std::uint64_t thousandths =
            least_refresh_thousandths +
            random_.below(most_refresh_thousandths - least_refresh_thousandths + 1);
        // The records fill `fill_percent` of the capacity in all.
        left_ = std::max<std::uint64_t>(1, records * thousandths / (10 * fill_percent));
    }
    --left_;
}

std::size_t refreshed_order::next(std::size_t otherwise) {
    const auto name = order_.next();
    if (!name) {
        return otherwise;
    }
    const auto turns = order_.turns(); // by name, as the nodes are
    return static_cast<std::size_t>(
        std::find_if(turns.begin(), turns.end(),
                     [&](const hashring::turn& t) { return t.name.data() == name->data(); }) -
        turns.begin());
}

std::vector<std::uint64_t> store_by_round_robin(const trial& t) {
    refreshed_order order(t, [](std::span<const hashring::node_stats> nodes) {
        return hashring::round_robin_weights(nodes).nodes;
    });
    std::vector<std::uint64_t> held(t.nodes.size(), 0);
    for (std::size_t record = 0; record < t.numbers.xxh3.size(); ++record) {
        order.step(held);
        ++held[order.next(0)];
    }
    return held;
}

std::vector<hashring::store_weight> printed_weights(std::span<const hashring::node_stats> nodes) {
    std::vector<double> factors;
    double sum = 0.0;
    for (const hashring::node_stats& node : nodes) {
        factors.push_back(hashring::free_space_factor(node.total, node.free()));
        sum += factors.back();
    }
    const double mean = sum / static_cast<double>(nodes.size());
    std::vector<hashring::store_weight> weights;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const bool takes = factors[i] > mean;
        weights.push_back(
            {nodes[i].name, takes ? static_cast<std::uint64_t>(factors[i] * 0x1p20) : 0});
    }
    return weights;
}

} // namespace simulate
