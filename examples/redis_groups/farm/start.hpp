// SPDX-License-Identifier: MIT
#pragma once

#include "../store/address.hpp"
#include "child.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// \file
/// Starting a server of our own, of whatever kind, on loopback.

namespace redis_groups {

/// How a kind of server is started, and how it is seen that it runs.
struct start_rules {
    /// The program and its arguments, for a place to listen at and a folder of its own, where what
    /// it needs has been put by this.
    std::function<std::vector<std::string>(const address& where,
                                           const std::filesystem::path& folder)>
        words;
    std::function<bool(const address& where)> answers; ///< whether it does, by now
};

/// A server that has been started. What it prints is in the file `log` of its folder.
struct started_server {
    child process;
    address where{};
    std::filesystem::path folder{};
};

/// Starts a server on a free port of 127.0.0.1, in a folder of its own below `parent`, and waits
/// until it answers; on another port if somebody else takes this one. Throws `std::system_error` if
/// there is no such program, and `std::runtime_error` with the end of its log if it does not
/// answer.
[[nodiscard]] started_server start_server(const std::filesystem::path& parent,
                                          const start_rules& rules);

/// Starts it again where it was.
[[nodiscard]] child start_again(const address& where, const std::filesystem::path& folder,
                                const start_rules& rules);

} // namespace redis_groups
