// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/limits.hpp>
#include <hashring/balance/loads.hpp>
#include <hashring/balance/plan_report.hpp>
#include <hashring/balance/proportion.hpp>
#include <hashring/balance/thresholds.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

/// \file
/// Thresholds that are finer than what is measured or moved.

namespace hashring::detail {

/// The thresholds of the nodes around a median, in relative loads and as parts of it.
class allowed {
public:
    allowed(const measured_loads& loads, const limits& limits, relative_load median)
        : loads_(loads), limits_(limits), median_(median), cluster_(loads.cluster()) {}

    [[nodiscard]] const threshold& setting(std::size_t i) const noexcept {
        return limits_.of(loads_.nodes[i]->name);
    }
    [[nodiscard]] relative_load distance(std::size_t i) const noexcept {
        return setting(i).distance(median_, cluster_);
    }
    /// The distance over the median, times 2^32.
    [[nodiscard]] std::uint64_t part(std::size_t i) const noexcept {
        return proportion(relative_load::one_bits, distance(i).bits, median_.bits);
    }

private:
    const measured_loads& loads_;
    const limits& limits_;
    relative_load median_;
    fraction64 cluster_;
};

/// The warning of a threshold worth fewer than five virtual nodes, at the node where it is worth
/// the fewest: one virtual node is 1 / count of a node, give or take as much, and a finer rule
/// chases it.
[[nodiscard]] inline std::optional<plan_warning> warn_of_vnodes(const measured_loads& loads,
                                                                const allowed& allowed) {
    std::size_t worst = 0;
    std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max(); // times 2^32
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const std::uint64_t worth = proportion(allowed.part(i), loads.nodes[i]->vnodes, 1);
        if (worth < fewest) {
            fewest = worth;
            worst = i;
        }
    }
    if (fewest >= std::uint64_t{5} << 32U) {
        return std::nullopt;
    }
    const node_stats& node = *loads.nodes[worst];
    const std::uint64_t tenths = (fewest * 10) >> 32U; // rounded down: it is below 5
    return plan_warning{warning_kind::finer_than_vnodes, node.name,
                        concat("a threshold of ", allowed.setting(worst).text(), " is worth ",
                               decimal(tenths / 10), ".", decimal(tenths % 10), " of the ",
                               decimal(node.vnodes), " virtual nodes of '", node.name,
                               "': below 5 it may not come to rest; take a wider one or more "
                               "virtual nodes")};
}

/// The standard deviation of node i's load after smoothing, relative to the load, times 2^32; 0 if
/// nothing is known. Smoothing with weight a leaves a / (2 − a) of the variance.
[[nodiscard]] inline std::uint64_t smoothed_noise(const measured_loads& loads,
                                                  const thresholds& settings, std::size_t i) {
    constexpr std::uint64_t unit = std::numeric_limits<std::uint64_t>::max(); // 2^64, nearly
    const std::uint64_t a = settings.smoothing.bits();
    const std::uint64_t rest = ~a + 1; // 2 − a, as 2 is 2^64
    if (settings.noise) {
        return settings.noise->of(square_root(proportion(unit, a, rest)));
    }
    if (settings.load != load_kind::requests) {
        return 0;
    }
    // Counting: the variance of a count is the count that is due.
    const std::uint64_t due = proportion(loads.nodes[i]->total, loads.amount, loads.capacity);
    return square_root(proportion(unit, a, multiply(rest, std::max<std::uint64_t>(due, 1))));
}

/// The warning of a threshold below three standard deviations of the smoothed load, at the node
/// where it falls short the most.
[[nodiscard]] inline std::optional<plan_warning>
warn_of_noise(const measured_loads& loads, const allowed& allowed, const thresholds& settings) {
    std::size_t worst = 0;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const std::uint64_t needed = 3 * smoothed_noise(loads, settings, i);
        const std::uint64_t short_by = needed - std::min(needed, allowed.part(i));
        if (short_by > most) {
            most = short_by;
            worst = i;
        }
    }
    if (most == 0) {
        return std::nullopt;
    }
    const std::string sigma = fixed_text(100 * smoothed_noise(loads, settings, worst), 32, 2);
    return plan_warning{warning_kind::finer_than_noise, loads.nodes[worst]->name,
                        concat("a threshold of ", allowed.setting(worst).text(),
                               " is below three standard deviations of the load of '",
                               loads.nodes[worst]->name, "', each ", sigma,
                               " %: take a wider one, or smooth more")};
}

} // namespace hashring::detail
