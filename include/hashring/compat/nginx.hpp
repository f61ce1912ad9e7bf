// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/placement/arranged.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// nginx 1.22.1, `hash KEY consistent`: its ring, bit for bit.

namespace hashring::compat {

/// The two parts of what an nginx configuration has behind `server`.
struct nginx_server {
    std::string_view host;
    std::string_view port; ///< digits, or nothing

    friend constexpr bool operator==(const nginx_server&, const nginx_server&) = default;
};

/// Splits `text`: the digits behind the last colon are the port, if nothing else follows it; a text
/// that starts with `unix:` in any case has what follows for its host.
///
/// Nothing is resolved or made equal: `a` and `a:80` are two servers, `[::1]` keeps its brackets.
///
/// Source: nginx 1.22.1, `ngx_http_upstream_init_chash`.
[[nodiscard]] constexpr nginx_server split_nginx_server(std::string_view text) noexcept {
    constexpr std::string_view unix_prefix = "unix:";
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    if (text.size() >= unix_prefix.size() &&
        std::equal(unix_prefix.begin(), unix_prefix.end(), text.begin(),
                   [&](char wanted, char c) { return wanted == lower(c); })) {
        return {text.substr(unix_prefix.size()), {}};
    }
    std::size_t digits = text.size();
    while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9') {
        --digits;
    }
    if (digits > 0 && text[digits - 1] == ':') {
        return {text.substr(0, digits - 1), text.substr(digits)};
    }
    return {text, {}};
}

/// nginx's consistent hash: a chain of 160 CRC-32 a unit of weight, each of the server's text and
/// the one before. The stream module's is the same.
///
/// A node's name is the text behind `server` in the configuration, letter for letter, and the order
/// of the list is that of the configuration: on one position the server that comes first owns, and
/// the point of the other is dropped, as in the program. Two lines with the same text are one node
/// to it: see `merge_nginx_servers`. Weights are whole numbers: a fraction throws `invalid_weight`.
///
/// A server that is down keeps its points, and the next point's server answers; the program tries
/// 21 points and then goes round robin, which no ring can tell. It does so for an empty key too,
/// and asks nobody to hash where there is one server only.
///
/// Source: nginx 1.22.1, ngx_http_upstream_hash_module.c; the same ring since 1.7.2 (on big-endian
/// machines since 1.9.1). The tie is that of a stable qsort, as in glibc.
struct nginx : scheme_defaults<std::uint32_t>, no_options {
    static constexpr std::string_view name = "nginx";
    static constexpr std::string_view summary =
        "nginx's hash ... consistent: 160 chained CRC-32 a unit of weight";
    static constexpr std::string_view key_rule = "CRC-32 of the key";
    static constexpr std::string_view point_rule =
        "CRC-32 of host, NUL, port and the point before as 4 little-endian bytes; 160 a unit of "
        "weight; of equal points the first alone";
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    static constexpr std::uint32_t points_per_weight = 160;
    /// How many points the program asks for a server that is up.
    static constexpr std::uint32_t tries = 21;

    [[nodiscard]] static constexpr std::uint32_t position(std::string_view key) noexcept {
        return hash::crc32{}(key);
    }

    [[nodiscard]] static list_points<std::uint32_t>
    place(std::span<const placed_node> nodes,
          std::span<const std::optional<std::uint32_t>> by_hand) {
        std::vector<std::uint32_t> wished;
        for (const placed_node& node : nodes) {
            wished.push_back(wished_count(node));
        }
        return without_equal_points(counted_points(nginx{}, nodes, by_hand, std::move(wished)));
    }

    [[nodiscard]] static std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) {
        const std::vector<std::optional<std::uint32_t>> none(nodes.size());
        return place(nodes, none).counts;
    }

    static void points(const placed_node& node, std::span<std::uint32_t> out) {
        std::string text = base_of(node);
        const std::size_t base = text.size();
        std::uint32_t before = 0;
        for (std::uint32_t& point : out) {
            text.resize(base);
            for (unsigned shift = 0; shift < 32; shift += 8) {
                text += static_cast<char>(static_cast<unsigned char>((before >> shift) & 0xffU));
            }
            point = before = hash::crc32{}(text);
        }
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        const nginx_server server = split_nginx_server(node.name);
        return concat(server.host, " NUL ", server.port, " link ", decimal(j));
    }

    friend bool operator==(const nginx&, const nginx&) = default;

private:
    [[nodiscard]] static std::string base_of(const placed_node& node) {
        const nginx_server server = split_nginx_server(node.name);
        return concat(server.host, std::string_view("\0", 1), server.port);
    }

    /// Its weight times 160, or more than a ring holds.
    [[nodiscard]] static std::uint32_t wished_count(const placed_node& node) {
        return static_cast<std::uint32_t>(whole_weight(node.name, node.weight)) * points_per_weight;
    }
};

/// `servers` with those of one text as one: it has the points of the one that weighs most, as a
/// chain of more links starts with those of one of fewer. It stands where the text stood first.
[[nodiscard]] inline std::vector<node_spec>
merge_nginx_servers(std::span<const node_spec> servers) {
    std::vector<node_spec> merged;
    for (const node_spec& server : servers) {
        const auto known = std::find_if(merged.begin(), merged.end(), [&](const node_spec& other) {
            return other.name == server.name;
        });
        if (known == merged.end()) {
            merged.push_back(server);
        } else {
            known->weight = std::max(known->weight, server.weight);
        }
    }
    return merged;
}

static_assert(list_scheme<nginx>);

} // namespace hashring::compat
