// SPDX-License-Identifier: MIT
#pragma once

#include "connection.hpp"
#include "reply.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Asking Sentinel where the servers of a group are.

namespace redis_groups {

/// A group as one sentinel sees it.
struct sighting {
    address master{};
    std::uint64_t epoch = 0; ///< of its configuration: it grows with each failover
    std::vector<address> replicas{};
};

/// What the answers to `SENTINEL MASTER` and `SENTINEL REPLICAS` say; nothing if the first is an
/// error or has no address. A replica without one is left out.
[[nodiscard]] std::optional<sighting> read_sighting(const reply& master, const reply& replicas);

/// The sentinels that watch the groups. Connections are made when needed and kept; for one thread.
class sentinels {
public:
    /// `options` are for the connections to the sentinels themselves.
    sentinels(const std::vector<address>& servers, connection_options options);

    /// What the sentinels say of `group`: of those that answer, the one with the latest epoch
    /// counts. Nothing if none answers or none knows it; `why_not` says which.
    [[nodiscard]] std::optional<sighting> look(std::string_view group);
    /// The names of all groups that the sentinels that answer watch, in order.
    [[nodiscard]] std::vector<std::string> groups();
    [[nodiscard]] const std::string& why_not() const noexcept { return why_not_; }
    [[nodiscard]] bool empty() const noexcept { return servers_.empty(); }

private:
    struct server {
        address where;
        std::optional<connection> link{};
    };

    [[nodiscard]] std::optional<sighting> ask(server& from, std::string_view group);
    [[nodiscard]] static connection& link_to(server& to, const connection_options& options);

    std::vector<server> servers_;
    connection_options options_;
    std::string why_not_;
};

} // namespace redis_groups
