// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/entry.hpp>
#include <hashring/ring/fresh_points.hpp>
#include <hashring/ring/point_store.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

/// \file
/// Sorting points, whose positions mostly spread evenly over the circle.

namespace hashring::detail {

/// Deals points into as many piles as there are points, by the top bits of their positions, in the
/// order in which they come. O(points).
template <std::unsigned_integral Position>
[[nodiscard]] point_store<Position> deal_points(const fresh_points<Position>& fresh) {
    constexpr auto digits = static_cast<unsigned>(std::numeric_limits<Position>::digits);
    const auto wanted = static_cast<unsigned>(std::bit_width(fresh.positions.size()));
    const unsigned bits = std::min(wanted, digits - 1);
    const auto pile = [&](Position p) {
        return static_cast<std::size_t>(p >> (digits - bits));
    };
    std::vector<std::uint32_t> ends((std::size_t{1} << bits) + 1, 0);
    for (const Position p : fresh.positions) {
        ++ends[pile(p) + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    point_store<Position> dealt;
    dealt.reserve(fresh.positions.size() + 1); // one more will end the searches
    dealt.resize(fresh.positions.size());
    auto next = fresh.positions.begin();
    for (const auto& run : fresh.runs) {
        for (std::uint32_t j = 0; j < run.count; ++j) { // moves a pile's start up to its end
            dealt.set(ends[pile(*next)]++, {*next, run.owner});
            ++next;
        }
    }
    return dealt;
}

/// Insertion sort, for points that stand almost right. Gives up and returns false, with the same
/// points in some order, once they have moved eight places on average.
template <std::unsigned_integral Position, class Before>
[[nodiscard]] bool settle_points(point_store<Position>& points, Before before) noexcept {
    std::size_t budget = 8 * points.size();
    for (std::size_t i = 1; i < points.size(); ++i) {
        const entry<Position> moving = points[i];
        std::size_t at = i;
        while (at > 0 && before(moving, points[at - 1])) {
            points.set(at, points[at - 1]);
            --at;
        }
        points.set(at, moving);
        if (i - at > budget) {
            return false;
        }
        budget -= i - at;
    }
    return true;
}

/// Fresh points in the total order `before`, which orders by position first: O(n) where positions
/// spread, O(n log n) on any.
///
/// Source: a distribution sort with an insertion sort behind it (D. E. Knuth, "The Art of Computer
/// Programming", vol. 3, section 5.2.5).
template <std::unsigned_integral Position, class Before>
[[nodiscard]] point_store<Position> sorted_points(const fresh_points<Position>& fresh,
                                                  Before before) {
    point_store<Position> points = deal_points(fresh);
    if (!settle_points(points, before)) {
        std::vector<entry<Position>> entries;
        entries.reserve(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            entries.push_back(points[i]);
        }
        std::sort(entries.begin(), entries.end(), before);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            points.set(i, entries[i]);
        }
    }
    return points;
}

} // namespace hashring::detail
