// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/loads.hpp>
#include <hashring/balance/proportion.hpp>
#include <hashring/balance/thresholds.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/placement/per_weight.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// \file
/// How a deviation of a load becomes another count of virtual nodes.

namespace hashring::detail {

/// The fewest and the most virtual nodes of node i.
struct count_range {
    std::uint32_t floor = 1;
    std::uint32_t ceiling = max_points;
};

/// `vnodes` are those of a node of mean capacity.
[[nodiscard]] inline count_range range_of(const measured_loads& loads, const thresholds& settings,
                                          std::uint32_t vnodes, std::size_t i) {
    const std::uint64_t total = loads.nodes[i]->total;
    const std::uint64_t all = std::uint64_t{vnodes} * loads.size();
    const std::uint64_t due = proportion(total, all, loads.capacity);
    const std::uint64_t most = proportion(settings.ceiling, multiply(total, all), loads.capacity);
    return {static_cast<std::uint32_t>(
                std::clamp<std::uint64_t>(settings.floor.of(due), 1, max_points)),
            static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most, 1, max_points))};
}

/// How a deviation becomes a change of a count.
struct correction {
    fraction64 gain{};
    fraction64 step{};
    count_range range{};
    /// The part of an addition that is made.
    fraction64 addition = fraction64::one();

    /// The largest change of `count` that is no more than the step.
    [[nodiscard]] std::uint64_t most(std::uint32_t count) const {
        const std::uint64_t rounded_down = step.of(count);
        const bool is_one_more_allowed =
            count > 0 && fraction64::ratio(rounded_down + 1, count) <= step;
        return rounded_down + (is_one_more_allowed ? 1U : 0U);
    }
    /// The count that brings a node of `count` virtual nodes nearer to the reference.
    [[nodiscard]] std::uint32_t apply(std::uint32_t count, relative_load load,
                                      relative_load reference) const {
        const bool is_over = load > reference;
        std::uint64_t change = most(count);
        if (load.bits > 0) {
            const fraction64 part =
                is_over ? gain : fraction64::from_bits(gain.of(addition.bits()));
            const std::uint64_t pull = part.of(distance(load, reference).bits);
            const std::uint64_t twice = proportion(2 * std::uint64_t{count}, pull, load.bits);
            change = std::min(change, twice / 2 + twice % 2); // to the nearest whole one
        }
        if (is_over) { // by no more than the count
            return std::max(count - static_cast<std::uint32_t>(change),
                            std::min(count, range.floor));
        }
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(count + change, std::max(count, range.ceiling)));
    }
};

} // namespace hashring::detail
