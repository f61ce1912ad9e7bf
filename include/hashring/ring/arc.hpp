// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>

#include <concepts>

/// \file
/// Pieces of the circle, and exact widths.

namespace hashring {

/// The positions `first … last`, both included. `first > last` wraps past the end of the circle,
/// and a full circle has `first` one after `last`. An arc is never empty.
template <std::unsigned_integral Position>
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
template <std::unsigned_integral Position>
[[nodiscard]] constexpr Position next_position(Position p, Position last_position) noexcept {
    return p == last_position ? Position{0} : static_cast<Position>(p + 1U);
}

/// The number of positions of a circle that ends at `last_position`: up to 2^64.
template <std::unsigned_integral Position>
[[nodiscard]] constexpr uint128 circle_width(Position last_position) noexcept {
    return uint128(last_position) + 1;
}

/// The number of positions on `a`, in [1, circle_width], exactly.
template <std::unsigned_integral Position>
[[nodiscard]] constexpr uint128 width(const arc<Position>& a, Position last_position) noexcept {
    const uint128 beyond = uint128(a.last) + 1;
    return a.first <= a.last ? beyond - a.first : circle_width(last_position) - a.first + beyond;
}

/// `part / whole` as a number in [0, 1], for reports.
[[nodiscard]] constexpr double fraction(const uint128& part, const uint128& whole) noexcept {
    return part.to_double() / whole.to_double();
}

} // namespace hashring
