// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/haproxy_hash.hpp>
#include <hashring/compat/ip_address.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/bytes.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/xxhash.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The number by which HAProxy knows a server on its ring.

namespace hashring::compat {

/// What of a server HAProxy makes its points from.
enum class haproxy_hash_key : std::uint8_t {
    id,        ///< id · 4096: 2.x, and 3.0 and later since October 2025
    id_3_0,    ///< the avalanche of id, which releases from 3.0.0 on until October 2025 have
    id32,      ///< 3.4's
    addr,      ///< the address, without port (3.0)
    addr_port, ///< both (3.0)
    guid       ///< 3.4's
};

/// Their names as `hash-key` and the command line spell them; `id-3.0` is our name for the bug.
inline constexpr std::array<std::string_view, 6> haproxy_hash_key_names = {
    "id", "id-3.0", "id32", "addr", "addr-port", "guid"};

/// What a server's line says of it.
struct haproxy_server {
    std::optional<std::uint32_t> id;
    std::string_view addr;
    std::string_view guid;
};

/// Reads a `node_spec::address` of HAProxy's schemes: `id=N`, `addr=IP:PORT` and `guid=TEXT`,
/// between blanks, as many of them as there are. Throws `invalid_node` for anything else and for an
/// id of 0.
[[nodiscard]] inline haproxy_server parse_haproxy_server(std::string_view node,
                                                         std::string_view text) {
    haproxy_server result;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        const std::size_t equals = word.find('=');
        const std::string_view key = word.substr(0, equals);
        const std::string_view value =
            equals == std::string_view::npos ? std::string_view{} : word.substr(equals + 1);
        if (key == "id" && parse_decimal<std::uint32_t>(value).value_or(0) > 0) {
            result.id = parse_decimal<std::uint32_t>(value);
        } else if (key == "addr" && !value.empty()) {
            result.addr = value;
        } else if (key == "guid" && !value.empty()) {
            result.guid = value;
        } else if (!word.empty()) {
            throw invalid_node(concat("'", word, "' of the node '", node,
                                      "' is none of id=N with N above 0, addr=IP:PORT, guid=TEXT"));
        }
    }
    return result;
}

/// The ids of servers in the order of the configuration: their own, and for those that have none
/// the lowest number that is free from a counter on, which starts at 1 and moves past every server.
///
/// Throws `invalid_node` for an id that comes twice.
[[nodiscard]] inline std::vector<std::uint32_t>
haproxy_ids(std::span<const haproxy_server> servers) {
    std::vector<std::uint32_t> taken;
    for (const haproxy_server& server : servers) {
        if (server.id) {
            taken.push_back(*server.id);
        }
    }
    std::sort(taken.begin(), taken.end());
    if (const auto twice = std::adjacent_find(taken.begin(), taken.end()); twice != taken.end()) {
        throw invalid_node(concat("the id ", decimal(*twice), " is given to two servers"));
    }
    std::vector<std::uint32_t> ids;
    std::uint32_t next = 1;
    for (const haproxy_server& server : servers) {
        while (!server.id && std::binary_search(taken.begin(), taken.end(), next)) {
            ++next;
        }
        ids.push_back(server.id.value_or(next));
        ++next;
    }
    return ids;
}

namespace detail {

[[nodiscard]] inline std::uint32_t haproxy_address_key(const ip_endpoint& server,
                                                       bool with_port) noexcept {
    const std::uint32_t start = with_port ? haproxy_avalanche(server.port) : 0;
    const auto bytes = server.address.characters();
    const std::string_view text(bytes.data(), server.address.size);
    return text.size() == 4 ? haproxy_avalanche(start + load_le32(text, 0))
                            : hash::xxh32{start}(text);
}

[[nodiscard]] constexpr std::uint32_t byte_swapped(std::uint32_t a) noexcept {
    return a << 24U | (a & 0xff00U) << 8U | (a >> 8U & 0xff00U) | a >> 24U;
}

} // namespace detail

/// The number that a server's points are made from: point j is the avalanche of it plus j. A server
/// without what `by` asks for, such as one with a host name for its address, has that of its id.
///
/// IPv4 addresses are read as little-endian numbers, as the program does on x86.
///
/// Source: HAProxy 2.6 and 3.5-dev of August 2026, lb_chash.c.
[[nodiscard]] inline std::uint32_t haproxy_server_key(const haproxy_server& server,
                                                      std::uint32_t id, haproxy_hash_key by) {
    constexpr std::uint32_t points_per_id = 4096;
    const auto address = parse_ip_endpoint(server.addr);
    if ((by == haproxy_hash_key::addr || by == haproxy_hash_key::addr_port) && address) {
        return detail::haproxy_address_key(*address, by == haproxy_hash_key::addr_port);
    }
    if (by == haproxy_hash_key::guid && !server.guid.empty()) {
        return hash::xxh32{}(server.guid);
    }
    if (by == haproxy_hash_key::id32) {
        return haproxy_avalanche(detail::byte_swapped(id));
    }
    return by == haproxy_hash_key::id_3_0 ? haproxy_avalanche(id) : id * points_per_id;
}

/// The weight of a server, a whole number up to 256. Throws `invalid_weight`.
[[nodiscard]] inline std::uint32_t haproxy_weight(const placed_node& node) {
    const std::uint64_t w = whole_weight(node.name, node.weight);
    if (w > 256) {
        throw invalid_weight(concat("the weight ", node.weight.text(), " of '", node.name,
                                    "' is above 256, the most that HAProxy takes"));
    }
    return static_cast<std::uint32_t>(w);
}

} // namespace hashring::compat
