// SPDX-License-Identifier: MIT
#pragma once

#include "../../tool/grid.hpp"
#include "../../tool/output.hpp"
#include "../store/settings.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// \file
/// The experiments of the Redis paper, on servers of our own.

namespace redis_groups::bench {

struct options {
    std::vector<std::string> experiments{"distribution", "throughput", "reliability"};
    std::size_t keys = 100'000;
    std::size_t clients = 2;    ///< threads
    std::size_t pipeline = 100; ///< requests that travel together
    std::size_t groups = 4;     ///< from one to so many
    std::size_t replicas = 1;   ///< of each group
    std::size_t rounds = 3;     ///< of which the median is shown
    /// How long a server is busy with a request besides what it really does: 0 for real servers.
    std::chrono::microseconds service_time{0};
    settings how{}; ///< how is written and read
    tool::format as = tool::format::table;
    std::optional<std::string> charts{}; ///< a folder for drawings
};

/// Runs the experiments one after the other and prints what came out. Throws
/// `std::runtime_error` if servers cannot be started or a request fails.
void run(const options& chosen, tool::output& out);

} // namespace redis_groups::bench
