// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/point_list.hpp>

#include <cstddef>
#include <cstdint>

/// \file
/// The retries of programs that go from point to point, not from node to node.

namespace hashring {

/// The index of the node at attempt `attempt`, from 0, for what stands at `position` of `ring`: the
/// owner of the point that is so many behind the first, which may be the same node again; `no_node`
/// on a ring without points. As `point_index`.
///
/// Source: Envoy 1.32, `RingHashLoadBalancer::Ring::chooseHost`.
template <class Ring>
[[nodiscard]] std::uint32_t owner_at_attempt(const Ring& ring,
                                             typename Ring::position_type position,
                                             std::size_t attempt) noexcept {
    const std::size_t count = ring.point_count();
    return count == 0 ? no_node
                      : ring.point_owner((ring.point_index(position) + attempt % count) % count);
}

} // namespace hashring
