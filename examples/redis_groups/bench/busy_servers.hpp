// SPDX-License-Identifier: MIT
#pragma once

#include "../store/connection.hpp"
#include "../store/placement.hpp"

#include <chrono>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

/// \file
/// Servers that take longer than they do, so that they and not this machine are what limits.

namespace redis_groups::bench {

/// Makes each request cost the master of its group some time more (`DEBUG SLEEP`, which holds a
/// server up and takes no processor). The first copy of a group is its master.
class busy_servers {
public:
    /// With a time of 0 it does nothing at all.
    busy_servers(const placement& ring, std::chrono::microseconds service_time);

    /// Holds up the servers for requests that are sent right after.
    void begin(std::span<const std::string_view> keys);
    /// To be called once those are answered.
    void end();

private:
    const placement& ring_;
    std::chrono::microseconds service_time_;
    std::vector<std::unique_ptr<connection>> masters_;
    std::vector<std::size_t> requests_; // by the group's number
};

} // namespace redis_groups::bench
