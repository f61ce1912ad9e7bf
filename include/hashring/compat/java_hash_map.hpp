// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/ip_address.hpp>
#include <hashring/core/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

/// \file
/// In which order Java goes through a HashMap, for programs that place by it.

namespace hashring::compat {

/// The order in which a `java.util.HashMap` of keys with these hash codes, put in one by one, is
/// gone through: by bucket, and in a bucket as they were put in.
///
/// Nine keys or more in one bucket of a map of 64 or more may come in another order, which depends
/// on more than their hash codes; that is not followed.
///
/// Source: OpenJDK 17, java.util.HashMap: buckets double beyond three quarters, and below 64 also
/// for a ninth key in one.
[[nodiscard]] inline std::vector<std::uint32_t>
java_hash_map_order(std::span<const std::uint32_t> hash_codes) {
    std::uint32_t buckets = 16;
    const auto bucket = [&](std::uint32_t key) {
        return (hash_codes[key] ^ hash_codes[key] >> 16U) & (buckets - 1);
    };
    for (std::uint32_t key = 0; key < hash_codes.size(); ++key) {
        std::uint32_t beside = 0;
        for (std::uint32_t other = 0; buckets < 64 && other < key; ++other) {
            beside += bucket(other) == bucket(key) ? 1U : 0U;
        }
        buckets *= beside >= 8 ? 2U : 1U;
        buckets *= key + 1 > buckets / 4 * 3 ? 2U : 1U;
    }
    std::vector<std::uint32_t> order(hash_codes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return bucket(a) < bucket(b); });
    return order;
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

} // namespace hashring::compat
