// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/core/weight.hpp>
#include <hashring/placement/per_weight.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// \file
/// Allocators that look at the whole set of nodes: a budget of points, and the postal paper's rule.
///
/// As every count depends on every node, a change of the set can change the counts of nodes that
/// were not touched. What they move: with schemes whose first points stay when more are added, a
/// key moves only away from a node whose count fell (or that left) or to a node whose count rose
/// (or that joined). Give the counts to a ring through `node_spec::vnodes`.

namespace hashring {

namespace detail {

/// ln(n) · 2^32, rounded, for n ≥ 1; exact to about 2^-31. Integers, so that no platform's own
/// logarithm decides a placement.
[[nodiscard]] constexpr std::uint64_t natural_log_q32(std::uint64_t n) noexcept {
    const auto exponent = static_cast<unsigned>(std::bit_width(n)) - 1U;
    std::uint64_t x = n << (63U - exponent); // n / 2^exponent in [1, 2), scaled by 2^63
    std::uint64_t log2 = exponent;
    for (int bit = 0; bit < 40; ++bit) { // squaring doubles the logarithm: its next bit falls out
        const uint128 square = multiply(x, x);
        const bool carry = (square.high >> 63U) != 0;
        x = carry ? square.high : (square.high << 1U) | (square.low >> 63U);
        log2 = (log2 << 1U) | (carry ? 1U : 0U);
    }
    constexpr std::uint64_t ln2_q64 = 0xb17217f7d1cf79acU;
    return (multiply(log2, ln2_q64).high + 128U) >> 8U;
}

/// Hands out `left` points among `nodes`, indices into `weights` whose weights sum to `sum` and
/// whose quotas w · left / sum are all at least 1: whole parts first, then one more to each of the
/// largest fractions.
inline void share_by_largest_remainder(std::span<const weight> weights,
                                       std::span<const std::size_t> nodes, std::uint64_t left,
                                       std::uint64_t sum, std::vector<std::uint32_t>& counts) {
    std::vector<std::uint64_t> remainder(weights.size());
    std::uint64_t unassigned = left;
    for (const std::size_t i : nodes) {
        const std::uint64_t product = weights[i].thousandths() * left; // below 2^30 · 2^24
        counts[i] = static_cast<std::uint32_t>(product / sum);
        remainder[i] = product % sum;
        unassigned -= counts[i];
    }
    std::vector<std::size_t> order(nodes.begin(), nodes.end());
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return remainder[a] != remainder[b] ? remainder[a] > remainder[b] : a < b;
    });
    for (std::size_t i = 0; i < unassigned; ++i) {
        ++counts[order[i]];
    }
}

} // namespace detail

/// Shares `total` virtual nodes among nodes in proportion to their weights, exactly.
///
/// A weight of 0 gets exactly 0 and any other at least 1; nodes whose quota is below 1 get that 1
/// first and the rest is shared among the others by largest remainders, on a tie to the earlier
/// node (so hand the nodes over sorted by name, as a ring holds them).
///
/// @param weights  one per node.
/// @param total  in [number of weights above 0, max_points].
/// @returns      counts in the order of `weights`; they sum to `total`, or to 0 if no weight is
///               above 0. Nodes that did not fall below 1 are within 1 of their quota of the rest.
/// @throws invalid_point_count  if `total` is out of that range.
///
/// O(n log n). Worked example: weights 1024, 1024, 5 and a total of 118 give 59, 58, 1.
///
/// Source: Hamilton's method; Balinski and Young, "Fair Representation", 1982.
[[nodiscard]] inline std::vector<std::uint32_t> allocate_budget(std::span<const weight> weights,
                                                                std::uint32_t total) {
    std::vector<std::size_t> nodes;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i].thousandths() > 0) {
            nodes.push_back(i);
            sum += weights[i].thousandths();
        }
    }
    if (total > max_points) {
        throw invalid_point_count("hashring::allocate_budget: total above 16777216");
    }
    if (total < nodes.size()) {
        throw invalid_point_count(concat("hashring::allocate_budget: a total of ", decimal(total),
                                         " cannot give each of ", decimal(nodes.size()),
                                         " nodes one"));
    }
    std::vector<std::uint32_t> counts(weights.size(), 0);
    std::sort(nodes.begin(), nodes.end(), [&](std::size_t a, std::size_t b) {
        return weights[a] != weights[b] ? weights[a] < weights[b] : a < b;
    });
    std::uint64_t left = total;
    std::size_t lifted = 0;
    for (; lifted < nodes.size(); ++lifted) { // the lightest first: once one has a quota, all have
        const std::uint64_t thousandths = weights[nodes[lifted]].thousandths();
        if (thousandths * left >= sum) {
            break;
        }
        counts[nodes[lifted]] = 1;
        left -= 1;
        sum -= thousandths;
    }
    if (lifted < nodes.size()) {
        detail::share_by_largest_remainder(
            weights, std::span<const std::size_t>(nodes).subspan(lifted), left, sum, counts);
    }
    return counts;
}

/// The postal paper's counts for unequal nodes: node i gets `(a_i / a_min) · k · ln N` virtual
/// nodes, rounded to the nearest whole number, at least 1; a capability of 0 gets 0.
///
/// N is the number of nodes with a capability above 0 and a_min the least of those. The paper's
/// point about it holds: with a large a_i / a_min the number explodes.
///
/// @param capabilities  one per node, any unit (bytes, cores).
/// @param k             the paper's constant, in [1, max_points].
/// @throws invalid_point_count  if `k` is out of range or a node would get more than `max_points`.
///
/// O(n). Worked example: capabilities 1, 2, 4 and k = 10 give 11, 22, 44 (ln 3 = 1.0986).
///
/// Source: postal paper, section on heterogeneous clusters; the base of the logarithm is our
/// reading (another one rescales k).
[[nodiscard]] inline std::vector<std::uint32_t>
allocate_by_capability(std::span<const std::uint64_t> capabilities, std::uint32_t k) {
    if (k < 1 || k > max_points) {
        throw invalid_point_count("hashring::allocate_by_capability: k outside 1 … 16777216");
    }
    std::uint64_t least = 0;
    std::uint64_t nodes = 0;
    for (const std::uint64_t a : capabilities) {
        nodes += a > 0 ? 1 : 0;
        least = a > 0 && (least == 0 || a < least) ? a : least;
    }
    std::vector<std::uint32_t> counts;
    counts.reserve(capabilities.size());
    const std::uint64_t unit = nodes > 0 ? detail::natural_log_q32(nodes) * k : 0; // · 2^32
    for (const std::uint64_t a : capabilities) {
        if (a == 0) {
            counts.push_back(0);
            continue;
        }
        const uint128 whole = multiply(a / least, unit);
        const uint128 part = divide(multiply(a % least, unit), least).quotient;
        const uint128 rounded = whole + part + (std::uint64_t{1} << 31U);
        const std::uint64_t count = (rounded.high << 32U) | (rounded.low >> 32U);
        if ((rounded.high >> 32U) != 0 || count > max_points) {
            throw invalid_point_count(
                "hashring::allocate_by_capability: a node would get more than 16777216 points");
        }
        counts.push_back(std::max<std::uint32_t>(1, static_cast<std::uint32_t>(count)));
    }
    return counts;
}

} // namespace hashring
