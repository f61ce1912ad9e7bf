// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/ip_address.hpp>
#include <hashring/compat/java_address.hpp>
#include <hashring/compat/memcached_ident.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// The texts by which spymemcached knows its servers: what Java prints of their addresses.

namespace hashring::compat {

namespace detail {

/// A server's name in parts. `name/ip:port`, what Java prints, is understood too.
struct java_server {
    std::string_view host;
    std::string_view port = "11211";

    [[nodiscard]] static constexpr java_server of(std::string_view name) noexcept {
        const std::size_t colon = name.rfind(':');
        const std::string_view before = name.substr(0, colon);
        java_server server{before.substr(0, before.find('/'))};
        if (colon != std::string_view::npos) {
            server.port = name.substr(colon + 1);
        }
        return server;
    }
};

/// A host as Java prints it if it is an address in digits; nothing if it is a name.
[[nodiscard]] inline std::optional<std::string> java_literal(std::string_view host) {
    if (host.starts_with('[') && host.ends_with(']')) {
        host = host.substr(1, host.size() - 2);
    }
    const auto address = parse_ip_address(host);
    return address ? std::optional(java_text(in_java(*address))) : std::nullopt;
}

} // namespace detail

/// What Java 14 and later print of a server's `InetSocketAddress`:
///
/// - of a node with an address, a name that was looked up: `host/ip:port`;
/// - of one whose host is an address in digits: `/ip:port`, of IPv6 `/[0:0:0:0:0:0:0:1]:port`;
/// - of another name, one that nobody has looked up: `host:port`, as before Java 14, which since
///   then prints `host/<unresolved>:port`.
///
/// A name with a slash is taken as such a text already. The port is always there.
///
/// Source: OpenJDK 17, `InetSocketAddress.toString`.
[[nodiscard]] inline std::string java_address_text(const placed_node& node) {
    if (node.name.find('/') != std::string_view::npos) {
        return std::string(node.name);
    }
    const detail::java_server server = detail::java_server::of(node.name);
    if (!node.address.empty()) {
        const std::string port = concat(":", server.port);
        return concat(server.host, "/", node.address, node.address.ends_with(port) ? "" : port);
    }
    if (const auto literal = detail::java_literal(server.host)) {
        return concat("/", *literal, ":", server.port);
    }
    return concat(server.host, ":", server.port);
}

/// How spymemcached writes its servers' names on the ring.
enum class spymemcached_format : std::uint8_t {
    spymemcached, ///< what Java prints without a slash at its front
    libmemcached, ///< the host, and the port unless it is 11211
    before_2_5    ///< what Java prints, as up to spymemcached 2.4
};

/// The label `ident-j`, the ident in one of the formats.
struct spymemcached_label {
    static constexpr std::string_view name = "spymemcached-ident-j";
    static constexpr bool unambiguous = false; // "a" and "a:11211" are one server

    spymemcached_format format = spymemcached_format::spymemcached;

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        if (format == spymemcached_format::libmemcached) {
            const detail::java_server server = detail::java_server::of(node.name);
            out += without_default_port(concat(server.host, ":", server.port));
        } else {
            const std::string text = java_address_text(node);
            const bool cut = format == spymemcached_format::spymemcached && text.front() == '/';
            out.append(text, cut ? 1 : 0);
        }
        out += '-';
        append_decimal(out, j);
    }

    friend bool operator==(const spymemcached_label&, const spymemcached_label&) = default;
};

} // namespace hashring::compat
