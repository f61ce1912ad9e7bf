// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/libmemcached_rules.hpp>
#include <hashring/compat/memcached_hash.hpp>
#include <hashring/compat/memcached_options.hpp>
#include <hashring/compat/modula.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/table/scheme.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/// \file
/// libmemcached 1.1.4 as it comes, without a ring.

namespace hashring::compat {

/// libmemcached's own distribution (`MEMCACHED_DISTRIBUTION_MODULA`), php-memcached's and pylibmc's
/// too if nothing else is set: the key's hash modulo the number of servers names the one in the
/// list. **Weights are ignored** (by twemproxy's `modula` they are not), 0 aside: such a node is
/// not there, and the program itself takes 0 for 1, as `take` does.
///
/// Names place nothing. Where the program was told to sort its hosts, hand it a list that
/// `sort_hosts` has sorted.
///
/// Source: libmemcached 1.1.4, `dispatch_host` in hash.cc.
struct libmemcached_modula : detail::modula_rules<>,
                             keys_by_hash<memcached_hash, memcached_hash_kind::one_at_a_time> {
    static constexpr std::string_view name = "libmemcached-modula";
    static constexpr std::string_view summary =
        "libmemcached without a ring: the key's hash modulo the number of servers";
    static constexpr std::string_view node_rule =
        "node i of the list, from 0, is server i, whatever it weighs";
    static constexpr std::string_view owner_rule = "server hash mod n of n servers";
    static constexpr bool order_matters = true;

    /// Makes weights of 0 into 1, as the program does. Throws `invalid_weight` for a fraction.
    static void take(std::span<node_spec> nodes) { detail::take_libmemcached_weights(nodes); }

    [[nodiscard]] static slot_list build(std::span<const placed_node> nodes) {
        return detail::equal_slots(nodes);
    }

    friend bool operator==(const libmemcached_modula&, const libmemcached_modula&) = default;
};

static_assert(slotted_scheme<libmemcached_modula>);

/// Puts `nodes` in the order of a libmemcached that was told to sort its hosts
/// (`MEMCACHED_BEHAVIOR_SORT_HOSTS`): by the bytes of the host, then by port as a number, 11211 if
/// the name has none. It decides by modulo who is who, and on a ring who owns a shared position.
///
/// Source: libmemcached 1.1.4, `sort_hosts` in hosts.cc.
inline void sort_hosts(std::vector<node_spec>& nodes) {
    const auto host_and_port = [](std::string_view name) {
        const std::size_t colon = name.rfind(':');
        const auto port = colon == std::string_view::npos
                              ? std::optional<std::uint32_t>(11211)
                              : parse_decimal<std::uint32_t>(name.substr(colon + 1));
        return std::tuple(name.substr(0, colon), port.value_or(0));
    };
    std::vector<std::size_t> order(nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(host_and_port(nodes[a].name), a) <
               std::tuple(host_and_port(nodes[b].name), b);
    });
    std::vector<node_spec> sorted;
    sorted.reserve(nodes.size());
    for (const std::size_t i : order) {
        sorted.push_back(std::move(nodes[i]));
    }
    nodes = std::move(sorted);
}

} // namespace hashring::compat
