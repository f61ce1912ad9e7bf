// SPDX-License-Identifier: MIT
#pragma once

#include "bench.hpp"

#include <cstddef>
#include <vector>

/// \file
/// How many requests groups serve, and how fast (the paper's figures 3 and 4).

namespace redis_groups::bench {

/// What was measured several times: the median, the least, the most.
struct measured {
    double median = 0.0;
    double least = 0.0;
    double most = 0.0;
};

/// So many groups and one kind of request.
struct throughput {
    std::size_t groups = 0;
    bool is_read = false;
    measured per_second{}; ///< requests
    measured mean_ms{};    ///< from sending a pipeline to its last answer
    measured p99_ms{};     ///< the same of 99 in 100
};

/// Writes and reads all keys on 1, 2 … groups, in rounds so that what else the machine does meets
/// all alike. Throws `std::runtime_error` if a request fails.
[[nodiscard]] std::vector<throughput> measure_throughput(const options& chosen);

} // namespace redis_groups::bench
