// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>

#include <cstdint>
#include <vector>

/// \file
/// Points as a scheme makes them: node after node, in no order yet.

namespace hashring::detail {

template <position_integer Position>
struct fresh_points {
    /// The points of one owner, which stand next to each other.
    struct run {
        std::uint32_t owner;
        std::uint32_t count;
    };

    std::vector<Position> positions;
    std::vector<run> runs; ///< by owner, rising; the counts sum up to the number of positions
};

} // namespace hashring::detail
