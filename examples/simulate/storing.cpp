// SPDX-License-Identifier: MIT
#include "simulate/storing.hpp"

#include "simulate/balanced_rings.hpp"
#include "simulate/following_ring.hpp"
#include "simulate/hdfs_placement.hpp"
#include "simulate/round_robin_storing.hpp"
#include "simulate/waybill.hpp"

#include <hashring/hashring.hpp>

#include <cstddef>

namespace simulate {

namespace {

using hashring::schemes::bkdr_spaced;
using hashring::schemes::xxh3;

using amounts = std::vector<std::uint64_t>;

std::vector<std::uint32_t> same_count(const trial& t) {
    return std::vector<std::uint32_t>(t.nodes.size(), t.asked.vnodes);
}

std::vector<std::uint32_t> by_capability(const trial& t) {
    return hashring::allocate_by_capability(t.nodes.capacities, t.asked.k);
}

template <class Ring>
amounts count_owners(const Ring& ring, const std::vector<typename Ring::position_type>& positions) {
    amounts held(ring.size(), 0);
    for (const auto p : positions) {
        ++held[ring.owner_index_at(p)];
    }
    return held;
}

amounts store_as_printed(const trial& t) {
    const auto placed = ring_with<bkdr_spaced>(t.nodes, by_capability(t));
    refreshed_order order(t, printed_weights);
    amounts held(t.nodes.size(), 0);
    for (const std::uint32_t position : t.numbers.bkdr) {
        order.step(held);
        const std::size_t owner = placed.owner_index_at(position);
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
        return {"hdfs-default-3", "HDFS", "default, 3 replicas"};
    case strategy::hdfs_default_1:
        return {"hdfs-default-1", "HDFS", "default, 1 replica"};
    case strategy::hdfs_available_space:
        return {"hdfs-available-space", "HDFS", "available space, 3"};
    case strategy::plain_vnodes:
        return {"plain-vnodes", "postal paper", "plain virtual nodes"};
    case strategy::formula_1:
        return {"formula-1", "postal paper", "formula (1)"};
    case strategy::capability_vnodes:
        return {"capability-vnodes", "postal paper", "counts by capability"};
    case strategy::as_printed:
        return {"as-printed", "postal paper", "improved, as printed"};
    case strategy::round_robin:
        return {"round-robin", "ours", "round robin by space"};
    case strategy::corrected:
        return {"corrected", "ours", "corrected counts"};
    case strategy::damped:
        return {"damped", "ours", "damped counts"};
    case strategy::transfers:
        return {"transfers", "ours", "exact transfers"};
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

std::vector<std::uint64_t> store(strategy s, const trial& t) {
    switch (s) {
    case strategy::hdfs_default_3:
        return store_in_hdfs(t, hdfs_policy::random, 3);
    case strategy::hdfs_default_1:
        return store_in_hdfs(t, hdfs_policy::random, 1);
    case strategy::hdfs_available_space:
        return store_in_hdfs(t, hdfs_policy::available_space, 3);
    case strategy::plain_vnodes:
        return count_owners(ring_with<xxh3>(t.nodes, same_count(t)), t.numbers.xxh3);
    case strategy::formula_1:
        return count_owners(ring_with<bkdr_spaced>(t.nodes, same_count(t)), t.numbers.bkdr);
    case strategy::capability_vnodes:
        return count_owners(ring_with<xxh3>(t.nodes, by_capability(t)), t.numbers.xxh3);
    case strategy::as_printed:
        return store_as_printed(t);
    case strategy::round_robin:
        return store_by_round_robin(t);
    case strategy::corrected:
        return count_owners(corrected_ring(t.nodes, t.asked.vnodes), t.numbers.xxh3);
    case strategy::damped:
        return count_owners(settled_ring(t.nodes, t.asked.vnodes), t.numbers.xxh3);
    case strategy::transfers:
        return count_owners(dealt_ring(t.nodes, t.asked.vnodes), t.numbers.xxh3);
    }
    return {};
}

} // namespace simulate
