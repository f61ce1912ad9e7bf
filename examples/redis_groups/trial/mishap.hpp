// SPDX-License-Identifier: MIT
#pragma once

#include "traffic.hpp"

#include <hashring/group/rules.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// \file
/// What is lost when servers die under load.

namespace redis_groups {

/// What happens to a group that is being written to.
enum class mishap : std::uint8_t {
    replica_dies,          ///< and stays away
    master_dies,           ///< its machine with it: what is on the way to the replicas is lost
    master_returns_empty,  ///< its process, and it is started again with nothing
    master_returns_intact, ///< its process, and it is started again with what is on its disk
};

/// One trial: a group, how it is written to, and what happens.
struct mishap_trial {
    hashring::group::write_strategy write{};
    std::size_t replicas = 0;
    mishap what{};
};

/// What became of the writes.
struct mishap_result {
    traffic_counts counts{};
    std::uint64_t lost = 0;            ///< acknowledged writes that are not there any more
    std::chrono::milliseconds pause{}; ///< the longest without a done write
};

struct mishap_options {
    std::chrono::milliseconds before{400};
    std::chrono::milliseconds after{500};
    std::chrono::milliseconds link_delay{50}; ///< between a master and its replicas
    std::size_t keys = 300'000; ///< so many that none is written again, which would hide a loss
    std::size_t clients = 2;
};

/// The trials of the paper's table 1, and those that its text speaks of.
[[nodiscard]] const std::vector<mishap_trial>& mishap_trials();
[[nodiscard]] std::string_view describe(mishap what);

/// Starts a group of its own, writes to it, lets it happen, and promotes the furthest replica where
/// the master is gone. Throws `std::runtime_error`, `std::system_error` if servers cannot be
/// started.
[[nodiscard]] mishap_result run_mishap(const mishap_trial& trial, const mishap_options& options);

} // namespace redis_groups
