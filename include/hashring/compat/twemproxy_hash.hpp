// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/memcached_hash.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/hash/crc16.hpp>
#include <hashring/hash/crc32.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// The key hashes of twemproxy: libmemcached's under other names, and two more.

namespace hashring::compat {

/// twemproxy's key hashes. A name's place is its number in `twemproxy_hash_names`.
enum class twemproxy_hash_kind : std::uint8_t {
    one_at_a_time,
    md5,
    crc16,  ///< CRC-16 in a register of 32 bits that is never cut
    crc32,  ///< bits 16 to 30 of CRC-32, as libmemcached's `crc`: 15 bits
    crc32a, ///< CRC-32, all of it
    fnv1_64,
    fnv1a_64,
    fnv1_32,
    fnv1a_32,
    hsieh,
    murmur,
    jenkins
};

/// The hashes' names as twemproxy's configuration and the command line spell them.
inline constexpr std::array<std::string_view, 12> twemproxy_hash_names = {
    "one_at_a_time", "md5",     "crc16",    "crc32", "crc32a", "fnv1_64",
    "fnv1a_64",      "fnv1_32", "fnv1a_32", "hsieh", "murmur", "jenkins"};

/// One of twemproxy's key hashes, chosen at run time. All 32-bit values (15 bits for `crc32`), of
/// the empty key always 0; O(length). For `unsigned_char` see `memcached_hash`.
///
/// Source: twemproxy 0.5.0, src/hashkit; the empty key: `server_pool_hash` in nc_server.c.
struct twemproxy_hash {
    using result_type = std::uint32_t;
    using kind_type = twemproxy_hash_kind;
    static constexpr std::string_view rule = "twemproxy's hash of the key by the option hash";
    static constexpr std::string_view help =
        "the hash of keys: one_at_a_time, md5, crc16, crc32, crc32a, fnv1_64, fnv1a_64, fnv1_32, "
        "fnv1a_32, hsieh, murmur or jenkins";

    twemproxy_hash_kind kind = twemproxy_hash_kind::fnv1a_64;
    bool unsigned_char = false;

    [[nodiscard]] constexpr result_type operator()(std::string_view key) const noexcept {
        if (key.empty()) {
            return 0;
        }
        switch (kind) {
        case kind_type::crc16:
            return hash::crc16_uncut{}(key);
        case kind_type::crc32a:
            return hash::crc32{}(key);
        default:
            return memcached_hash{shared[static_cast<std::size_t>(kind)], unsigned_char}(key);
        }
    }

    /// The hash's name as the command line spells it.
    [[nodiscard]] constexpr std::string_view text() const noexcept {
        return twemproxy_hash_names[static_cast<std::size_t>(kind)];
    }

    /// The hash called `name`; throws `invalid_option`, naming those that there are.
    [[nodiscard]] static twemproxy_hash_kind parse(std::string_view name) {
        return static_cast<twemproxy_hash_kind>(parse_name("hash", name, twemproxy_hash_names));
    }

    friend constexpr bool operator==(const twemproxy_hash&, const twemproxy_hash&) = default;

private:
    using same = memcached_hash_kind;
    /// By number libmemcached's hash that is the same; the two that it has not are never asked for.
    static constexpr std::array<memcached_hash_kind, 12> shared = {
        same::one_at_a_time, same::md5,     same::crc,      same::crc,
        same::crc,           same::fnv1_64, same::fnv1a_64, same::fnv1_32,
        same::fnv1a_32,      same::hsieh,   same::murmur,   same::jenkins};
};

} // namespace hashring::compat
