// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

/// \file
/// Exact shares of a list of points, before it is a ring.

namespace hashring::detail {

/// A point of a list that is being put together.
template <std::unsigned_integral Position>
struct loose_point {
    Position position;
    std::uint32_t owner;
};

/// The order in which the points of `Scheme` stand on a ring.
template <placement_scheme Scheme>
[[nodiscard]] bool stands_before(const loose_point<typename Scheme::position_type>& a,
                                 const loose_point<typename Scheme::position_type>& b) noexcept {
    if (a.position != b.position) {
        return a.position < b.position;
    }
    return Scheme::ties == tie_rule::first ? a.owner < b.owner : a.owner > b.owner;
}

/// The largest number of copies that shares are corrected for.
inline constexpr std::uint32_t max_copies = 255;

/// Widths in units of `unit` positions, so that a whole circle is at most 2^58 and sums and small
/// multiples of it fit into 64 bits.
template <placement_scheme Scheme>
struct measured_circle {
    using position_type = typename Scheme::position_type;
    using point = loose_point<position_type>;

    static constexpr unsigned shift = std::numeric_limits<position_type>::digits > 58 ? 6 : 0;

    /// The width from `before` on, which counts as not in it, to `p`; 0 if both are equal.
    [[nodiscard]] static constexpr std::uint64_t width(position_type before,
                                                       position_type p) noexcept {
        const std::uint64_t steps =
            before <= p ? std::uint64_t{p} - before
                        : std::uint64_t{p} + (std::uint64_t{Scheme::last_position} - before) + 1;
        return steps >> shift;
    }

    /// The width that point `i` of a sorted list owns.
    [[nodiscard]] static std::uint64_t width_of(std::span<const point> points,
                                                std::size_t i) noexcept {
        return width(points[i == 0 ? points.size() - 1 : i - 1].position, points[i].position);
    }

    /// The sum of the widths of which each of `nodes` owners has one of the first `copies` copies.
    /// O(points · copies).
    [[nodiscard]] static std::vector<std::uint64_t> sums(std::span<const point> points,
                                                         std::size_t nodes, std::uint32_t copies) {
        std::vector<std::uint64_t> result(nodes);
        std::vector<std::uint32_t> holders; // from point i on, each once, at most `copies`
        for (std::size_t step = 2 * points.size(); step-- > 0;) {
            const std::size_t i = step % points.size(); // the first time round finds who comes last
            const auto known = std::find(holders.begin(), holders.end(), points[i].owner);
            if (known != holders.end()) {
                std::rotate(holders.begin(), known, known + 1);
            } else if (holders.size() < copies) {
                holders.insert(holders.begin(), points[i].owner);
            } else {
                std::rotate(holders.begin(), holders.end() - 1, holders.end());
                holders.front() = points[i].owner;
            }
            if (step < points.size()) {
                for (const std::uint32_t holder : holders) {
                    result[holder] += width_of(points, i);
                }
            }
        }
        return result;
    }
};

} // namespace hashring::detail
