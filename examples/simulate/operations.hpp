// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace simulate {

/// How many of `count` operations reach each node, each operation asking for a random piece of the
/// data; `shares` sum to 1.
[[nodiscard]] inline std::vector<std::uint64_t>
count_operations(std::span<const double> shares, std::uint64_t count, std::uint64_t seed) {
    std::vector<double> ends;
    double end = 0.0;
    for (const double share : shares) {
        ends.push_back(end += share);
    }
    random_source random(seed, 5);
    std::vector<std::uint64_t> counts(shares.size(), 0);
    for (std::uint64_t i = 0; i < count; ++i) {
        const double place = static_cast<double>(random.next() >> 11U) * 0x1p-53;
        const auto found = std::upper_bound(ends.begin(), ends.end() - 1, place);
        ++counts[static_cast<std::size_t>(found - ends.begin())];
    }
    return counts;
}

} // namespace simulate
