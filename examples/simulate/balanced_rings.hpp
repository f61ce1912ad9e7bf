// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/cluster.hpp"
#include "simulate/cut_ring.hpp"
#include "simulate/following_ring.hpp"

#include <hashring/hashring.hpp>

#include <cstdint>

namespace simulate {

/// The default ring with counts by capacity (`vnodes` for the mean one) after `plan_weights` has
/// changed them until it was content.
[[nodiscard]] following_ring<hashring::schemes::xxh3> settled_ring(const cluster& nodes,
                                                                   std::uint32_t vnodes);

/// The default ring with counts by capacity after one `plan_transfers`.
[[nodiscard]] cut_ring dealt_ring(const cluster& nodes, std::uint32_t vnodes);

} // namespace simulate
