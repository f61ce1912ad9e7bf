// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/node_stats.hpp>
#include <hashring/balance/utilization.hpp>
#include <hashring/group/members.hpp>
#include <hashring/group/safe_mode.hpp>
#include <hashring/service/metrics_text.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The state of rings and groups as metrics. There is one series a node, group or copy at most,
/// never one a point or a key.
///
/// | metric | type | labels |
/// | --- | --- | --- |
/// | `hash_ring_nodes` | gauge | ring, state |
/// | `hash_ring_points` | gauge | ring, node |
/// | `hash_ring_ownership_ratio` | gauge | ring, node |
/// | `hash_ring_lookups_total` | counter | ring, node |
/// | `hash_ring_moved_keys_total` | counter | ring |
/// | `hash_ring_node_utilization_ratio` | gauge | ring, node |
/// | `hash_ring_lookup_duration_seconds` | histogram | ring |
/// | `hash_ring_group_copies` | gauge | ring, group, state |
/// | `hash_ring_group_safe_mode` | gauge | ring, group |
/// | `hash_ring_group_master` | gauge | ring, group, copy |
/// | `hash_ring_group_lag_bytes` | gauge | ring, group, copy |
/// | `hash_ring_group_writes_total` | counter | ring, group, outcome |
/// | `hash_ring_group_failovers_total` | counter | ring, group |
/// | `hash_ring_group_repaired_keys_total` | counter | ring, group |

namespace hashring {

/// Adds the nodes of a ring or table called `name`, how many are in which state, their virtual
/// nodes, and the fractions of the circle or of all hashes that they own. `state_of(node)` is the
/// state of a node, such as `up`, `down` or `safe_mode`. O(points).
template <class Lookup, class StateOf>
void add_ring_metrics(metrics_text& to, std::string_view name, const Lookup& ring,
                      StateOf state_of) {
    std::map<std::string, std::uint64_t> states;
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        const auto node = ring.node(i);
        ++states[std::string(state_of(node))];
        to.gauge("hash_ring_points", "Number of virtual nodes of a node.",
                 {{"ring", name}, {"node", node.name()}}, node.vnodes());
    }
    for (const auto& [state, count] : states) {
        to.gauge("hash_ring_nodes", "Number of nodes known to the ring, by state.",
                 {{"ring", name}, {"state", state}}, count);
    }
    if constexpr (requires { ring.shares(); }) {
        const std::vector<double> shares = ring.shares();
        for (std::uint32_t i = 0; i < ring.size(); ++i) {
            to.gauge("hash_ring_ownership_ratio", "Share of the hash space that a node owns.",
                     {{"ring", name}, {"node", ring.node(i).name()}}, shares[i]);
        }
    }
}

/// The same where the state of a node is `up`, or `idle` if it has no virtual nodes.
template <class Lookup>
void add_ring_metrics(metrics_text& to, std::string_view name, const Lookup& ring) {
    add_ring_metrics(to, name, ring, [](const auto& node) -> std::string_view {
        return node.vnodes() > 0 ? "up" : "idle";
    });
}

/// How many look-ups node `node` of ring `name` has answered.
inline void add_lookups(metrics_text& to, std::string_view name, std::string_view node,
                        std::uint64_t count) {
    to.counter("hash_ring_lookups_total", "Lookups answered by a node.",
               {{"ring", name}, {"node", node}}, count);
}

/// How many keys of ring `name` have changed their owner.
inline void add_moved_keys(metrics_text& to, std::string_view name, std::uint64_t count) {
    to.counter("hash_ring_moved_keys_total", "Keys whose owner changed.", {{"ring", name}}, count);
}

/// How full the nodes are that take part in plans, as ratios in [0, 1].
inline void add_utilization(metrics_text& to, std::string_view name,
                            std::span<const node_stats> nodes) {
    for (const node_stats& node : nodes) {
        if (node.takes_part()) {
            to.gauge("hash_ring_node_utilization_ratio", "Used share of a node's disk.",
                     {{"ring", name}, {"node", node.name}}, utilization(node).value());
        }
    }
}

/// How long look-ups took: see `metrics_text::histogram`; `bounds` and `sum` are in seconds.
inline void add_lookup_durations(metrics_text& to, std::string_view name,
                                 std::span<const double> bounds,
                                 std::span<const std::uint64_t> counts, double sum) {
    to.histogram("hash_ring_lookup_duration_seconds", "Time of one lookup.", {{"ring", name}},
                 bounds, counts, sum);
}

/// What a client counts of a group.
struct group_counts {
    std::uint64_t done = 0; ///< writes
    std::uint64_t refused = 0;
    std::uint64_t unknown = 0;
    std::uint64_t failovers = 0;
    std::uint64_t repaired_keys = 0;
};

/// Adds the copies of a group of a ring: how many are in each state, which is the master, how far
/// each is behind the furthest (offsets are in bytes), and whether the group is in safe mode.
inline void add_group_metrics(metrics_text& to, std::string_view ring_name,
                              std::string_view group_name, const group::members& copies,
                              group::mode mode) {
    using group::copy_state;
    for (const copy_state state :
         {copy_state::up, copy_state::behind, copy_state::repairing, copy_state::down}) {
        to.gauge("hash_ring_group_copies", "Number of copies of a group, by state.",
                 {{"ring", ring_name}, {"group", group_name}, {"state", describe(state)}},
                 copies.count(state));
    }
    to.gauge("hash_ring_group_safe_mode", "Whether the group takes no writes until it is repaired.",
             {{"ring", ring_name}, {"group", group_name}}, mode == group::mode::safe ? 1 : 0);
    std::uint64_t furthest = 0;
    for (const group::copy& c : copies) {
        furthest = c.offset > furthest ? c.offset : furthest;
    }
    for (const group::copy& c : copies) {
        to.gauge("hash_ring_group_master", "Whether the copy is the master of its group.",
                 {{"ring", ring_name}, {"group", group_name}, {"copy", c.name}},
                 c.role == group::role::master ? 1 : 0);
        to.gauge("hash_ring_group_lag_bytes", "How far the copy is behind the furthest one.",
                 {{"ring", ring_name}, {"group", group_name}, {"copy", c.name}},
                 furthest - c.offset);
    }
}

/// Adds what was counted of a group.
inline void add_group_counts(metrics_text& to, std::string_view ring_name,
                             std::string_view group_name, const group_counts& counts) {
    const auto add_writes = [&](std::string_view outcome, std::uint64_t count) {
        to.counter("hash_ring_group_writes_total", "Writes to a group, by what became of them.",
                   {{"ring", ring_name}, {"group", group_name}, {"outcome", outcome}}, count);
    };
    add_writes("done", counts.done);
    add_writes("refused", counts.refused);
    add_writes("unknown", counts.unknown);
    to.counter("hash_ring_group_failovers_total", "Times that a replica became the master.",
               {{"ring", ring_name}, {"group", group_name}}, counts.failovers);
    to.counter("hash_ring_group_repaired_keys_total", "Keys that a copy was given anew.",
               {{"ring", ring_name}, {"group", group_name}}, counts.repaired_keys);
}

} // namespace hashring
