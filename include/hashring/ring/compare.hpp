// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/ring/diff.hpp>
#include <hashring/ring/point_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// How the difference of two rings is found: one pass over both lists of points.

namespace hashring::detail {

/// One ring as the comparison sees it.
template <class Points>
struct side {
    std::span<const placed_node> nodes;
    const Points& points;
};

template <class Points>
side(std::span<const placed_node>, const Points&) -> side<Points>;

/// The names of two lists of nodes in one table: first `before`, then what only `after` has.
struct shared_names {
    std::vector<std::string> names;
    std::vector<std::uint32_t> of_after; ///< for each node of `after`, its place in `names`
};

[[nodiscard]] inline shared_names share_names(std::span<const placed_node> before,
                                              std::span<const placed_node> after) {
    std::vector<std::pair<std::string_view, std::uint32_t>> known;
    shared_names result;
    for (std::uint32_t i = 0; i < before.size(); ++i) {
        known.emplace_back(before[i].name, i);
        result.names.emplace_back(before[i].name);
    }
    std::sort(known.begin(), known.end());
    for (const placed_node& node : after) {
        const auto found =
            std::lower_bound(known.begin(), known.end(), std::pair(node.name, std::uint32_t{0}));
        if (found != known.end() && found->first == node.name) {
            result.of_after.push_back(found->second);
        } else {
            result.of_after.push_back(static_cast<std::uint32_t>(result.names.size()));
            result.names.emplace_back(node.name);
        }
    }
    return result;
}

/// Steps through one list of points by position; an empty list has no owner anywhere.
template <class Points>
class sweep {
public:
    explicit sweep(const Points& points) noexcept : points_(&points) {}

    [[nodiscard]] bool done() const noexcept { return at_ == points_->size(); }
    [[nodiscard]] auto position() const noexcept { return points_->position(at_); }
    /// Who owns the positions up to `position()`; past the last point the first one's owner.
    [[nodiscard]] std::uint32_t owner() const noexcept {
        return points_->empty() ? no_node : points_->owner(done() ? 0 : at_);
    }
    /// Past all points on `p`.
    void pass(auto p) noexcept {
        while (!done() && position() == p) {
            ++at_;
        }
    }

private:
    const Points* points_;
    std::size_t at_ = 0;
};

/// Appends an arc, as a part of the one before it where they meet and say the same.
template <class Position>
void append_arc(std::vector<moved_arc<Position>>& arcs, const moved_arc<Position>& next,
                Position last_position) {
    if (!arcs.empty()) {
        moved_arc<Position>& last = arcs.back();
        if (last.from == next.from && last.to == next.to &&
            next_position(last.where.last, last_position) == next.where.first) {
            last.where.last = next.where.last;
            return;
        }
    }
    arcs.push_back(next);
}

/// Joins the last arc to the first one where they meet across the end of the circle.
template <class Position>
void close_circle(std::vector<moved_arc<Position>>& arcs, Position last_position) {
    if (arcs.size() < 2) {
        return;
    }
    moved_arc<Position>& first = arcs.front();
    const moved_arc<Position>& last = arcs.back();
    if (first.from == last.from && first.to == last.to &&
        next_position(last.where.last, last_position) == first.where.first) {
        first.where.first = last.where.first;
        arcs.pop_back();
    }
}

/// The arcs whose owner differs, by the places of the names that `names` gives. O(points).
template <class Points, class Position>
[[nodiscard]] std::vector<moved_arc<Position>>
changed_arcs(const side<Points>& before, const side<Points>& after, const shared_names& names,
             Position last_position) {
    std::vector<moved_arc<Position>> arcs;
    sweep<Points> old_side(before.points);
    sweep<Points> new_side(after.points);
    const auto last_of = [](const Points& points) {
        return points.empty() ? Position{0} : points.position(points.size() - 1);
    };
    Position previous = std::max(last_of(before.points), last_of(after.points));
    while (!old_side.done() || !new_side.done()) {
        Position p = 0;
        if (old_side.done() || new_side.done()) {
            p = old_side.done() ? new_side.position() : old_side.position();
        } else {
            p = std::min(old_side.position(), new_side.position());
        }
        const std::uint32_t to = new_side.owner();
        const moved_arc<Position> piece{{next_position(previous, last_position), p},
                                        old_side.owner(),
                                        to == no_node ? no_node : names.of_after[to]};
        if (piece.from != piece.to) {
            append_arc(arcs, piece, last_position);
        }
        old_side.pass(p);
        new_side.pass(p);
        previous = p;
    }
    close_circle(arcs, last_position);
    return arcs;
}

/// Σ max(0, wished share after − wished share before), summed exactly in integers before the one
/// division. Sums of weights are below 2^24 · 2^30, their products below 2^128.
[[nodiscard]] inline double least_movement(std::span<const placed_node> before,
                                           std::span<const placed_node> after,
                                           const shared_names& names) {
    const auto total = [](std::span<const placed_node> nodes) {
        std::uint64_t sum = 0;
        for (const placed_node& node : nodes) {
            sum += node.weight.thousandths();
        }
        return sum;
    };
    const std::uint64_t old_total = total(before);
    const std::uint64_t new_total = total(after);
    if (new_total == 0) {
        return 0.0;
    }
    if (old_total == 0) {
        return 1.0;
    }
    uint128 gained;
    for (std::size_t i = 0; i < after.size(); ++i) {
        const std::uint32_t place = names.of_after[i];
        const std::uint64_t old_weight =
            place < before.size() ? before[place].weight.thousandths() : 0;
        const uint128 now = multiply(after[i].weight.thousandths(), old_total);
        const uint128 then = multiply(old_weight, new_total);
        gained += now > then ? now - then : uint128{};
    }
    return gained.to_double() / multiply(old_total, new_total).to_double();
}

/// The difference of two sides.
template <placement_scheme Scheme, class Points>
[[nodiscard]] ring_diff<Scheme> compare(const Scheme& scheme, const side<Points>& before,
                                        const side<Points>& after) {
    shared_names names = share_names(before.nodes, after.nodes);
    auto arcs =
        changed_arcs(before, after, names, typename Scheme::position_type{Scheme::last_position});
    const double least = least_movement(before.nodes, after.nodes, names);
    return {scheme, std::move(names.names), std::move(arcs), least};
}

} // namespace hashring::detail
