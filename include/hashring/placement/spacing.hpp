// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// \file
/// Formula (1) of the postal paper: virtual nodes at even distances.

namespace hashring {

/// The last position of the postal paper's circle of 2^32 − 1 positions.
inline constexpr std::uint32_t spaced_last_position = 0xfffffffeU;

/// Where point k of the `count` points of a node at `origin` stands:
/// `(floor((2^32 − 1) · k / count) + origin) mod (2^32 − 1)`, for k in [0, count), count ≥ 1 and
/// origin ≤ 2^32 − 2. Point 0 is the node itself.
///
/// **With equal counts these virtual nodes do not even out the load at all.** Every node repeats
/// its one position with the same period, so the arcs of one point per node are repeated `count`
/// times: the shares are those of a ring without virtual nodes (load gap 150 % with 3 nodes, 270 %
/// with 10), and when a node dies one single survivor takes all of its load. Only counts without a
/// common divisor help a little. The rule is here to place like a system that has it.
///
/// Source: postal paper, formula (1), in which N + 1 is `count`; the floor is our reading.
[[nodiscard]] constexpr std::uint32_t spaced_position(std::uint32_t origin, std::uint32_t k,
                                                      std::uint32_t count) noexcept {
    constexpr std::uint64_t circle = std::uint64_t{spaced_last_position} + 1;
    return static_cast<std::uint32_t>((circle * k / count + origin) % circle);
}

} // namespace hashring
