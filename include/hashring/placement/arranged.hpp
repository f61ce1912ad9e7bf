// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// \file
/// What programs do to the points of a list of nodes once these are sorted.

namespace hashring {

/// The points of `nodes` by `scheme`: for each as many as `by_hand` says, or else `counts`. Throws
/// `invalid_point_count` for more than a ring holds.
template <placement_scheme Scheme>
[[nodiscard]] list_points<typename Scheme::position_type>
counted_points(const Scheme& scheme, std::span<const placed_node> nodes,
               std::span<const std::optional<std::uint32_t>> by_hand,
               std::vector<std::uint32_t> counts) {
    list_points<typename Scheme::position_type> all{std::move(counts), {}};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        all.counts[i] = by_hand[i].value_or(all.counts[i]);
    }
    detail::check_point_count(all.counts);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        all.positions.resize(all.positions.size() + all.counts[i]);
        scheme.points(nodes[i], std::span(all.positions).last(all.counts[i]));
    }
    return all;
}

/// The points of a list of nodes in the order of the circle: equal ones in the order of their
/// nodes, and of one node in any.
template <position_integer Position>
struct arranged_points {
    struct point {
        Position position;
        std::uint32_t node;
    };

    std::vector<point> points;
    std::size_t nodes = 0;

    /// O(points · log points).
    explicit arranged_points(const list_points<Position>& listed) : nodes(listed.counts.size()) {
        points.reserve(listed.positions.size());
        std::size_t at = 0;
        for (std::uint32_t node = 0; node < nodes; ++node) {
            for (std::uint32_t j = 0; j < listed.counts[node]; ++j) {
                points.push_back({listed.positions[at++], node});
            }
        }
        std::sort(points.begin(), points.end(), [](const point& a, const point& b) {
            return a.position != b.position ? a.position < b.position : a.node < b.node;
        });
    }

    /// As a list of nodes has them.
    [[nodiscard]] list_points<Position> listed() const {
        list_points<Position> result;
        result.counts.resize(nodes);
        for (const point& p : points) {
            ++result.counts[p.node];
        }
        std::vector<std::size_t> next(nodes);
        for (std::size_t i = 1; i < nodes; ++i) {
            next[i] = next[i - 1] + result.counts[i - 1];
        }
        result.positions.resize(points.size());
        for (const point& p : points) {
            result.positions[next[p.node]++] = p.position;
        }
        return result;
    }
};

/// `listed` with one point a position: that of the first node of the list which has one there.
template <position_integer Position>
[[nodiscard]] list_points<Position> without_equal_points(const list_points<Position>& listed) {
    arranged_points<Position> arranged(listed);
    auto& points = arranged.points;
    points.erase(std::unique(points.begin(), points.end(),
                             [](const auto& a, const auto& b) { return a.position == b.position; }),
                 points.end());
    return arranged.listed();
}

/// For programs that do not look for the first point at or after a key: `listed` with every point
/// moved to the last position that it owns, where a ring then finds it.
///
/// `last_owned(point, next)` is that position, in [point, next) around the circle or `point`, where
/// `next` is the point after it.
template <position_integer Position, class LastOwned>
[[nodiscard]] list_points<Position> at_arc_ends(const list_points<Position>& listed,
                                                LastOwned last_owned) {
    arranged_points<Position> arranged(listed);
    auto& points = arranged.points;
    if (points.empty()) {
        return listed;
    }
    const Position first = points.front().position;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Position next = i + 1 < points.size() ? points[i + 1].position : first;
        points[i].position = last_owned(points[i].position, next);
    }
    return arranged.listed();
}

} // namespace hashring
