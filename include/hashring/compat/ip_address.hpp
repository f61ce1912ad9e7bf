// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

/// \file
/// Addresses as bytes, for the programs that place a server by them. Nothing is resolved.

namespace hashring::compat {

/// An IPv4 or IPv6 address: 4 or 16 bytes in the order of the network.
struct ip_address {
    std::array<std::uint8_t, 16> bytes{};
    std::size_t size = 0; ///< 4 or 16

    /// The bytes as text for a hash.
    [[nodiscard]] constexpr std::array<char, 16> characters() const noexcept {
        std::array<char, 16> text{};
        std::transform(bytes.begin(), bytes.end(), text.begin(),
                       [](std::uint8_t byte) { return static_cast<char>(byte); });
        return text;
    }

    friend constexpr bool operator==(const ip_address&, const ip_address&) = default;
};

/// An address with a port, 0 if there is none.
struct ip_endpoint {
    ip_address address;
    std::uint16_t port = 0;

    friend constexpr bool operator==(const ip_endpoint&, const ip_endpoint&) = default;
};

namespace detail {

/// Appends the four bytes of `127.0.0.1` at `at`; false if `text` spells none.
inline bool append_dotted(std::string_view text, ip_address& out, std::size_t at) {
    for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t end = i < 3 ? text.find('.') : text.size();
        if (end == std::string_view::npos || end > 3) {
            return false;
        }
        const auto byte = parse_decimal<std::uint8_t>(text.substr(0, end));
        if (!byte) {
            return false;
        }
        out.bytes[at + i] = *byte;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return true;
}

/// The number that up to four hexadecimal digits spell.
[[nodiscard]] inline std::optional<std::uint16_t> parse_group(std::string_view text) {
    std::uint16_t value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (text.empty() || text.size() > 4 || error != std::errc{} ||
        end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

/// Appends groups between colons, the last of them perhaps `127.0.0.1`, and returns behind which
/// byte they end; nothing if `text` spells none or more than fit.
[[nodiscard]] inline std::optional<std::size_t> append_groups(std::string_view text,
                                                              ip_address& out, std::size_t at) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(':'), text.size());
        const std::string_view group = text.substr(0, end);
        const bool last = end == text.size();
        const std::size_t width = group.find('.') == std::string_view::npos ? 2 : 4;
        if (at + width > 16 || (width == 4 && !(last && append_dotted(group, out, at)))) {
            return std::nullopt;
        }
        if (width == 2) {
            const auto value = parse_group(group);
            if (!value) {
                return std::nullopt;
            }
            out.bytes[at] = static_cast<std::uint8_t>(*value >> 8U);
            out.bytes[at + 1] = static_cast<std::uint8_t>(*value & 0xffU);
        }
        at += width;
        text.remove_prefix(last ? end : end + 1);
        if (!last && text.empty()) {
            return std::nullopt; // a colon at the end
        }
    }
    return at;
}

[[nodiscard]] inline std::optional<ip_address> parse_ipv6(std::string_view text) {
    ip_address result{{}, 16};
    const std::size_t gap = text.find("::");
    const auto head = append_groups(text.substr(0, std::min(gap, text.size())), result, 0);
    if (!head || gap == std::string_view::npos ||
        text.find('.') < gap) { // 127.0.0.1 stands at the end only
        return head == 16U && gap == std::string_view::npos ? std::optional(result) : std::nullopt;
    }
    ip_address behind{{}, 16};
    const auto tail = append_groups(text.substr(gap + 2), behind, 0);
    if (!tail || *head + *tail > 14) { // the gap is one group or more
        return std::nullopt;
    }
    std::copy_n(behind.bytes.begin(), *tail,
                result.bytes.end() - static_cast<std::ptrdiff_t>(*tail));
    return result;
}

} // namespace detail

/// The address that `text` spells: `127.0.0.1`, `::1`, `2001:db8::192.0.2.1`; nothing if none.
[[nodiscard]] inline std::optional<ip_address> parse_ip_address(std::string_view text) {
    ip_address dotted{{}, 4};
    return detail::append_dotted(text, dotted, 0) ? std::optional(dotted)
                                                  : detail::parse_ipv6(text);
}

/// The address and port that `text` spells: `127.0.0.1:80`, `[::1]:80`, or one without port;
/// nothing if it names a host. `::1:80` is the address `::1` with a port.
[[nodiscard]] inline std::optional<ip_endpoint> parse_ip_endpoint(std::string_view text) {
    std::string_view host = text;
    std::uint16_t port = 0;
    const std::size_t colon = text.rfind(':');
    if (colon != std::string_view::npos && !text.ends_with(']')) {
        const auto number = parse_decimal<std::uint16_t>(text.substr(colon + 1));
        if (number) {
            host = text.substr(0, colon);
            port = *number;
        }
    }
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    if (const auto address = parse_ip_address(host)) {
        return ip_endpoint{*address, port};
    }
    const auto whole = parse_ip_address(text); // the last group is no port
    return whole ? std::optional(ip_endpoint{*whole, 0}) : std::nullopt;
}

} // namespace hashring::compat
