// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/cluster.hpp"
#include "simulate/outcome.hpp"

#include <cstdint>
#include <vector>

namespace simulate {

/// Who decides where data are stored.
enum class strategy : std::uint8_t {
    hdfs_default_3,       ///< random nodes, three replicas
    hdfs_default_1,       ///< a random node
    hdfs_available_space, ///< the emptier of two random nodes a little more often, three replicas
    plain_vnodes,         ///< a ring with as many virtual nodes for every node
    formula_1,            ///< the paper's ring, as many virtual nodes for every node
    capability_vnodes,    ///< a ring with the paper's counts by capability
    as_printed,           ///< the paper's ring, its counts, and its round robin for full nodes
    round_robin,          ///< weighted round robin by free bytes
    corrected,            ///< a ring whose virtual nodes the corrected allocator picked
    damped,               ///< a ring whose counts `rebalance` made until it was content
    transfers,            ///< an exact ring whose arcs `plan_transfers` dealt out
};

[[nodiscard]] strategy_name name_of(strategy s) noexcept;

/// The waybill numbers of a trial, as they stand on the two circles.
struct hashed_numbers {
    std::vector<std::uint64_t> xxh3{};
    std::vector<std::uint32_t> bkdr{}; ///< the printed order, s = 31
};

[[nodiscard]] hashed_numbers hash_numbers(std::uint64_t seed, std::uint32_t count);

/// The blocks that HDFS stores: 1 TB in blocks of 128 MB.
inline constexpr std::uint64_t hdfs_blocks = 8192;

/// One cluster that is to store the data of a trial.
struct trial {
    cluster nodes{};
    const hashed_numbers& numbers;
    std::uint64_t seed = 0;
    const settings& asked;
};

/// What every node holds at the end: replicas of blocks with HDFS, else records.
///
/// `as_printed` reads the paper thus: a record goes to its owner on the ring of formula (1) with
/// the counts by capability, unless that node has weight 0 in this round (its factor of formula (4)
/// is at or below the mean), when it goes to the next node of the round robin, whose weights are
/// those factors.
[[nodiscard]] std::vector<std::uint64_t> store(strategy s, const trial& t);

} // namespace simulate
