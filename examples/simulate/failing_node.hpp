// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/arc.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace simulate {

/// The load of every node, as parts of the whole, while only those that are up take it.
using load_function = std::function<std::vector<double>(const std::vector<bool>& up)>;

/// A piece of the circle; pieces are in its order.
struct owned_arc {
    double share = 0.0;
    std::uint32_t owner = 0;
};

template <class Ring>
[[nodiscard]] std::vector<owned_arc> arcs_of(const Ring& placed) {
    const auto circle = hashring::circle_width(Ring::scheme_type::last_position);
    std::vector<owned_arc> arcs;
    for (std::size_t i = 0; i < placed.point_count(); ++i) {
        arcs.push_back({hashring::fraction(placed.point_width(i), circle), placed.point_owner(i)});
    }
    return arcs;
}

/// Clients that go on clockwise to the first node that is up.
[[nodiscard]] load_function clockwise(std::vector<owned_arc> arcs, std::size_t nodes);

/// Readers of blocks that spread evenly over the replicas that are up; a block without any is lost.
[[nodiscard]] load_function by_replicas(std::vector<std::vector<std::size_t>> blocks,
                                        std::size_t nodes);

/// What one death comes to.
struct aftermath {
    /// The most that one survivor gets of the dead node's load, in [0, 1].
    double most_hit = 0.0;
    /// By how many nodes that load is shared, as if evenly; 0 if it is lost.
    double receivers = 0.0;
    /// The part of all nodes that are down in the end, when each dies that has more than its load
    /// before and `headroom` of it.
    double lost = 0.0;
};

[[nodiscard]] aftermath kill(const load_function& loads, std::size_t nodes, std::size_t dead,
                             double headroom);

} // namespace simulate
