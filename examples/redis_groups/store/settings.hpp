// SPDX-License-Identifier: MIT
#pragma once

#include "address.hpp"
#include "connection.hpp"

#include <hashring/core/weight.hpp>
#include <hashring/group/rules.hpp>

#include <chrono>
#include <string>
#include <vector>

/// \file
/// What a client is told of the groups and how it is to treat them.

namespace redis_groups {

/// A group: its name, which is what the ring places, and where its copies are. With sentinels the
/// copies may be left out; what they say is added to the list.
struct group_spec {
    std::string name{};
    std::vector<address> copies{};
    hashring::weight weight{1};
};

struct settings {
    hashring::group::rules rules{};
    connection_options connections{};
    std::vector<address> sentinels{};
    connection_options sentinel_connections{std::chrono::milliseconds(200),
                                            std::chrono::milliseconds(300)};
    /// How the copies are is looked at anew after so long, and each look waits so long for a copy.
    std::chrono::milliseconds look_every{500};
    std::chrono::milliseconds look_timeout{500};
    /// How long a synchronous write waits for replicas before it is reported as unknown.
    std::chrono::milliseconds wait_timeout{1000};
    /// How long a write that was certainly not applied for want of a master, and a read, are tried
    /// again before they fail: somewhat longer than a failover takes.
    std::chrono::milliseconds patience{0};
    /// How long a deletion, and a value that has expired, are remembered; the longest that a copy
    /// may be away and still be merged key by key.
    std::chrono::milliseconds retention{std::chrono::hours(24)};
    /// The most commands that are on their way to a server at a time.
    std::size_t pipeline = 500;
};

/// The group that `NAME=ADDRESS[,ADDRESS…]` spells. Throws `std::invalid_argument` that quotes what
/// is wrong.
[[nodiscard]] group_spec parse_group(std::string_view text);

} // namespace redis_groups
