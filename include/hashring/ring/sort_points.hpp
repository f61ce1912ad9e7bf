// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/entry.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>

/// \file
/// The last step of sorting points that already stand almost where they belong.

namespace hashring::detail {

/// Insertion sort. Gives up and returns false, with the same points in some order, once points have
/// moved eight places on average.
template <std::unsigned_integral Position, class Before>
[[nodiscard]] bool settle_points(std::span<entry<Position>> points, Before before) {
    std::size_t budget = 8 * points.size();
    for (std::size_t i = 1; i < points.size(); ++i) {
        const entry<Position> moving = points[i];
        std::size_t at = i;
        for (; at > 0 && before(moving, points[at - 1]); --at) {
            points[at] = points[at - 1];
        }
        points[at] = moving;
        if (i - at > budget) {
            return false;
        }
        budget -= i - at;
    }
    return true;
}

/// Sorts `points` in the total order `before`: O(n) where few stand far from their place,
/// O(n log n) on any.
template <std::unsigned_integral Position, class Before>
void sort_points(std::span<entry<Position>> points, Before before) {
    if (!settle_points(points, before)) {
        std::sort(points.begin(), points.end(), before);
    }
}

} // namespace hashring::detail
