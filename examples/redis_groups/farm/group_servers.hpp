// SPDX-License-Identifier: MIT
#pragma once

#include "../store/settings.hpp"
#include "server.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

/// \file
/// A group of Redis servers of our own.

namespace redis_groups {

/// A master and its replicas. Copy 0 is the master at first.
class group_servers {
public:
    /// Starts them, and waits until every replica follows. Throws as `server`.
    group_servers(const std::filesystem::path& parent, std::string name, std::size_t replicas,
                  server_setup setup = {});

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] group_spec spec() const;
    [[nodiscard]] std::size_t size() const noexcept { return servers_.size(); }
    [[nodiscard]] server& copy(std::size_t i) noexcept { return servers_[i]; }

    /// Waits until copy `master` is one and all others that run follow it, with nothing missing.
    /// Throws `std::runtime_error` if that takes too long.
    void await_ready(std::size_t master, std::chrono::milliseconds patience);
    /// Makes copy `next` the master and lets the others that run follow it, as Sentinel would; who
    /// was connected to them is dropped, so that nobody goes on with an old master.
    void promote(std::size_t next);
    /// Promotes the copy that `hashring::group::elect` names, of those that run and but for `dead`,
    /// as a watcher of servers without Sentinel would. Returns which. Throws `std::runtime_error`
    /// if there is none.
    std::size_t fail_over(std::size_t dead);

private:
    std::string name_;
    std::vector<server> servers_;
};

} // namespace redis_groups
