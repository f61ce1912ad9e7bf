// SPDX-License-Identifier: MIT
#pragma once

#include "bench.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// How evenly keys fall on groups (the paper's figure 5).

namespace redis_groups::bench {

/// A group among so many.
struct group_share {
    std::size_t groups = 0;
    std::string name{};
    double share = 0.0;        ///< of the ring
    std::uint64_t by_ring = 0; ///< keys that it should hold
    std::uint64_t held = 0;    ///< keys that its master holds
};

/// Writes all keys to 2, 3 … groups and counts what each holds. Throws `std::runtime_error` if a
/// write is not done, or if the servers do not hold what the ring says.
[[nodiscard]] std::vector<group_share> measure_distribution(const options& chosen);

} // namespace redis_groups::bench
