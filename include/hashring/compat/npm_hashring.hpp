// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/equal_counts.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/compat/scaled_ring.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// npm's hashring 3.2.0 for Node.js, bit for bit.

namespace hashring::compat {

/// The label `server-j`, or `host-j` for a server at the default port. What stands between the
/// first two colons is the port.
struct npm_label {
    static constexpr std::string_view name = "server-j";
    static constexpr bool unambiguous = false; // "a" and "a:11211" may be one

    std::uint32_t default_port = 0; ///< or 0 for none

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        const std::size_t colon = node.name.find(':');
        const std::size_t begin = colon == std::string_view::npos ? node.name.size() : colon + 1;
        const std::string_view port = node.name.substr(begin, node.name.find(':', begin) - begin);
        const bool at_default =
            default_port != 0 && parse_decimal<std::uint32_t>(port) == default_port;
        out += at_default ? node.name.substr(0, colon) : node.name;
        out += '-';
        append_decimal(out, j);
    }

    friend bool operator==(const npm_label&, const npm_label&) = default;
};

/// npm hashring's ring: about 160 points a server in proportion to the weights, the four words of
/// the MD5 digests of `server-j`, or, compatible with `hash_ring`, three of them. `vnodes` is its
/// `vnode count`, `default-port` its `default port`: servers there are hashed without it.
///
/// Counts are products of doubles, rounded at each step and then down, so that of three equal
/// servers with 100 virtual nodes each has 99; **each depends on every node**. A server's own
/// `vnodes` takes the place of the formula, unless it equals `vnodes` or is 0; its weight counts
/// for the others all the same. Here it stands in the node's address:
/// `ring.add({"10.0.0.1:11211", weight{1}, "vnodes=100"})`. Weights may be fractions; 0 means 1
/// there, and `take` makes it that.
///
/// Keys are texts: bytes that are no UTF-8 cannot be a key there. On one position the server that
/// comes first owns (Node.js 11 and later, whose sort is stable). An object of servers has those
/// that are whole numbers first.
///
/// Source: npm hashring 3.2.0 and connection-parse 0.0.7, index.js of each.
struct npm_hashring : scheme_defaults<std::uint32_t> {
    static constexpr std::string_view name = "npm-hashring";
    static constexpr std::string_view summary =
        "npm's hashring for Node.js: about 160 points a server by weight, MD5 of the server";
    static constexpr std::string_view key_rule = "first little-endian word of the key's MD5";
    static constexpr std::string_view point_rule =
        "the 4 words of the MD5 of server-j (compatible with hash_ring: 3 of them), counts by "
        "weight in doubles; of a server at default-port only the host";
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    /// The most digests that a server may ask for.
    static constexpr std::uint32_t most_digests = max_points / 4;
    static constexpr std::array<std::string_view, 2> compatibility_names = {"ketama", "hash_ring"};
    static constexpr scheme_option compatibility_option{
        "compatibility", "NAME", "ketama",
        "words of each digest that are points: ketama has 4, hash_ring 3"};
    static constexpr scheme_option vnodes_option{"vnodes", "N", "40",
                                                 "digests of an average server, its 'vnode count'"};
    static constexpr scheme_option port_option{
        "default-port", "PORT", "0", "servers at this port are hashed without it; 0 is none"};

    bool as_hash_ring = false;
    std::uint32_t vnodes = 40; ///< in [1, most_digests]
    npm_label text_of{};

    [[nodiscard]] static constexpr std::array<scheme_option, 3> options() noexcept {
        return {compatibility_option, vnodes_option, port_option};
    }

    void set(std::string_view option, std::string_view value) {
        if (option == compatibility_option.name) {
            as_hash_ring = parse_name(option, value, compatibility_names) == 1;
        } else if (option == vnodes_option.name) {
            vnodes = hashring::detail::parse_whole(option, value, 1, most_digests);
        } else if (option == port_option.name) {
            text_of.default_port = hashring::detail::parse_whole(option, value, 0, 65535);
        } else {
            throw unknown_option(option);
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        if (option == compatibility_option.name) {
            return std::string(compatibility_names[as_hash_ring ? 1 : 0]);
        }
        if (option == vnodes_option.name) {
            return decimal(vnodes);
        }
        if (option == port_option.name) {
            return decimal(text_of.default_port);
        }
        throw unknown_option(option);
    }

    /// Makes weights of 0 into 1, as the program does.
    static void take(std::span<node_spec> nodes) { ignore_weights(nodes); }

    [[nodiscard]] static constexpr std::uint32_t position(std::string_view key) noexcept {
        return hash::md5{}(key);
    }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        double total = 0.0;
        for (const placed_node& node : nodes) {
            total = rounded(total + node.weight.value());
        }
        std::vector<std::uint32_t> result;
        for (const placed_node& node : nodes) {
            result.push_back(
                node.weight > weight{0} ? words() * digests_of(node, total, nodes.size()) : 0);
        }
        return result;
    }

    void points(const placed_node& node, std::span<std::uint32_t> out) const {
        points_by_digest(text_of, node, out, words());
    }

    [[nodiscard]] std::string label(const placed_node& node, std::uint32_t j) const {
        return digest_label(text_of, node, j, words());
    }

    friend bool operator==(const npm_hashring&, const npm_hashring&) = default;

private:
    [[nodiscard]] std::uint32_t words() const noexcept { return as_hash_ring ? 3 : 4; }

    /// The digests of one of `servers` whose weights sum to `total`.
    [[nodiscard]] std::uint32_t digests_of(const placed_node& node, double total,
                                           std::size_t servers) const {
        const std::uint32_t own = own_vnodes(node);
        const double part = rounded(node.weight.value() / total);
        const double digests =
            own != vnodes
                ? own
                : std::floor(rounded(rounded(part * vnodes) * static_cast<double>(servers)));
        if (digests > most_digests) {
            throw invalid_point_count(
                concat("the server '", node.name, "' gets more points than a ring holds"));
        }
        return static_cast<std::uint32_t>(digests);
    }

    /// What the address says in the form `vnodes=100`, or what all servers have.
    [[nodiscard]] std::uint32_t own_vnodes(const placed_node& node) const {
        constexpr std::string_view key = "vnodes=";
        if (!node.address.starts_with(key)) {
            return vnodes;
        }
        const auto own = parse_decimal<std::uint32_t>(node.address.substr(key.size()));
        if (!own) {
            throw invalid_node(concat("the server '", node.name,
                                      "' has a number of virtual nodes, '", node.address,
                                      "', that is none"));
        }
        return *own == 0 ? vnodes : *own;
    }
};

static_assert(placement_scheme<npm_hashring>);

} // namespace hashring::compat
