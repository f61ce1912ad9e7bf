// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/measures.hpp>
#include <hashring/balance/node_stats.hpp>
#include <hashring/core/uint128.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

/// \file
/// Load factors: how full a node is, and how full the nodes are together.

namespace hashring {

/// The load factor of a node: `used / total`, rounded down to a step of 2^-63, in [0, 1]. `used`
/// above `total` gives 1, and so does a `total` of 0: there is no room.
///
/// Source: postal paper, formula (4), as its words and its rebalancing mean it.
[[nodiscard]] constexpr fraction64 utilization(std::uint64_t total, std::uint64_t used) noexcept {
    return total == 0 ? fraction64::one() : fraction64::ratio(used, total);
}
[[nodiscard]] constexpr fraction64 utilization(const node_stats& node) noexcept {
    return utilization(node.total, node.used);
}

/// Formula (4) as it is printed: `(total + free) / total`, in [1, 2]. It is `2 − utilization`, so
/// it grows with free space, although the paper calls it utilisation. `free` above `total` counts
/// as `total`; a `total` of 0 gives 1.
///
/// For reports and comparison with the paper; nothing here takes it as a load.
///
/// Source: postal paper, formula (4).
[[nodiscard]] constexpr double free_space_factor(std::uint64_t total, std::uint64_t free) noexcept {
    return total == 0 ? 1.0 : 1.0 + fraction64::ratio(std::min(free, total), total).value();
}

/// The mean of the load factors of the nodes that take part, small nodes counting as much as large
/// ones; 0 if there are none. O(n).
///
/// Source: postal paper, step 2 of the weighted round robin.
[[nodiscard]] inline fraction64 mean_utilization(std::span<const node_stats> nodes) noexcept {
    uint128 sum;
    std::uint64_t count = 0;
    for (const node_stats& node : nodes) {
        if (node.takes_part()) {
            sum += utilization(node).bits();
            ++count;
        }
    }
    return fraction64::from_bits(count == 0 ? 0 : proportion(1, sum, count));
}

/// The sum of what is used over the sum of capacities, of the nodes that take part; 0 if there are
/// none. Sums beyond 2^64 are exact. O(n).
[[nodiscard]] inline fraction64 cluster_utilization(std::span<const node_stats> nodes) noexcept {
    uint128 used;
    uint128 total;
    for (const node_stats& node : nodes) {
        if (node.takes_part()) {
            used += node.stored();
            total += node.total;
        }
    }
    return total == uint128(0) ? fraction64() : fraction64::ratio(used, total);
}

/// Load gap, peak to mean and coefficient of variation of the load factors of the nodes that take
/// part. O(n).
///
/// Source: postal paper, measure of its experiments on clusters of unequal nodes.
[[nodiscard]] inline load_measures measure(std::span<const node_stats> nodes) {
    std::vector<double> loads;
    for (const node_stats& node : nodes) {
        if (node.takes_part()) {
            loads.push_back(utilization(node).value());
        }
    }
    return measure(std::span<const double>(loads));
}

} // namespace hashring
