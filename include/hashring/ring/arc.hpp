// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>

#include <concepts>
#include <cstdint>

/// \file
/// Pieces of the circle, and exact widths.

namespace hashring {

/// The positions `first … last`, both included. `first > last` wraps past the end of the circle,
/// and a full circle has `first` one after `last`. An arc is never empty.
template <position_integer Position>
struct arc {
    Position first{};
    Position last{};

    /// Whether position `p` lies on the arc.
    [[nodiscard]] constexpr bool contains(Position p) const noexcept {
        return first <= last ? first <= p && p <= last : p >= first || p <= last;
    }

    friend constexpr bool operator==(const arc&, const arc&) = default;
};

/// The position after `p` on a circle that ends at `last_position`.
template <position_integer Position>
[[nodiscard]] constexpr Position next_position(Position p, Position last_position) noexcept {
    return p == last_position ? Position{0} : static_cast<Position>(p + 1U);
}

/// The number of positions of a circle that ends at `last_position`: up to 2^64. A circle of 128
/// bits is whole and counted in units of 2^64 positions.
template <position_integer Position>
[[nodiscard]] constexpr uint128 circle_width(Position last_position) noexcept {
    if constexpr (std::same_as<Position, uint128>) {
        return {1, 0};
    } else {
        return uint128(last_position) + 1;
    }
}

/// The number of positions on `a`, in [1, circle_width], exactly. On a circle of 128 bits it is the
/// number of multiples of 2^64 from `a.first` on that are passed, from 0: the widths of arcs that
/// follow each other sum up exactly.
template <position_integer Position>
[[nodiscard]] constexpr uint128 width(const arc<Position>& a, Position last_position) noexcept {
    if constexpr (std::same_as<Position, uint128>) {
        const uint128 before = a.first - 1;
        if (before.high == a.last.high) {
            return before < a.last ? uint128{} : circle_width(last_position);
        }
        return a.last.high - before.high;
    } else {
        const uint128 beyond = uint128(a.last) + 1;
        return a.first <= a.last ? beyond - a.first
                                 : circle_width(last_position) - a.first + beyond;
    }
}

/// `part / whole` as a number in [0, 1], for reports.
[[nodiscard]] constexpr double fraction(const uint128& part, const uint128& whole) noexcept {
    return part.to_double() / whole.to_double();
}

} // namespace hashring
