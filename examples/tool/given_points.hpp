// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/placement/scheme.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tool {

/// A scheme that picks the points of all nodes together, or else takes those that it was given: so
/// that nodes can lose theirs without the others' being picked anew.
template <hashring::list_scheme Scheme>
struct given_points : Scheme {
    using points_type = hashring::list_points<typename Scheme::position_type>;

    std::optional<points_type> given;

    [[nodiscard]] points_type place(std::span<const hashring::placed_node> nodes,
                                    std::span<const std::optional<std::uint32_t>> by_hand) const {
        return given ? *given : Scheme::place(nodes, by_hand);
    }

    friend bool operator==(const given_points&, const given_points&) = default;
};

namespace detail {

template <class Scheme, bool Lists>
struct drainable {
    using type = Scheme;
};
template <class Scheme>
struct drainable<Scheme, true> {
    using type = given_points<Scheme>;
};

} // namespace detail

/// `Scheme`, or what takes points in its place.
template <class Scheme>
using drainable = typename detail::drainable<Scheme, hashring::list_scheme<Scheme>>::type;

/// The points of `ring` by node, but for the nodes that `is_down` (a predicate on the index) picks.
template <class Ring, class IsDown>
[[nodiscard]] auto points_without(const Ring& ring, IsDown is_down) {
    hashring::list_points<typename Ring::position_type> left;
    std::vector<std::size_t> next;
    std::size_t sum = 0;
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        left.counts.push_back(is_down(i) ? 0 : ring.node(i).vnodes());
        next.push_back(sum);
        sum += left.counts.back();
    }
    left.positions.resize(sum);
    for (std::size_t p = 0; p < ring.point_count(); ++p) {
        if (!is_down(ring.point_owner(p))) {
            left.positions[next[ring.point_owner(p)]++] = ring.point_position(p);
        }
    }
    return left;
}

} // namespace tool
