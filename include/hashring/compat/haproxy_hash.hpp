// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/core/bytes.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/hash/djb2.hpp>
#include <hashring/hash/sdbm.hpp>
#include <hashring/hash/wt6.hpp>
#include <hashring/placement/scheme.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

/// \file
/// How HAProxy hashes keys, and the avalanche that it makes points and hashes with.

namespace hashring::compat {

/// HAProxy's avalanche: a bijection of the 32-bit numbers.
///
/// Source: HAProxy 2.6, `full_hash`: B. Jenkins's 4-byte integer hash times 3221225473.
[[nodiscard]] constexpr std::uint32_t haproxy_avalanche(std::uint32_t a) noexcept {
    a = (a + 0x7ed55d16U) + (a << 12U);
    a = (a ^ 0xc761c23cU) ^ (a >> 19U);
    a = (a + 0x165667b1U) + (a << 5U);
    a = (a + 0xd3a2646cU) ^ (a << 9U);
    a = (a + 0xfd7046c5U) + (a << 3U);
    a = (a ^ 0xb55a4f09U) ^ (a >> 16U);
    return a * 3221225473U;
}

/// The low 32 bits of the integer that `text` starts with: a sign and decimal digits, 0 if there
/// are none. Beyond 64 bits it is the largest or the smallest that these hold.
///
/// Source: HAProxy 2.9, `hash-type … none`.
[[nodiscard]] constexpr std::uint32_t haproxy_number(std::string_view text) noexcept {
    const bool negative = text.starts_with('-');
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const std::uint64_t limit = negative ? most + 1 : most;
    std::uint64_t value = 0;
    for (std::size_t i = negative || text.starts_with('+') ? 1 : 0;
         i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
        const std::uint64_t digit = byte_at(text, i) - std::uint64_t{'0'};
        value = value > (limit - digit) / 10 ? limit : value * 10 + digit;
    }
    return static_cast<std::uint32_t>(negative ? 0 - value : value);
}

/// HAProxy's `hash-type` functions. A name's place is its number in `haproxy_hash_names`.
enum class haproxy_hash_kind : std::uint8_t {
    unset, ///< what the program takes if the configuration names none: sdbm
    sdbm,
    djb2,
    wt6,
    crc32,
    none ///< the key is a number
};

/// The functions' names as the configuration and the command line spell them.
inline constexpr std::array<std::string_view, 6> haproxy_hash_names = {"default", "sdbm",  "djb2",
                                                                       "wt6",     "crc32", "none"};

/// The base of HAProxy's schemes: where a key stands, by the options `hash` and `avalanche`.
/// `AvalancheIfUnset` says what the program does if the configuration names no function.
///
/// Bytes are unsigned, as in all versions since January 2020. What is hashed is the affair of
/// `balance`: a header's value up to the first comma, a path up to `?`, the bytes of an address.
template <bool AvalancheIfUnset>
struct haproxy_keys {
    static constexpr std::string_view key_rule = "HAProxy's hash of the key by hash and avalanche";
    static constexpr scheme_option hash_option{
        "hash", "NAME", "default",
        "the hash of keys: sdbm, djb2, wt6, crc32 or none (the key is a number); default is what "
        "the program does where no function is configured"};
    static constexpr scheme_option avalanche_option{"avalanche", "", "0",
                                                    "the hash goes through an avalanche"};

    haproxy_hash_kind hash = haproxy_hash_kind::unset;
    bool avalanche = false;

    [[nodiscard]] static constexpr std::array<scheme_option, 2> options() noexcept {
        return {hash_option, avalanche_option};
    }

    void set(std::string_view option, std::string_view value) {
        if (option == hash_option.name) {
            hash = static_cast<haproxy_hash_kind>(parse_name(option, value, haproxy_hash_names));
        } else if (option == avalanche_option.name) {
            avalanche = parse_flag(option, value);
        } else {
            throw unknown_option(option);
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        if (option == hash_option.name) {
            return std::string(haproxy_hash_names[static_cast<std::size_t>(hash)]);
        }
        if (option == avalanche_option.name) {
            return flag_text(avalanche);
        }
        throw unknown_option(option);
    }

    [[nodiscard]] constexpr std::uint32_t position(std::string_view key) const noexcept {
        const bool unset = hash == haproxy_hash_kind::unset;
        const std::uint32_t h = hashed(key);
        return avalanche || (unset && AvalancheIfUnset) ? haproxy_avalanche(h) : h;
    }

    [[nodiscard]] constexpr bool places_keys_as(const haproxy_keys& other) const noexcept {
        return *this == other;
    }

    friend bool operator==(const haproxy_keys&, const haproxy_keys&) = default;

private:
    [[nodiscard]] constexpr std::uint32_t hashed(std::string_view key) const noexcept {
        switch (hash) {
        case haproxy_hash_kind::djb2:
            return hashring::hash::djb2{}(key);
        case haproxy_hash_kind::wt6:
            return hashring::hash::wt6{}(key);
        case haproxy_hash_kind::crc32:
            return hashring::hash::crc32{}(key);
        case haproxy_hash_kind::none:
            return haproxy_number(key);
        default:
            return hashring::hash::sdbm{}(key);
        }
    }
};

} // namespace hashring::compat
