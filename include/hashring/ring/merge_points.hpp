// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>
#include <hashring/ring/entry.hpp>
#include <hashring/ring/point_store.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

/// \file
/// Sorted points changed in place: some leave, others join.

namespace hashring::detail {

/// Takes out the points at the indices `gone`, which rise. O(points).
template <position_integer Position>
void drop_points(point_store<Position>& points, std::span<const std::size_t> gone) noexcept {
    for (std::size_t k = 0; k < gone.size(); ++k) {
        const std::size_t next = k + 1 < gone.size() ? gone[k + 1] : points.size();
        points.move(gone[k] + 1, next, gone[k] - k);
    }
    points.resize(points.size() - gone.size());
}

/// How many of the first `count` sorted `points` come before `point`: as a rule nearly all, so the
/// search begins at the end and doubles its steps. O(log of the others).
template <position_integer Position, class Before>
[[nodiscard]] std::size_t count_before(const point_store<Position>& points, std::size_t count,
                                       const entry<Position>& point, Before before) noexcept {
    std::size_t step = 1;
    std::size_t end = count;
    while (step <= end && before(point, points[end - step])) {
        end -= step;
        step *= 2;
    }
    std::size_t first = end - std::min(step, end);
    while (first < end) {
        const std::size_t middle = first + (end - first) / 2;
        if (before(point, points[middle])) {
            end = middle;
        } else {
            first = middle + 1;
        }
    }
    return first;
}

/// Merges the first `joining` points of `come` into `points`, which have room for them, both sorted
/// by `before`. Works from the end and moves each stretch between two newcomers at once. O(points).
template <position_integer Position, class Before>
void merge_points(point_store<Position>& points, const point_store<Position>& come,
                  std::size_t joining, Before before) noexcept {
    std::size_t from = points.size(); // what follows stands where it belongs
    points.resize(from + joining);
    for (std::size_t k = joining; k > 0; --k) {
        const std::size_t after = count_before(points, from, come[k - 1], before);
        points.move(after, from, after + k);
        points.set(after + k - 1, come[k - 1]);
        from = after;
    }
}

} // namespace hashring::detail
