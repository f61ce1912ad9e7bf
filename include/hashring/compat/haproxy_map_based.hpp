// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/haproxy_hash.hpp>
#include <hashring/compat/haproxy_server.hpp>
#include <hashring/compat/modula.hpp>
#include <hashring/core/node.hpp>
#include <hashring/ring/point_list.hpp>
#include <hashring/table/scheme.hpp>
#include <hashring/table/slots.hpp>

#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// HAProxy's `hash-type map-based`: a list of servers, and a remainder.

namespace hashring::compat {

/// HAProxy's map-based hash: servers in turns by weight, each turn to the one that is furthest
/// behind, and a key has the turn of its hash modulo their number. Nearly every key moves when the
/// list or a weight changes.
///
/// Names and ids are not hashed. Weights are whole numbers up to 256, else `invalid_weight`; they
/// are divided by what is common to all. Without `hash` it is sdbm, without avalanche. A server
/// that is down has no turns.
///
/// Source: HAProxy 2.6.12, lb_map.c.
struct haproxy_map_based : detail::modula_rules<>, haproxy_keys<false> {
    static constexpr std::string_view name = "haproxy-map-based";
    static constexpr std::string_view summary =
        "HAProxy's hash-type map-based: the hash modulo a list of turns by weight";
    static constexpr std::string_view node_rule =
        "each slot goes to the first server with the largest (score + slots) / slots, which its "
        "weight adds to and the slot takes from";
    static constexpr std::string_view owner_rule = "the owner of slot hash mod the number of slots";
    static constexpr bool order_matters = true;

    [[nodiscard]] static slot_list build(std::span<const placed_node> nodes) {
        std::vector<std::uint32_t> weights;
        std::uint32_t common = 0;
        for (const placed_node& node : nodes) {
            weights.push_back(haproxy_weight(node));
            common = std::gcd(common, weights.back());
        }
        std::int64_t size = 0;
        for (std::uint32_t& w : weights) {
            w /= common == 0 ? 1 : common;
            size += w;
        }
        return slot_list(turns(weights, size));
    }

    friend bool operator==(const haproxy_map_based&, const haproxy_map_based&) = default;

private:
    /// O(size · servers), as in the program.
    [[nodiscard]] static std::vector<std::uint32_t> turns(std::span<const std::uint32_t> weights,
                                                          std::int64_t size) {
        std::vector<std::uint32_t> result;
        std::vector<std::int64_t> scores(weights.size());
        for (std::int64_t slot = 0; slot < size; ++slot) {
            std::uint32_t best = no_node;
            std::int64_t most = 0;
            for (std::uint32_t i = 0; i < weights.size(); ++i) {
                scores[i] += weights[i];
                const std::int64_t rank = (scores[i] + size) / size;
                if (weights[i] > 0 && (best == no_node || rank > most)) {
                    best = i;
                    most = rank;
                }
            }
            scores[best] -= size;
            result.push_back(best);
        }
        return result;
    }
};

static_assert(slotted_scheme<haproxy_map_based>);

} // namespace hashring::compat
