// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/haproxy_hash.hpp>
#include <hashring/compat/haproxy_server.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/arranged.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/scheme.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// HAProxy's `hash-type consistent`, bit for bit.

namespace hashring::compat {

/// HAProxy's consistent hash: 16 points a unit of weight, made from a number and not from a name,
/// and the **nearest** point serves a key, on either side; of two at the same distance the one
/// before it.
///
/// The order of the list is that of the configuration, and a server's id is its place in it, unless
/// its address says otherwise: `ring.add({"s1", weight{1}, "id=77"})`; see `parse_haproxy_server`
/// and `haproxy_ids`. So a server that goes renumbers those behind it, unless they have ids of
/// their own. Ids that are equal modulo 2^20 have the same points: a shared one belongs to the
/// first server of the list from below and to the last from above.
///
/// What a point serves ends half-way to the next: there a `ring` holds it. Weights are whole
/// numbers up to 256, else `invalid_weight`. A server that is down leaves the ring, and keeps its
/// id: give it a weight of 0. Backup servers are down until no other is left, and then the first of
/// them takes all.
///
/// Without `hash` it is sdbm **with** avalanche; with `hash` sdbm it is without.
///
/// Source: HAProxy 2.6.12, lb_chash.c; `hash-key` as 3.5-dev of August 2026 has it.
struct haproxy : scheme_defaults<std::uint32_t>, haproxy_keys<true> {
    using keys = haproxy_keys<true>;

    static constexpr std::string_view name = "haproxy";
    static constexpr std::string_view summary =
        "HAProxy's hash-type consistent: 16 points a unit of weight by id, the nearest serves";
    static constexpr std::string_view point_rule =
        "the avalanche of the server's number (id * 4096, or by hash-key) plus j";
    static constexpr std::string_view owner_rule =
        "the nearest point, of two as near the one before; of equal ones the first from below, the "
        "last from above";
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    static constexpr bool points_are_arc_ends = true;
    static constexpr bool ejects = true;
    static constexpr std::uint32_t points_per_weight = 16;
    static constexpr scheme_option hash_key_option{
        "hash-key", "NAME", "id",
        "what servers are placed by: id, id32, addr, addr-port, guid, or id-3.0, the bug of "
        "releases 3.0.0 to October 2025"};

    haproxy_hash_key hash_key = haproxy_hash_key::id;

    [[nodiscard]] static constexpr auto options() noexcept {
        return with_option(keys::options(), hash_key_option);
    }

    void set(std::string_view option, std::string_view value) {
        if (option != hash_key_option.name) {
            keys::set(option, value);
            return;
        }
        hash_key = static_cast<haproxy_hash_key>(parse_name(option, value, haproxy_hash_key_names));
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        return option == hash_key_option.name
                   ? std::string(haproxy_hash_key_names[static_cast<std::size_t>(hash_key)])
                   : keys::get(option);
    }

    /// The address of a node with these attributes.
    [[nodiscard]] static std::string address_of(const node_attributes& said) {
        std::string text = said.id ? concat("id=", decimal(*said.id)) : std::string();
        const auto append = [&](std::string_view key, std::string_view value) {
            if (!value.empty()) {
                text += text.empty() ? "" : " ";
                text += key;
                text += value;
            }
        };
        append("addr=", said.address);
        append("guid=", said.guid);
        return text;
    }

    [[nodiscard]] list_points<std::uint32_t>
    place(std::span<const placed_node> nodes,
          std::span<const std::optional<std::uint32_t>> by_hand) const {
        list_points<std::uint32_t> all;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            all.counts.push_back(by_hand[i].value_or(points_per_weight * haproxy_weight(nodes[i])));
        }
        hashring::detail::check_point_count(all.counts);
        const std::vector<std::uint32_t> numbers = server_keys(nodes);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            for (std::uint32_t j = 0; j < all.counts[i]; ++j) {
                all.positions.push_back(haproxy_avalanche(numbers[i] + j));
            }
        }
        return at_arc_ends(all, [](std::uint32_t point, std::uint32_t next) {
            return point + (next - point) / 2;
        });
    }

    [[nodiscard]] static std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) {
        std::vector<std::uint32_t> result;
        for (const placed_node& node : nodes) {
            result.push_back(points_per_weight * haproxy_weight(node));
        }
        return result;
    }

    /// The server's own points; an id that it does not have of its own is its place, from 1.
    void points(const placed_node& node, std::span<std::uint32_t> out) const {
        const std::uint32_t number = lone_key(node);
        for (std::size_t j = 0; j < out.size(); ++j) {
            out[j] = haproxy_avalanche(number + static_cast<std::uint32_t>(j));
        }
    }

    [[nodiscard]] std::string label(const placed_node& node, std::uint32_t j) const {
        return concat("number ", decimal(lone_key(node)), " + ", decimal(j));
    }

    [[nodiscard]] bool places_keys_as(const haproxy& other) const noexcept {
        return keys::places_keys_as(other);
    }

    friend bool operator==(const haproxy&, const haproxy&) = default;

private:
    [[nodiscard]] std::vector<std::uint32_t> server_keys(std::span<const placed_node> nodes) const {
        std::vector<haproxy_server> servers;
        for (const placed_node& node : nodes) {
            servers.push_back(parse_haproxy_server(node.name, node.address));
        }
        std::vector<std::uint32_t> numbers = haproxy_ids(servers);
        for (std::size_t i = 0; i < servers.size(); ++i) {
            numbers[i] = haproxy_server_key(servers[i], numbers[i], hash_key);
        }
        return numbers;
    }

    [[nodiscard]] std::uint32_t lone_key(const placed_node& node) const {
        const haproxy_server server = parse_haproxy_server(node.name, node.address);
        return haproxy_server_key(server, server.id.value_or(node.index + 1), hash_key);
    }
};

static_assert(list_scheme<haproxy> && ejecting_scheme<haproxy> && arc_end_scheme<haproxy>);

} // namespace hashring::compat
