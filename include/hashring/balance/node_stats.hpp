// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

/// \file
/// What is known of a node when a plan is made.

namespace hashring {

/// Whether a node takes part in plans.
enum class node_state : std::uint8_t {
    in_service, ///< it does
    leaving,    ///< it hands its data over (decommissioning, maintenance) and gets nothing more
    down,       ///< it does not answer; its numbers may be old
};

/// A node's capacity and load, as its user measured them.
///
/// Only nodes that are in service and have a capacity take part in anything; the others are left
/// out of every mean, sum, median and plan. Numbers that cannot be are given a meaning rather than
/// failing a whole round: `used` above `total` counts as full, and a `total` of 0 as full too.
struct node_stats {
    std::string name{};
    /// The capacity, in bytes or any other unit that is the same for all nodes.
    std::uint64_t total = 0;
    /// What is used of it, in the same unit.
    std::uint64_t used = 0;
    /// The virtual nodes that it has; a node with none is left alone by the rebalancer.
    std::uint32_t vnodes = 0;
    /// Requests in the last period, if plans go by them.
    std::optional<std::uint64_t> requests{};
    node_state state = node_state::in_service;

    /// A node of which the free part is known; `free` above `total` counts as empty.
    [[nodiscard]] static node_stats with_free(std::string node_name, std::uint64_t capacity,
                                              std::uint64_t free, std::uint32_t count = 0) {
        node_stats result;
        result.name = std::move(node_name);
        result.total = capacity;
        result.used = capacity - std::min(capacity, free);
        result.vnodes = count;
        return result;
    }

    /// What is used and fits: at most `total`.
    [[nodiscard]] constexpr std::uint64_t stored() const noexcept { return std::min(used, total); }
    /// What is left of the capacity, at least 0.
    [[nodiscard]] constexpr std::uint64_t free() const noexcept { return total - stored(); }
    /// Whether the node counts in means and may be given data.
    [[nodiscard]] constexpr bool takes_part() const noexcept {
        return state == node_state::in_service && total > 0;
    }

    friend bool operator==(const node_stats&, const node_stats&) = default;
};

} // namespace hashring
