// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>

#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// The text by which memcached clients know a server on their rings.

namespace hashring::compat {

/// The name of a server without the port if that is memcached's own: `cache-a:11211` is `cache-a`,
/// all else stays as it is. IPv6 addresses stand without brackets, as in `::1:11212`, and whatever
/// follows the last colon is the port.
///
/// Source: libmemcached 1.1.4, `update_continuum` in hosts.cc; twemproxy 0.5.0,
/// `conf_add_server`.
[[nodiscard]] constexpr std::string_view without_default_port(std::string_view name) noexcept {
    constexpr std::string_view default_port = ":11211";
    return name.ends_with(default_port) ? name.substr(0, name.size() - default_port.size()) : name;
}

/// Appends the name of a server to `out`, with memcached's own port if it has none.
///
/// Source: spymemcached 2.12.3 and libmemcached 1.1.4, which know every server by host and port.
inline void append_with_port(std::string& out, std::string_view name) {
    out += name;
    if (name.find(':') == std::string_view::npos) {
        out += ":11211";
    }
}

/// The label `ident-j`, ident being the name without memcached's own port.
struct dashed_ident {
    static constexpr std::string_view name = "ident-j";
    static constexpr bool unambiguous = false; // "a" and "a:11211" are one server

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        out += without_default_port(node.name);
        out += '-';
        append_decimal(out, j);
    }

    friend bool operator==(const dashed_ident&, const dashed_ident&) = default;
};

/// The label `/host:port-j`, the port always there.
struct slashed_ident {
    static constexpr std::string_view name = "/host:port-j";
    static constexpr bool unambiguous = false; // "a" and "a:11211" are one server

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        out += '/';
        append_with_port(out, node.name);
        out += '-';
        append_decimal(out, j);
    }

    friend bool operator==(const slashed_ident&, const slashed_ident&) = default;
};

} // namespace hashring::compat
