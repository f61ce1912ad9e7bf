// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/cluster.hpp"

#include <hashring/hashring.hpp>

#include <cstdint>
#include <vector>

namespace simulate {

/// Virtual nodes in proportion to capacity, `vnodes` for the mean one, at least 1.
[[nodiscard]] std::vector<std::uint32_t> vnodes_by_capacity(const cluster& nodes,
                                                            std::uint32_t vnodes);

/// The default ring with virtual nodes by capacity, which the allocator picked so that shares are
/// as capacities.
[[nodiscard]] hashring::ring<hashring::schemes::corrected<hashring::schemes::xxh3>>
corrected_ring(const cluster& nodes, std::uint32_t vnodes);

/// The default ring with virtual nodes by capacity after `rebalance` has changed their counts until
/// it was content.
[[nodiscard]] hashring::ring<> settled_ring(const cluster& nodes, std::uint32_t vnodes);

/// The same ring with its arcs as they were after one plan of `plan_transfers` is carried out.
[[nodiscard]] hashring::exact_ring<> dealt_ring(const cluster& nodes, std::uint32_t vnodes);

} // namespace simulate
