// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/hash/fnv.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/utf16.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// The key hashes of spymemcached, whose keys are Java's strings.

namespace hashring::compat {

/// spymemcached's key hashes. A name's place is its number in `spymemcached_hash_names`.
enum class spymemcached_hash_kind : std::uint8_t {
    native, ///< Java's `String.hashCode`
    crc,    ///< bits 16 to 30 of CRC-32: 15 bits
    fnv1_64,
    fnv1a_64,
    fnv1_32,
    fnv1a_32,
    ketama ///< the first little-endian word of the MD5 digest
};

/// The hashes' names as `DefaultHashAlgorithm` and the command line spell them.
inline constexpr std::array<std::string_view, 7> spymemcached_hash_names = {
    "NATIVE_HASH",  "CRC_HASH",      "FNV1_64_HASH", "FNV1A_64_HASH",
    "FNV1_32_HASH", "FNV1A_32_HASH", "KETAMA_HASH"};

/// One of spymemcached's key hashes, chosen at run time. All 32-bit values (15 bits for
/// `CRC_HASH`); O(length).
///
/// Keys are texts in UTF-8. MD5 and CRC are of these bytes; the others go through units of UTF-16,
/// so that of non-ASCII keys no other program's FNV is the same. Bytes that are not UTF-8, which no
/// key of the program can have, count as U+FFFD in the latter.
///
/// Source: spymemcached 2.12.3, `DefaultHashAlgorithm`.
struct spymemcached_hash {
    using result_type = std::uint32_t;
    using kind_type = spymemcached_hash_kind;
    static constexpr std::string_view rule = "spymemcached's hash of the key by the option hash";
    static constexpr std::string_view help =
        "the hash of keys: NATIVE_HASH, CRC_HASH, FNV1_64_HASH, FNV1A_64_HASH, FNV1_32_HASH, "
        "FNV1A_32_HASH or KETAMA_HASH";

    spymemcached_hash_kind kind = spymemcached_hash_kind::ketama;

    [[nodiscard]] constexpr result_type operator()(std::string_view key) const noexcept {
        using narrow = hash::detail::fnv_constants<std::uint32_t>;
        using wide = hash::detail::fnv_constants<std::uint64_t>;
        switch (kind) {
        case kind_type::native:
            return by_units(key, 0, 31, false, true);
        case kind_type::crc:
            return (hash::crc32{}(key) >> 16U) & 0x7fffU;
        case kind_type::fnv1_64:
            return by_units(key, low(wide::basis), low(wide::prime), false, false);
        case kind_type::fnv1a_64:
            return by_units(key, low(wide::basis), low(wide::prime), true, false);
        case kind_type::fnv1_32:
            return by_units(key, narrow::basis, narrow::prime, false, false);
        case kind_type::fnv1a_32:
            return by_units(key, narrow::basis, narrow::prime, true, false);
        case kind_type::ketama:
            return hash::md5{}(key);
        }
        return 0; // no enumerator comes here
    }

    /// The hash's name as the command line spells it.
    [[nodiscard]] constexpr std::string_view text() const noexcept {
        return spymemcached_hash_names[static_cast<std::size_t>(kind)];
    }

    /// The hash called `name`; throws `invalid_option`, naming those that there are.
    [[nodiscard]] static spymemcached_hash_kind parse(std::string_view name) {
        return static_cast<spymemcached_hash_kind>(
            parse_name("hash", name, spymemcached_hash_names));
    }

    friend constexpr bool operator==(const spymemcached_hash&, const spymemcached_hash&) = default;

private:
    /// The low half of a number: multiplied and combined modulo 2^32, halves never meet the upper
    /// ones.
    [[nodiscard]] static constexpr std::uint32_t low(std::uint64_t number) noexcept {
        return static_cast<std::uint32_t>(number & 0xffffffffU);
    }

    /// From `start` on, each unit of UTF-16 before or behind a multiplication, added or combined
    /// with an exclusive or.
    [[nodiscard]] static constexpr std::uint32_t by_units(std::string_view key, std::uint32_t start,
                                                          std::uint32_t factor, bool unit_first,
                                                          bool adds) noexcept {
        std::uint32_t h = start;
        hash::for_each_utf16(key, [&](std::uint32_t unit) noexcept {
            h = unit_first ? (h ^ unit) * factor : adds ? h * factor + unit : (h * factor) ^ unit;
        });
        return h;
    }
};

} // namespace hashring::compat
