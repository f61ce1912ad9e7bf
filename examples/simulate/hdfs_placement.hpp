// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/cluster.hpp"
#include "simulate/random.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simulate {

/// How HDFS chooses the node of a replica.
enum class hdfs_policy : std::uint8_t {
    /// Any node: BlockPlacementPolicyDefault with one rack and a client outside the cluster.
    random,
    /// Of two random nodes the emptier in 60 of 100 cases, if they are 5 points or more apart:
    /// AvailableSpaceBlockPlacementPolicy with its defaults.
    available_space,
};

/// Blocks placed by a NameNode. The replicas of a block are on different nodes; a full node gets
/// none.
class name_node {
public:
    /// `blocks` blocks of `copies` replicas will fill `fill_percent` of the capacity.
    name_node(const cluster& nodes, hdfs_policy policy, std::uint64_t blocks, std::size_t copies,
              std::uint64_t seed);

    /// The nodes of the next block: `copies`, or all that have room if there are fewer.
    [[nodiscard]] std::vector<std::size_t> place_block();
    /// Replicas on each node.
    [[nodiscard]] const std::vector<std::uint64_t>& replicas() const noexcept { return replicas_; }

private:
    [[nodiscard]] double used(std::size_t node) const;
    [[nodiscard]] std::size_t draw(const std::vector<std::size_t>& from);
    [[nodiscard]] std::size_t choose(const std::vector<std::size_t>& from);

    hdfs_policy policy_;
    std::size_t copies_;
    std::vector<double> room_; ///< replicas that fit
    std::vector<std::uint64_t> replicas_;
    random_source random_;
};

/// The replicas on each node once `blocks` blocks are placed.
[[nodiscard]] std::vector<std::uint64_t> place_blocks(const cluster& nodes, hdfs_policy policy,
                                                      std::uint64_t blocks, std::size_t copies,
                                                      std::uint64_t seed);

} // namespace simulate
