// SPDX-License-Identifier: MIT
#pragma once

#include "../store/address.hpp"
#include "child.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Redis servers and sentinels of our own, on loopback.

namespace redis_groups {

/// How a server of ours is set up besides its place.
struct server_setup {
    std::optional<address> replica_of{};
    bool is_durable = false;         ///< what it acknowledges is in its append-only file
    std::vector<std::string> more{}; ///< further lines of its configuration
};

/// A Redis server on 127.0.0.1 that does not outlive us.
class server {
public:
    /// Starts it in a folder of its own below `parent`. Throws `std::system_error`; or
    /// `std::runtime_error` with the end of its log if it does not answer.
    server(const std::filesystem::path& parent, server_setup setup);

    [[nodiscard]] const address& where() const noexcept { return where_; }
    [[nodiscard]] bool is_running() noexcept { return process_ && process_->is_running(); }

    void kill() noexcept;   ///< SIGKILL, as when the process crashes
    void freeze() noexcept; ///< SIGSTOP: it keeps its connections and says nothing
    void thaw() noexcept;
    /// Starts it again on its port, with what it has on its disk, as a replica or as a master.
    void restart(const std::optional<address>& replica_of);

private:
    std::filesystem::path folder_;
    server_setup setup_;
    address where_;
    std::optional<child> process_;
};

/// A sentinel: of each group the name and its master.
struct watched_group {
    std::string name{};
    address master{};
};

/// How many sentinels must agree that a master is down, and after how long.
struct sentinel_setup {
    std::size_t quorum = 2;
    std::chrono::milliseconds down_after{2000};
    std::chrono::milliseconds failover_timeout{5000};
};

/// A Redis Sentinel on 127.0.0.1 that does not outlive us.
class sentinel_server {
public:
    sentinel_server(const std::filesystem::path& parent, const std::vector<watched_group>& groups,
                    const sentinel_setup& setup);

    [[nodiscard]] const address& where() const noexcept { return where_; }

private:
    address where_;
    std::optional<child> process_;
};

} // namespace redis_groups
