// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/binary32.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/placement/per_weight.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// \file
/// How many points libmemcached, twemproxy and spymemcached give to servers with weights.

namespace hashring::compat {

/// The weight of `node` where its program takes whole numbers only. Throws `invalid_weight` for a
/// fraction.
[[nodiscard]] inline std::uint64_t whole_weight(std::string_view node, weight w) {
    if (w.thousandths() % 1000 != 0) {
        throw invalid_weight(
            concat("the weight ", w.text(), " of '", node, "' is not a whole number"));
    }
    return w.thousandths() / 1000;
}

/// The number of points of a server of weight `w` among `servers` whose weights sum to `total`: a
/// multiple of four, 160 on average, in [0, 160 · servers]. `w` and `total` are above 0.
///
/// The programs count in single precision, and each step rounds: of equal weights, 25 servers get
/// 156 points each and 24 get 160. A light server among heavy ones may get none.
///
/// What they add before they take the floor, 1e-10, changes nothing: from 1/2 on it is less than
/// half a unit in the last place, and below that the floor is 0 with it or without.
///
/// Source: libmemcached 1.1.4, `update_continuum` in hosts.cc, built for x86-64 (built for the x87
/// it does not round each step and gives other counts to some lists); twemproxy 0.5.0,
/// nc_ketama.c; spymemcached 2.12.3, `KetamaNodeLocator`.
[[nodiscard]] constexpr std::uint32_t weighted_ketama_points(std::uint64_t w, std::uint64_t total,
                                                             std::uint64_t servers) noexcept {
    const binary32 part = binary32::nearest(w) / binary32::nearest(total);
    const binary32 groups = part * binary32::nearest(160) / binary32::nearest(4);
    return static_cast<std::uint32_t>(4 * (groups * binary32::nearest(servers)).floor());
}

/// The counts of `nodes`, in their order, by a rule of their weight, the sum of all and the number
/// of servers. A node of weight 0 gets 0 and is not counted among the servers.
///
/// @throws invalid_weight  for a weight that is no whole number.
template <class Rule>
[[nodiscard]] std::vector<std::uint32_t> weighted_counts(std::span<const placed_node> nodes,
                                                         Rule points_of) {
    std::uint64_t total = 0;
    std::uint64_t servers = 0;
    for (const placed_node& node : nodes) {
        const std::uint64_t w = whole_weight(node.name, node.weight);
        total += w;
        servers += w > 0 ? 1 : 0;
    }
    std::vector<std::uint32_t> counts;
    counts.reserve(nodes.size());
    for (const placed_node& node : nodes) {
        const std::uint64_t w = whole_weight(node.name, node.weight);
        counts.push_back(w > 0 ? points_of(w, total, servers) : 0);
    }
    return counts;
}

/// The counts of `nodes`, in their order: `words` times its part by weight, rounded down, of
/// `digests` for each of `nodes`, those of weight 0 among them.
///
/// Programs that divide in double precision round down to the same: below 2^53 a quotient that is
/// no whole number is not rounded to one.
///
/// @throws invalid_weight  for a weight that is no whole number.
/// @throws invalid_point_count  if one node gets more points than a ring holds.
[[nodiscard]] inline std::vector<std::uint32_t>
proportional_counts(std::span<const placed_node> nodes, std::uint32_t digests,
                    std::uint32_t words) {
    const std::uint64_t of_all = std::uint64_t{digests} * nodes.size(); // below 2^56
    return weighted_counts(nodes, [&](std::uint64_t w, std::uint64_t total, std::uint64_t) {
        const std::uint64_t part = divide(multiply(of_all, w), total).quotient.low;
        if (part > max_points / words) {
            throw invalid_point_count(concat(decimal(part), " digests of one node make more points "
                                                            "than a ring holds"));
        }
        return words * static_cast<std::uint32_t>(part);
    });
}

/// The counts of `nodes`, in their order, by `weighted_ketama_points`. A node of weight 0 gets 0
/// and is not counted among the servers, as one that the program has ejected.
///
/// **Every count depends on every node**: one that comes, goes or changes its weight may change the
/// points of all.
///
/// @throws invalid_weight  for a weight that is no whole number.
[[nodiscard]] inline std::vector<std::uint32_t>
weighted_ketama_counts(std::span<const placed_node> nodes) {
    return weighted_counts(nodes, weighted_ketama_points);
}

} // namespace hashring::compat
