// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/ip_address.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// How Apache brpc calls its servers, and in which order it has them.

namespace hashring::compat {

/// A server by the text that brpc prints of it: `10.0.0.1:8000`, `[2001:db8::1]:8000` or
/// `unix:/run/a.sock`, with `(tag=TEXT)` behind it if it has a tag.
struct brpc_server {
    std::string_view endpoint; ///< the text without the tag
    std::string_view tag;

    [[nodiscard]] static constexpr brpc_server of(std::string_view name) noexcept {
        constexpr std::string_view mark = "(tag=";
        const std::size_t at = name.find(mark);
        if (at == std::string_view::npos || !name.ends_with(')')) {
            return {name, {}};
        }
        const std::size_t begin = at + mark.size();
        return {name.substr(0, at), name.substr(begin, name.size() - 1 - begin)};
    }

    friend constexpr bool operator==(const brpc_server&, const brpc_server&) = default;
};

/// The number by which brpc puts a server in order, or nothing if `endpoint` is none as it prints
/// it: no host's name, no `010.0.0.1`, and no port left out.
///
/// For IPv4 it is the address, as a little-endian machine reads its bytes (so that the last counts
/// most), and then the port. In the program the place of any other hangs on what it met before;
/// here these come last.
///
/// Source: Apache brpc, commit 71871ee9fb46, butil/endpoint.h.
[[nodiscard]] inline std::optional<std::uint64_t> brpc_rank(std::string_view endpoint) {
    constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    const auto parsed = parse_ip_endpoint(endpoint);
    if (!parsed || parsed->address.size == 16) {
        const bool with_port =
            parsed && endpoint.starts_with('[') && endpoint.find("]:") != std::string_view::npos;
        return with_port || endpoint.starts_with("unix:") ? std::optional(last) : std::nullopt;
    }
    std::string printed;
    std::uint64_t address = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        append_decimal(printed, parsed->address.bytes[i]);
        printed += i < 3 ? '.' : ':';
        address |= std::uint64_t{parsed->address.bytes[i]} << (8U * i);
    }
    append_decimal(printed, parsed->port);
    return endpoint == printed ? std::optional(address << 16U | parsed->port) : std::nullopt;
}

/// The label `ip:port-j`, or with the tag `ip:port-j-tag`, also for one that is empty.
struct brpc_label {
    static constexpr std::string_view name = "brpc-ip:port-j";
    static constexpr bool unambiguous = false; // of servers that differ in their tags alone
    /// The bytes of it that the program has room for.
    static constexpr std::size_t longest = 255;

    bool with_tag = false;

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        const brpc_server server = brpc_server::of(node.name);
        out += server.endpoint;
        out += '-';
        append_decimal(out, j);
        if (with_tag) {
            out += '-';
            out += server.tag;
        }
    }

    friend bool operator==(const brpc_label&, const brpc_label&) = default;
};

} // namespace hashring::compat
