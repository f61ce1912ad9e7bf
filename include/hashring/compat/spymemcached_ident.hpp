// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/memcached_ident.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
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

/// The number of a group of an IPv6 address; nothing if it is none.
[[nodiscard]] inline std::optional<std::uint16_t> ipv6_group(std::string_view text) noexcept {
    std::uint16_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && text.size() <= 4 ? std::optional(value) : std::nullopt;
}

/// Reads groups between colons to `out` and returns how many, or nothing if there is another thing
/// or more than there is room for.
[[nodiscard]] inline std::optional<std::size_t> ipv6_groups(std::string_view text,
                                                            std::array<std::uint16_t, 8>& out) {
    std::size_t count = 0;
    while (!text.empty()) {
        const std::size_t colon = std::min(text.find(':'), text.size());
        const auto group = ipv6_group(text.substr(0, colon));
        if (!group || count == out.size() || colon + 1 == text.size()) {
            return std::nullopt;
        }
        out[count++] = *group;
        text.remove_prefix(std::min(colon + 1, text.size()));
    }
    return count;
}

/// An IPv6 address as Java prints it, all eight groups in brackets; nothing if `text` is none.
[[nodiscard]] inline std::optional<std::string> java_ipv6(std::string_view text) {
    std::array<std::uint16_t, 8> first{};
    std::array<std::uint16_t, 8> last{};
    const std::size_t gap = text.find("::");
    const auto before = ipv6_groups(text.substr(0, gap), first);
    const auto behind =
        gap == std::string_view::npos ? std::size_t{0} : ipv6_groups(text.substr(gap + 2), last);
    if (!before || !behind ||
        (gap == std::string_view::npos ? *before != 8 : *before + *behind >= 8)) {
        return std::nullopt;
    }
    std::copy_n(last.begin(), *behind, first.end() - static_cast<std::ptrdiff_t>(*behind));
    std::string result;
    for (const std::uint16_t group : first) {
        std::array<char, 4> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + 4, group, 16).ptr;
        result += result.empty() ? '[' : ':';
        result.append(digits.data(), end);
    }
    return result + ']';
}

/// A host as Java prints it if it is an address in digits; nothing if it is a name.
[[nodiscard]] inline std::optional<std::string> java_literal(std::string_view host) {
    if (!host.empty() && host.find_first_not_of("0123456789.") == std::string_view::npos) {
        return std::string(host);
    }
    if (host.starts_with('[') && host.ends_with(']')) {
        host = host.substr(1, host.size() - 2);
    }
    return host.find(':') == std::string_view::npos ? std::nullopt : java_ipv6(host);
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
