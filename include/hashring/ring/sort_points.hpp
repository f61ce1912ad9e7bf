// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>
#include <hashring/ring/entry.hpp>
#include <hashring/ring/fresh_points.hpp>
#include <hashring/ring/point_store.hpp>
#include <hashring/ring/position_index.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// Sorting points, whose positions mostly spread evenly over the circle.

namespace hashring::detail {

/// Insertion sort, for points that stand almost right. Gives up and returns false, with the same
/// points in some order, once they have moved eight places on average.
template <position_integer Position, class Before>
[[nodiscard]] bool settle_points(point_store<Position>& points, Before before) noexcept {
    std::size_t budget = 8 * points.size();
    for (std::size_t i = 1; i < points.size(); ++i) {
        const entry<Position> moving = points[i];
        if (!before(moving, points[i - 1])) {
            continue;
        }
        std::size_t at = i;
        do {
            points.set(at, points[at - 1]);
            --at;
        } while (at > 0 && before(moving, points[at - 1]));
        points.set(at, moving);
        if (i - at > budget) {
            return false;
        }
        budget -= i - at;
    }
    return true;
}

/// Sorts points in any order. O(n log n).
template <position_integer Position, class Before>
void sort_points(point_store<Position>& points, Before before) {
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

/// The points of `fresh` in the total order `before`, which orders by position first, with room for
/// one more; and `index`, which has room for them and nothing in it, filled: O(points) where
/// positions spread, O(n log n) on any.
///
/// Source: a distribution sort with an insertion sort behind it (D. E. Knuth, "The Art of Computer
/// Programming", vol. 3, section 5.2.5), whose counts are the index.
template <position_integer Position, class Before>
[[nodiscard]] point_store<Position> sorted_points(const fresh_points<Position>& fresh,
                                                  position_index& index, Before before) {
    point_store<Position> points;
    points.reserve(fresh.positions.size() + 1);
    points.resize(fresh.positions.size());
    const bool deals = index.begin_dealing(fresh.positions);
    std::size_t as_they_come = 0;
    auto next = fresh.positions.begin();
    for (const auto& run : fresh.runs) {
        for (std::uint32_t j = 0; j < run.count; ++j) {
            const Position p = *next++;
            points.set(deals ? index.deal(top_of(p)) : as_they_come++, {p, run.owner});
        }
    }
    if (deals) {
        index.end_dealing();
    }
    if (!deals || !settle_points(points, before)) {
        sort_points(points, before);
    }
    if (!deals) {
        index.fill({points.heads(), points.size()});
    }
    return points;
}

} // namespace hashring::detail
