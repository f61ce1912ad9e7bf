// SPDX-License-Identifier: MIT
#include "simulate/storing.hpp"

#include "simulate/balanced_rings.hpp"
#include "simulate/following_ring.hpp"
#include "simulate/hdfs_placement.hpp"
#include "simulate/waybill.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace simulate {

namespace {

using hashring::schemes::bkdr_spaced;
using hashring::schemes::xxh3;

using amounts = std::vector<std::uint64_t>;

std::vector<std::uint32_t> same_count(const cluster& nodes, std::uint32_t vnodes) {
    return std::vector<std::uint32_t>(nodes.size(), vnodes);
}

std::vector<std::uint32_t> by_capability(const trial& t) {
    return hashring::allocate_by_capability(t.nodes.capacities, t.asked.k);
}

template <class Ring, class Position>
amounts count_owners(const Ring& ring, std::span<const Position> positions, const cluster& nodes) {
    amounts held(nodes.size(), 0);
    for (const Position p : positions) {
        if constexpr (requires { ring.owner_index_at(p); }) {
            ++held[ring.owner_index_at(p)];
        } else {
            ++held[ring.owner_at(p)];
        }
    }
    return held;
}

template <class Scheme, class Position>
amounts store_on_ring(const trial& t, std::span<const std::uint32_t> vnodes,
                      const std::vector<Position>& positions) {
    const following_ring<Scheme> placed(t.nodes, vnodes);
    return count_owners(placed.ring(), std::span<const Position>(positions), t.nodes);
}

/// The paper's steps 1 and 2 with the printed factor: weight 0 at or below the mean of the factors.
std::vector<hashring::store_weight> printed_weights(std::span<const hashring::node_stats> nodes) {
    double sum = 0.0;
    for (const hashring::node_stats& node : nodes) {
        sum += hashring::free_space_factor(node.total, node.free());
    }
    const double mean = sum / static_cast<double>(nodes.size());
    std::vector<hashring::store_weight> weights;
    for (const hashring::node_stats& node : nodes) {
        const double factor = hashring::free_space_factor(node.total, node.free());
        weights.push_back({node.name, factor > mean ? static_cast<std::uint64_t>(factor * 0x1p20)
                                                    : std::uint64_t{0}});
    }
    return weights;
}

/// Hands out turns by weights that are collected anew from time to time.
class refreshed_order {
public:
    using weigh = std::vector<hashring::store_weight> (*)(std::span<const hashring::node_stats>);

    refreshed_order(const trial& t, weigh rule) : trial_(t), rule_(rule) {
        // The records fill `fill_percent` of the capacity in all.
        const std::uint64_t records = t.numbers.xxh3.size();
        period_ = std::max<std::uint64_t>(1, records * refresh_thousandths / (10 * fill_percent));
    }

    /// Collects the load factors if it is time.
    void step(const amounts& held) {
        if (steps_++ % period_ == 0) {
            const auto stats =
                stats_of(held, trial_.numbers.xxh3.size(), fill_percent, trial_.nodes);
            weights_ = rule_(stats);
            order_.refresh(weights_);
        }
    }
    /// Whether a node gets anything before the next refresh.
    [[nodiscard]] bool takes(std::size_t node) const { return weights_[node].weight > 0; }
    /// The node whose turn it is, or `otherwise` if no node gets anything.
    [[nodiscard]] std::size_t next(std::size_t otherwise) {
        const auto name = order_.next();
        if (!name) {
            return otherwise;
        }
        const auto turns = order_.turns(); // in the order of the names, as the nodes are
        return static_cast<std::size_t>(
            std::find_if(turns.begin(), turns.end(),
                         [&](const auto& t) { return t.name.data() == name->data(); }) -
            turns.begin());
    }

private:
    const trial& trial_;
    weigh rule_;
    std::uint64_t period_ = 1;
    std::uint64_t steps_ = 0;
    std::vector<hashring::store_weight> weights_;
    hashring::smooth_order order_;
};

amounts store_by_round_robin(const trial& t) {
    refreshed_order order(t, [](std::span<const hashring::node_stats> nodes) {
        return hashring::round_robin_weights(nodes).nodes;
    });
    amounts held(t.nodes.size(), 0);
    for (std::size_t record = 0; record < t.numbers.xxh3.size(); ++record) {
        order.step(held);
        ++held[order.next(0)];
    }
    return held;
}

amounts store_as_printed(const trial& t) {
    const following_ring<bkdr_spaced> placed(t.nodes, by_capability(t));
    refreshed_order order(t, printed_weights);
    amounts held(t.nodes.size(), 0);
    for (const std::uint32_t position : t.numbers.bkdr) {
        order.step(held);
        const std::size_t owner = placed.ring().owner_index_at(position);
        ++held[order.takes(owner) ? owner : order.next(owner)];
    }
    return held;
}

amounts store_in_hdfs(const trial& t, hdfs_policy policy, std::size_t copies) {
    return place_blocks(t.nodes, policy, hdfs_blocks, copies, t.seed);
}

} // namespace

strategy_name name_of(strategy s) noexcept {
    switch (s) {
    case strategy::hdfs_default_3:
        return {"hdfs-default-3", "HDFS default, 3 replicas"};
    case strategy::hdfs_default_1:
        return {"hdfs-default-1", "HDFS default, 1 replica"};
    case strategy::hdfs_available_space:
        return {"hdfs-available-space", "HDFS available space, 3 replicas"};
    case strategy::plain_vnodes:
        return {"plain-vnodes", "plain virtual nodes"};
    case strategy::formula_1:
        return {"formula-1", "formula (1)"};
    case strategy::capability_vnodes:
        return {"capability-vnodes", "virtual nodes by capability"};
    case strategy::as_printed:
        return {"as-printed", "the paper as printed"};
    case strategy::round_robin:
        return {"round-robin", "round robin by free bytes"};
    case strategy::damped:
        return {"damped", "ours: damped counts"};
    case strategy::transfers:
        return {"transfers", "ours: transfers"};
    }
    return {};
}

hashed_numbers hash_numbers(std::uint64_t seed, std::uint32_t count) {
    waybills scans(seed);
    hashed_numbers result;
    for (std::uint32_t i = 0; i < count; ++i) {
        const waybill scan = scans.next();
        result.xxh3.push_back(xxh3{}.position(scan.number));
        result.bkdr.push_back(bkdr_spaced{}.position(scan.number));
    }
    return result;
}

std::vector<std::uint32_t> vnodes_by_capacity(const cluster& nodes, std::uint32_t vnodes) {
    std::vector<std::uint32_t> counts;
    for (const std::uint64_t capacity : nodes.capacities) {
        const std::uint64_t exact = capacity * nodes.size() * vnodes;
        const std::uint64_t sum = nodes.capacity();
        counts.push_back(
            static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (exact + sum / 2) / sum)));
    }
    return counts;
}

std::vector<std::uint64_t> store(strategy s, const trial& t) {
    switch (s) {
    case strategy::hdfs_default_3:
        return store_in_hdfs(t, hdfs_policy::random, 3);
    case strategy::hdfs_default_1:
        return store_in_hdfs(t, hdfs_policy::random, 1);
    case strategy::hdfs_available_space:
        return store_in_hdfs(t, hdfs_policy::available_space, 3);
    case strategy::plain_vnodes:
        return store_on_ring<xxh3>(t, same_count(t.nodes, t.asked.vnodes), t.numbers.xxh3);
    case strategy::formula_1:
        return store_on_ring<bkdr_spaced>(t, same_count(t.nodes, t.asked.vnodes), t.numbers.bkdr);
    case strategy::capability_vnodes:
        return store_on_ring<xxh3>(t, by_capability(t), t.numbers.xxh3);
    case strategy::as_printed:
        return store_as_printed(t);
    case strategy::round_robin:
        return store_by_round_robin(t);
    case strategy::damped:
        return count_owners(settled_ring(t.nodes, t.asked.vnodes).ring(),
                            std::span<const std::uint64_t>(t.numbers.xxh3), t.nodes);
    case strategy::transfers:
        return count_owners(dealt_ring(t.nodes, t.asked.vnodes),
                            std::span<const std::uint64_t>(t.numbers.xxh3), t.nodes);
    }
    return {};
}

} // namespace simulate
