// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/next_on_ring.hpp>
#include <hashring/ring/point_list.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

/// \file
/// Consistent hashing with bounded loads, as the proxies do it: no node gets more than its share of
/// what is in flight times a factor. One rule says how much that is and one who is next; both are
/// pure functions of the counters of the moment.
///
/// Where a key goes then depends on the load, so that the same key may go to two nodes at two
/// times.

namespace hashring::bounded_load {

using hashring::next_on_ring;

/// What all nodes together may have: the `in_flight` requests and the one that comes, times
/// `percent` hundredths, rounded up. `percent` is 100 or more.
///
/// Source: HAProxy 2.6.12 and Envoy 1.32, `hash-balance-factor`.
[[nodiscard]] constexpr std::uint64_t slots_of_all(std::uint64_t in_flight,
                                                   std::uint32_t percent) noexcept {
    return ((in_flight + 1) * percent + 99) / 100;
}

/// What falls to a node of weight `weight` of `slots` that are shared out by weights which sum to
/// `total`, above 0, if those of the nodes before it sum to `before`; at least 1. Whole numbers
/// only.
///
/// Law: without the ones that are raised to 1, those of all nodes sum to `slots` exactly. So while
/// fewer than `slots` requests are in flight some node has room.
///
/// Source: HAProxy 2.6.12, lb_chash.c.
[[nodiscard]] constexpr std::uint64_t whole_cap(std::uint64_t slots, std::uint64_t weight,
                                                std::uint64_t before,
                                                std::uint64_t total) noexcept {
    const std::uint64_t rest = slots % total;
    const std::uint64_t of_rest = (before + weight) * rest / total - before * rest / total;
    return std::max<std::uint64_t>(weight * (slots / total) + of_rest, 1);
}

/// `slots` times `share` in (0, 1], rounded up; at least 1. A node may have one request more than
/// that: it is asked before the request is counted.
///
/// Source: Envoy 1.32, `BoundedLoadHashingLoadBalancer`.
[[nodiscard]] inline std::uint64_t rounded_up_cap(std::uint64_t slots, double share) noexcept {
    return std::max<std::uint64_t>(
        static_cast<std::uint64_t>(std::ceil(static_cast<double>(slots) * share)), 1);
}

/// The sums of the first 0, 1, … of `weights`, one more than there are: what `owner_on_ring` takes
/// them in, as they seldom change. O(weights).
[[nodiscard]] inline std::vector<std::uint64_t>
weight_sums(std::span<const std::uint64_t> weights) {
    std::vector<std::uint64_t> sums(weights.size() + 1);
    std::partial_sum(weights.begin(), weights.end(), sums.begin() + 1);
    return sums;
}

/// Who takes what stands at `position` of `ring`, whose nodes have the weights that sum up to
/// `sums` (see `weight_sums`), and node i `loads[i]` requests in flight: the first from the owner
/// on, point by point clockwise, that has fewer than `whole_cap`. `no_node` on a ring without
/// points. Allocates nothing. O(nodes), and O(1) for each point that is asked.
///
/// Source: HAProxy 2.6.12, `hash-balance-factor percent`.
template <class Ring>
[[nodiscard]] std::uint32_t owner_on_ring(const Ring& ring, typename Ring::position_type position,
                                          std::span<const std::uint64_t> sums,
                                          std::span<const std::uint64_t> loads,
                                          std::uint32_t percent) {
    if (ring.point_count() == 0) {
        return no_node;
    }
    const std::uint64_t slots =
        slots_of_all(std::accumulate(loads.begin(), loads.end(), std::uint64_t{0}), percent);
    const std::uint64_t total = std::max<std::uint64_t>(sums.back(), 1);
    return next_on_ring(ring, ring.point_index(position), [&](std::uint32_t node) {
        const std::uint64_t weight = sums[node + std::size_t{1}] - sums[node];
        return loads[node] < whole_cap(slots, weight, sums[node], total);
    });
}

/// The order in which `nodes` nodes are asked for room: a shuffle by Fisher and Yates that the
/// Mersenne Twister drives, the same on every platform.
///
/// Source: Envoy 1.32, `BoundedLoadHashingLoadBalancer`; `seed` is there the low half of the hash.
[[nodiscard]] inline std::vector<std::uint32_t> shuffled_order(std::uint32_t nodes,
                                                               std::uint32_t seed) {
    std::vector<std::uint32_t> order(nodes);
    std::iota(order.begin(), order.end(), 0U);
    std::mt19937 numbers(seed);
    for (std::uint32_t i = 0; i < nodes; ++i) {
        const std::uint64_t width = (std::uint64_t{1} << 32U) / (nodes - i);
        std::uint64_t drawn = numbers() / width;
        while (drawn >= nodes - i) {
            drawn = numbers() / width;
        }
        std::swap(order[i], order[i + static_cast<std::size_t>(drawn)]);
    }
    return order;
}

/// Who takes a request whose node is `first`, if node i may have `caps[i]`, above 0, and has
/// `loads[i]`: `first` if that is at most its cap; else the first such node of `shuffled_order`;
/// else the one whose load is the smallest part of its cap, `first` before others that equal it.
///
/// Source: Envoy 1.32, as above.
[[nodiscard]] inline std::uint32_t owner_by_shuffle(std::uint32_t first,
                                                    std::span<const std::uint64_t> caps,
                                                    std::span<const std::uint64_t> loads,
                                                    std::uint32_t seed) {
    const auto fullness = [&](std::uint32_t node) {
        return static_cast<double>(loads[node]) / static_cast<double>(caps[node]);
    };
    if (loads[first] <= caps[first]) {
        return first;
    }
    std::uint32_t least = first;
    for (const std::uint32_t node : shuffled_order(static_cast<std::uint32_t>(caps.size()), seed)) {
        if (node != first && loads[node] <= caps[node]) {
            return node;
        }
        if (fullness(node) < fullness(least)) {
            least = node;
        }
    }
    return least;
}

} // namespace hashring::bounded_load
