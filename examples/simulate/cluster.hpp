// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/node_stats.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace simulate {

/// The nodes of one trial: IPv4 addresses for names, in the order of the names, which is the order
/// of every ring built of them.
struct cluster {
    std::vector<std::string> names{};
    std::vector<std::uint64_t> capacities{}; ///< relative to each other

    [[nodiscard]] std::size_t size() const noexcept { return names.size(); }
    /// The sum of the capacities.
    [[nodiscard]] std::uint64_t capacity() const noexcept;
};

enum class capacity_rule : std::uint8_t {
    equal,
    mixed, ///< 1 : 2 : 4, over and over
};

/// `count` nodes with addresses drawn by `seed`, none twice; count in [1, 10,000].
[[nodiscard]] cluster draw_cluster(std::size_t count, capacity_rule rule, std::uint64_t seed);

/// The part of a cluster's capacity that the data of an experiment fill, in hundredths. Small
/// disks do not overflow with it where data are spread without regard to capacity.
inline constexpr std::uint64_t fill_percent = 40;

/// `amounts` over capacities; 1 is the load of the whole cluster.
[[nodiscard]] std::vector<double> relative_loads(std::span<const double> amounts,
                                                 const cluster& nodes);
[[nodiscard]] std::vector<double> relative_loads(std::span<const std::uint64_t> amounts,
                                                 const cluster& nodes);

/// The load gap of those loads.
[[nodiscard]] double gap_of(std::span<const std::uint64_t> amounts, const cluster& nodes);
[[nodiscard]] double gap_of(std::span<const double> amounts, const cluster& nodes);

/// What a rebalancer sees of data that follow a ring: they fill so little that no node is full
/// however uneven the ring is. Only the proportions of loads matter to it.
inline constexpr std::uint64_t ring_fill_percent = 5;

/// The nodes as a rebalancer sees them when `sum`, of which `amounts` are parts, is so many
/// hundredths of the capacity.
[[nodiscard]] std::vector<hashring::node_stats> stats_of(std::span<const std::uint64_t> amounts,
                                                         std::uint64_t sum, std::uint64_t percent,
                                                         const cluster& nodes);

} // namespace simulate
