// SPDX-License-Identifier: MIT
#pragma once

#include "../../tool/grid.hpp"
#include "../../tool/output.hpp"
#include "../farm/cluster.hpp"
#include "../store/client.hpp"
#include "../store/placement.hpp"
#include "../store/settings.hpp"
#include "../trial/traffic.hpp"

#include <hashring/service/metrics.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// What the acts of the demo share.

namespace redis_groups::demo {

/// Servers, a ring of them, a client, and where the story is told.
class stage {
public:
    /// Starts `groups` groups of a master and two replicas each, and their sentinels. Throws as
    /// `cluster`.
    stage(std::size_t groups, tool::output& out);

    /// Tells something at once, with the time since the beginning; a title begins an act.
    void title(std::string_view text);
    void say(std::string_view text);
    void show(const tool::grid& table);

    /// So many keys that begin with `prefix` and belong to a group of the ring.
    [[nodiscard]] std::vector<std::string> keys_in(std::uint32_t group, std::string_view prefix,
                                                   std::size_t count) const;
    /// Takes in what other clients counted.
    void take_in(const std::vector<hashring::group_counts>& counts) {
        add_counts(counts, counted_);
    }
    /// The ring and the groups in the text format of Prometheus.
    [[nodiscard]] std::string metrics();

    cluster servers;
    settings chosen; ///< sentinels, a majority to write and to read, and patience for a failover
    std::shared_ptr<placement> ring;
    client own;
    std::uint64_t moved_keys = 0;

private:
    using clock = std::chrono::steady_clock;

    tool::output& out_;
    clock::time_point start_ = clock::now();
    std::vector<hashring::group_counts> counted_;
};

/// `done` of `all` in percent, such as `33.3`.
[[nodiscard]] std::string percent_of(double part, double all);

} // namespace redis_groups::demo
