// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/ip_address.hpp>
#include <hashring/core/bytes.hpp>
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
/// Addresses as Java prints and hashes them, for programs that place servers by that.

namespace hashring::compat {

/// `address` as Java has it: an IPv4 address that is written as an IPv6 one (`::ffff:10.0.0.1`) is
/// the former.
///
/// Source: OpenJDK 17, `InetAddress.getByName`.
[[nodiscard]] constexpr ip_address in_java(const ip_address& address) noexcept {
    constexpr std::array<std::uint8_t, 12> mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    if (address.size != 16 || !std::equal(mapped.begin(), mapped.end(), address.bytes.begin())) {
        return address;
    }
    ip_address shorter{{}, 4};
    std::copy_n(address.bytes.begin() + mapped.size(), 4, shorter.bytes.begin());
    return shorter;
}

/// An address as Java prints that of a socket: IPv6 in brackets, with all eight groups.
[[nodiscard]] inline std::string java_text(const ip_address& address) {
    const bool wide = address.size == 16;
    std::string text = wide ? "[" : "";
    for (std::size_t i = 0; i < address.size; i += wide ? 2 : 1) {
        text += i == 0 ? "" : wide ? ":" : ".";
        if (wide) {
            std::array<char, 4> digits;
            const unsigned group = address.bytes[i] * 256U + address.bytes[i + 1];
            const auto end =
                std::to_chars(digits.data(), digits.data() + digits.size(), group, 16).ptr;
            text.append(digits.data(), end);
        } else {
            append_decimal(text, address.bytes[i]);
        }
    }
    return text + (wide ? "]" : "");
}

/// `String.hashCode` of ASCII text in lower case.
[[nodiscard]] constexpr std::uint32_t java_lower_hash_code(std::string_view text) noexcept {
    std::uint32_t h = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::uint32_t c = byte_at(text, i);
        h = 31 * h + (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    return h;
}

/// `InetAddress.hashCode`: an IPv4 address as a big-endian number; of an IPv6 address the sum of
/// four such words, of which each byte is signed.
[[nodiscard]] constexpr std::uint32_t java_hash_code(const ip_address& address) noexcept {
    std::uint32_t sum = 0;
    for (std::size_t word = 0; word < address.size; word += 4) {
        std::uint32_t value = 0;
        for (std::size_t i = word; i < word + 4; ++i) {
            const std::uint32_t byte = address.bytes[i];
            const bool negative = address.size == 16 && byte >= 0x80U;
            value = (value << 8U) + (negative ? byte - 0x100U : byte);
        }
        sum += value;
    }
    return sum;
}

/// A socket's address as Java prints and hashes it.
struct java_socket_address {
    std::string text;
    std::uint32_t hash_code = 0;

    /// Of `127.0.0.1:80`, `[::1]:80`, or `name/127.0.0.1:80` for an address with a host's name. One
    /// that is no address is taken for one that is not resolved.
    ///
    /// Source: OpenJDK 17, java.net.InetSocketAddress.
    [[nodiscard]] static java_socket_address of(std::string_view name) {
        const std::size_t slash = name.find('/');
        const std::string_view host =
            slash == std::string_view::npos ? std::string_view{} : name.substr(0, slash);
        const auto endpoint =
            parse_ip_endpoint(slash == std::string_view::npos ? name : name.substr(slash + 1));
        if (!endpoint) {
            return unresolved(name);
        }
        const ip_address address = in_java(endpoint->address);
        return {concat(host, "/", java_text(address), ":", decimal(endpoint->port)),
                java_hash_code(address) + endpoint->port};
    }

private:
    [[nodiscard]] static java_socket_address unresolved(std::string_view name) {
        const std::size_t colon = name.rfind(':');
        const std::string_view host = name.substr(0, colon);
        const std::string_view digits =
            colon == std::string_view::npos ? std::string_view{} : name.substr(colon + 1);
        const auto port = parse_decimal<std::uint16_t>(digits).value_or(0);
        return {concat(host, "/<unresolved>:", decimal(port)), java_lower_hash_code(host) + port};
    }
};

} // namespace hashring::compat
