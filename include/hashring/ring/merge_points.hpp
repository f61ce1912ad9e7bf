// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/entry.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

/// \file
/// Sorted points changed in place: some leave, others join.

namespace hashring::detail {

/// Takes out the points at the indices `gone`, which rise. O(points).
template <std::unsigned_integral Position>
void drop_points(std::vector<entry<Position>>& points, std::span<const std::size_t> gone) noexcept {
    for (std::size_t k = 0; k < gone.size(); ++k) {
        const std::size_t next = k + 1 < gone.size() ? gone[k + 1] : points.size();
        std::copy(points.data() + gone[k] + 1, points.data() + next, points.data() + gone[k] - k);
    }
    points.resize(points.size() - gone.size());
}

/// How many of sorted `points` come before `e`: as a rule nearly all, so the search begins at the
/// end and doubles its steps. O(log of the others).
template <std::unsigned_integral Position, class Before>
[[nodiscard]] std::size_t count_before(std::span<const entry<Position>> points,
                                       const entry<Position>& e, Before before) noexcept {
    std::size_t step = 1;
    std::size_t end = points.size();
    while (step <= end && before(e, points[end - step])) {
        end -= step;
        step *= 2;
    }
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(end - std::min(step, end));
    const auto last = points.begin() + static_cast<std::ptrdiff_t>(end);
    return static_cast<std::size_t>(std::upper_bound(first, last, e, before) - points.begin());
}

/// Merges `come` into `points`, which have room for them, both sorted by `before`. Works from the
/// end and moves each stretch between two newcomers at once. O(points).
template <std::unsigned_integral Position, class Before>
void merge_points(std::vector<entry<Position>>& points, std::span<const entry<Position>> come,
                  Before before) noexcept {
    std::size_t from = points.size(); // what follows stands where it belongs
    points.resize(from + come.size());
    for (std::size_t k = come.size(); k > 0; --k) {
        const std::size_t after =
            count_before(std::span<const entry<Position>>(points).first(from), come[k - 1], before);
        entry<Position>* const stretch = points.data() + after;
        std::copy_backward(stretch, points.data() + from, points.data() + from + k);
        stretch[k - 1] = come[k - 1];
        from = after;
    }
}

} // namespace hashring::detail
