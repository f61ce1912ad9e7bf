// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

/// \file
/// The load gap to expect from so many nodes and virtual nodes, before a single name is hashed.

namespace hashring {

namespace detail {

/// The probability that a gamma variable of shape `v` and mean 1 is at most `x`, by the cube-root
/// normal approximation of Wilson and Hilferty (PNAS 17, 1931); exact for v = 1.
[[nodiscard]] inline double gamma_below(double v, double x) {
    if (v == 1.0) {
        return 1.0 - std::exp(-x);
    }
    const double z = (std::cbrt(x) - 1.0 + 1.0 / (9.0 * v)) * 3.0 * std::sqrt(v);
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// Equal counts and how many nodes have them.
using count_classes = std::vector<std::pair<std::uint32_t, std::size_t>>;

[[nodiscard]] inline count_classes classify(std::span<const std::uint32_t> vnodes) {
    std::vector<std::uint32_t> sorted(vnodes.begin(), vnodes.end());
    std::sort(sorted.begin(), sorted.end());
    count_classes classes;
    for (const std::uint32_t v : sorted) {
        if (v == 0) {
            continue;
        }
        if (classes.empty() || classes.back().first != v) {
            classes.emplace_back(v, 0);
        }
        classes.back().second += 1;
    }
    return classes;
}

/// The probability that the loads do not all lie on one side of `x`.
[[nodiscard]] inline double straddles(const count_classes& classes, double x) {
    double all_below = 1.0;
    double all_above = 1.0;
    for (const auto& [v, nodes] : classes) {
        const double below = gamma_below(v, x);
        all_below *= std::pow(below, static_cast<double>(nodes));
        all_above *= std::pow(1.0 - below, static_cast<double>(nodes));
    }
    return 1.0 - all_below - all_above;
}

} // namespace detail

/// The mean load gap of a ring whose points lie at random, for nodes with these numbers of virtual
/// nodes that wish for shares in proportion to them. Counts of 0 are left out; fewer than two nodes
/// have no gap.
///
/// Shares are Dirichlet distributed, that is, gamma variables of shape v over their sum, so the gap
/// is the mean range of independent gamma variables of mean 1: the integral over x of the
/// probability that some lie below x and some above. For large v it is `d2(n) / √v` with d2 the
/// mean range of n standard normal variables. Worked example: 10 nodes of 160 give 0.24, of 1
/// give 2.83.
///
/// A report's figure; nothing is placed by it. O(2000 · different counts).
[[nodiscard]] inline double expected_load_gap(std::span<const std::uint32_t> vnodes) {
    const detail::count_classes classes = detail::classify(vnodes);
    std::size_t nodes = 0;
    for (const auto& c : classes) {
        nodes += c.second;
    }
    if (nodes < 2) {
        return 0.0;
    }
    // Ten standard deviations, or the far tail of an exponential distribution.
    const double least = classes.front().first;
    const double reach = std::max(10.0 / std::sqrt(least), 36.0 / least);
    const double from = std::max(0.0, 1.0 - reach);
    const double to = 1.0 + reach;
    constexpr int steps = 2000;
    const double step = (to - from) / steps;
    double sum = 0.0;
    for (int i = 0; i < steps; ++i) {
        sum += detail::straddles(classes, from + (i + 0.5) * step);
    }
    return sum * step;
}

} // namespace hashring
