// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/point_list.hpp>

#include <cstddef>
#include <cstdint>

/// \file
/// The search for a node that will do, point by point.

namespace hashring {

/// The owner of the first point of `ring` from point `from` on, around the whole circle, that
/// `has_room` (a predicate on the node's index) picks; `no_node` if it picks none. Allocates
/// nothing.
template <class Ring, class HasRoom>
[[nodiscard]] std::uint32_t next_on_ring(const Ring& ring, std::size_t from, HasRoom has_room) {
    for (std::size_t left = ring.point_count(); left > 0; --left) {
        const std::uint32_t node = ring.point_owner(from);
        if (has_room(node)) {
            return node;
        }
        from = from + 1 == ring.point_count() ? 0 : from + 1;
    }
    return no_node;
}

} // namespace hashring
