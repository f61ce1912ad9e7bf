// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/memcached_ident.hpp>
#include <hashring/compat/tagged_keys.hpp>
#include <hashring/compat/twemproxy_hash.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/tag.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

/// \file
/// What both distributions of twemproxy have in common: how servers are called and put in order,
/// and how keys are hashed.

namespace hashring::compat {

/// The text by which twemproxy knows a server. A node with an address was given a name in the
/// configuration (`address:weight name`): it is that, as it is. Else it is the server's address:
/// `host:port`, without the port if that is 11211, and for a Unix socket the path with a colon
/// behind it, a slip of the program's; `path`, `path:` and `path:0` name the same socket.
///
/// Source: twemproxy 0.5.0, `conf_add_server`.
[[nodiscard]] inline std::string twemproxy_ident(const placed_node& node) {
    if (!node.address.empty()) {
        return std::string(node.name);
    }
    std::string_view text = without_default_port(node.name);
    if (!text.starts_with('/')) {
        return std::string(text);
    }
    text.remove_suffix(text.ends_with(":0") ? 2 : text.ends_with(':') ? 1 : 0);
    return concat(text, ":");
}

/// The label `ident-j`, of which twemproxy keeps 272 bytes.
struct twemproxy_label {
    static constexpr std::string_view name = "twemproxy-ident-j";
    static constexpr bool unambiguous = false; // long ones are cut
    static constexpr std::size_t longest = 272;

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        const std::size_t begin = out.size();
        out += twemproxy_ident(node);
        out += '-';
        append_decimal(out, j);
        out.resize(std::min(out.size(), begin + longest));
    }

    friend bool operator==(const twemproxy_label&, const twemproxy_label&) = default;
};

namespace detail {

/// The order in which twemproxy puts servers when it reads its configuration.
struct twemproxy_order {
    static constexpr bool order_matters = false;
    static constexpr std::string_view node_order = "of those by the ident's length, then its bytes";

    [[nodiscard]] static bool comes_before(const placed_node& a, const placed_node& b) {
        const std::string of_a = twemproxy_ident(a);
        const std::string of_b = twemproxy_ident(b);
        return std::tuple(of_a.size(), std::string_view(of_a), a.name) <
               std::tuple(of_b.size(), std::string_view(of_b), b.name);
    }

    friend constexpr bool operator==(const twemproxy_order&, const twemproxy_order&) = default;
};

/// Throws `invalid_node` if two of `nodes`, which are in order, are one server to twemproxy.
inline void check_twemproxy_idents(std::span<const placed_node> nodes) {
    std::string before;
    for (const placed_node& node : nodes) {
        std::string ident = twemproxy_ident(node);
        if (ident == before) {
            throw invalid_node(concat("twemproxy refuses two servers called '", ident, "'"));
        }
        before = std::move(ident);
    }
}

/// What twemproxy does with the weights of its configuration: it refuses 0. Throws `invalid_weight`
/// for that and for a fraction.
inline void check_twemproxy_weights(std::span<const node_spec> nodes) {
    for (const node_spec& node : nodes) {
        if (whole_weight(node.name, node.weight) == 0) {
            throw invalid_weight(concat("twemproxy refuses the weight 0 of '", node.name, "'"));
        }
    }
}

} // namespace detail

/// Where twemproxy places a key: by the options `hash`, `unsigned-char` and `tag`.
using twemproxy_keys = tagged_keys<twemproxy_hash, twemproxy_hash_kind::fnv1a_64, hash::tag>;

} // namespace hashring::compat
