// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/hash/sha1.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Ruby's Dalli 3.0.6, bit for bit.

namespace hashring::compat {

namespace detail {

/// The host at the beginning of a text, and how many bytes it takes there.
struct dalli_host {
    std::string_view name;
    std::size_t size = 0;
};

/// What stands in brackets if it is of hexadecimal digits and colons, or all up to the first colon.
[[nodiscard]] constexpr dalli_host dalli_host_of(std::string_view text) noexcept {
    const std::size_t end = text.find_first_not_of("0123456789abcdefABCDEF:", 1);
    if (text.starts_with('[') && end != std::string_view::npos && text[end] == ']' &&
        (end + 1 == text.size() || text[end + 1] == ':')) {
        return {text.substr(1, end - 1), end + 1};
    }
    const std::size_t size = std::min(text.find(':'), text.size());
    return {text.substr(0, size), size};
}

} // namespace detail

/// The text by which Dalli knows a server: `host:port`, 11211 if it has no port, an address without
/// its brackets; of a Unix socket the path, which starts with a slash.
///
/// Throws `invalid_node` for what the program cannot read, for a weight behind the port (it is the
/// node's), and for a port with a zero in front, which Ruby takes for octal.
///
/// Source: Dalli 3.0.6, server_config_parser.rb.
[[nodiscard]] inline std::string dalli_server_name(std::string_view text) {
    const auto [host, size] = detail::dalli_host_of(text);
    const bool is_path = host.starts_with('/');
    const bool is_host = !host.empty();
    if (is_host && size == text.size()) {
        return is_path ? std::string(host) : concat(host, ":11211");
    }
    const std::string_view port = text.substr(std::min(size + 1, text.size()));
    const bool is_number = !port.empty() &&
                           port.find_first_not_of("0123456789") == std::string_view::npos &&
                           (port.front() != '0' || port.size() == 1);
    if (!is_host || is_path || !is_number) {
        throw invalid_node(concat("Dalli does not read '", text,
                                  "' as host:port, [v6]:port or the path of a socket"));
    }
    return concat(host, ":", port);
}

/// The label `name:j`, name being what Dalli calls the server.
struct dalli_label {
    static constexpr std::string_view name = "host:port:j";
    static constexpr bool unambiguous = false; // "a" and "a:11211" are one server

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        out += dalli_server_name(node.name);
        out += ':';
        append_decimal(out, j);
    }

    friend bool operator==(const dalli_label&, const dalli_label&) = default;
};

/// Dalli's ring: about 160 points a server in proportion to the weights, the first four bytes of
/// SHA-1 digests; keys stand at their CRC-32, and the last point **at or before** a key serves it,
/// before the first point the last one. So numbers are counted backwards here, and what comes next
/// on the ring is the point below.
///
/// A server's name is as in `dalli_server_name`. **Every count depends on every node**; a node of
/// weight 0 owns nothing and counts as a server all the same. Weights are whole numbers: a fraction
/// throws `invalid_weight`. On one position the server that comes last owns (where Ruby's sort is
/// stable, as with glibc 2.36; the program leaves it to that).
///
/// Keys of more than 250 characters and namespaces: the ring sees what is sent to the server, the
/// shortened key with its namespace.
///
/// If a server is down the key is hashed again: `position(key, t)`. After 20 tries the program
/// gives up, as it does after the first with `failover: false`.
///
/// Source: Dalli 3.0.6, ring.rb.
struct dalli : scheme_defaults<std::uint32_t>, no_options {
    static constexpr std::string_view name = "dalli";
    static constexpr std::string_view summary =
        "Ruby's Dalli: about 160 points a server by weight, SHA-1; the point before a key serves";
    static constexpr std::string_view key_rule = "CRC-32 of the key";
    static constexpr std::string_view point_rule =
        "the first 4 bytes of the SHA-1 of host:port:j, most significant first, counts by weight "
        "in integers";
    static constexpr std::string_view owner_rule =
        "the last point at or before the key, before the first one the last";
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    static constexpr bool mirrored = true;
    static constexpr tie_rule ties = tie_rule::last;
    /// How often the program hashes a key to find a server that is up.
    static constexpr std::uint32_t tries = 20;

    [[nodiscard]] static constexpr std::uint32_t position(std::string_view key) noexcept {
        return counted_back(hash::crc32{}(key));
    }

    /// Where the key stands at try `t` in [0, tries): from 1 on the key with t - 1 in front.
    [[nodiscard]] static std::uint32_t position(std::string_view key, std::uint32_t t) {
        return t == 0 ? position(key) : position(concat(decimal(t - 1), key));
    }

    [[nodiscard]] static std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) {
        for (const placed_node& node : nodes) {
            (void)dalli_server_name(node.name);
        }
        return proportional_counts(nodes, 160, 1);
    }

    static void points(const placed_node& node, std::span<std::uint32_t> out) {
        points_by_label(hash::sha1{}, dalli_label{}, node, out);
        std::transform(out.begin(), out.end(), out.begin(), counted_back);
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return label_text(dalli_label{}, node, j);
    }

    /// The program's number.
    [[nodiscard]] static std::string text(std::uint32_t position) {
        return decimal(counted_back(position));
    }

    friend bool operator==(const dalli&, const dalli&) = default;

private:
    [[nodiscard]] static constexpr std::uint32_t counted_back(std::uint32_t number) noexcept {
        return last_position - number;
    }
};

static_assert(placement_scheme<dalli> && retrying_scheme<dalli> && mirrored_scheme<dalli>);

} // namespace hashring::compat
