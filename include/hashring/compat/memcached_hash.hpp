// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/hash/fnv.hpp>
#include <hashring/hash/hsieh.hpp>
#include <hashring/hash/lookup3.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/murmur2.hpp>
#include <hashring/hash/murmur3.hpp>
#include <hashring/hash/one_at_a_time.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// The key hashes of libmemcached, most of them not quite the hashes that their names say.

namespace hashring::compat {

/// libmemcached's key hashes. A name's place is its number in `memcached_hash_names`.
enum class memcached_hash_kind : std::uint8_t {
    one_at_a_time, ///< called `default`: one-at-a-time from 0
    md5,           ///< the first little-endian word of the digest
    crc,           ///< bits 16 to 30 of CRC-32: 15 bits, so that all keys stand below 32,768
    fnv1_64,       ///< the low 32 bits of FNV-1 64
    fnv1a_64,      ///< the low 32 bits of FNV-1a 64
    fnv1_32,
    fnv1a_32,
    hsieh,   ///< SuperFastHash from 0 in place of the length
    murmur,  ///< MurmurHash2 with the seed 0xdeadbeef · length
    murmur3, ///< MurmurHash3 with the same seed
    jenkins  ///< lookup3 with the initval 13
};

/// The hashes' names as the command line and libmemcached's own configuration spell them.
inline constexpr std::array<std::string_view, 11> memcached_hash_names = {
    "default",  "md5",   "crc",    "fnv1_64", "fnv1a_64", "fnv1_32",
    "fnv1a_32", "hsieh", "murmur", "murmur3", "jenkins"};

namespace detail {

/// The hashes that read bytes one by one through C's `char`.
template <hash::widening Widening>
struct memcached_byte_hashes {
    [[nodiscard]] static constexpr std::uint32_t one_at_a_time(std::string_view key) noexcept {
        return hash::one_at_a_time<Widening>{}(key);
    }
    [[nodiscard]] static constexpr std::uint32_t fnv1_32(std::string_view key) noexcept {
        return hash::fnv1<std::uint32_t, Widening>{}(key);
    }
    [[nodiscard]] static constexpr std::uint32_t fnv1a_32(std::string_view key) noexcept {
        return hash::fnv1a<std::uint32_t, Widening>{}(key);
    }
    [[nodiscard]] static constexpr std::uint32_t fnv1_64(std::string_view key) noexcept {
        return static_cast<std::uint32_t>(hash::fnv1<std::uint64_t, Widening>{}(key));
    }
    [[nodiscard]] static constexpr std::uint32_t fnv1a_64(std::string_view key) noexcept {
        return static_cast<std::uint32_t>(hash::fnv1a<std::uint64_t, Widening>{}(key));
    }
    [[nodiscard]] static constexpr std::uint32_t hsieh(std::string_view key) noexcept {
        return hash::hsieh<Widening, hash::widening::zero>::from(0, key);
    }
};

[[nodiscard]] constexpr std::uint32_t memcached_murmur_seed(std::string_view key) noexcept {
    return 0xdeadbeefU * static_cast<std::uint32_t>(key.size());
}

} // namespace detail

/// One of libmemcached's key hashes, chosen at run time. All 32-bit values (15 bits for `crc`);
/// O(length).
///
/// The program reads some hashes' bytes through C's `char`, so that **the same cluster places
/// non-ASCII keys differently on machines whose `char` is signed** (x86) **and unsigned** (Linux on
/// ARM, POWER): set `unsigned_char` to place as the latter do. The machine that this runs on does
/// not matter.
///
/// Source: libmemcached 1.1.4, libhashkit; its Debian build leaves `hsieh` out.
struct memcached_hash {
    using result_type = std::uint32_t;
    using kind_type = memcached_hash_kind;
    static constexpr std::string_view rule = "libmemcached's hash of the key by the option hash";
    static constexpr std::string_view help =
        "the hash of keys: default, md5, crc, fnv1_64, fnv1a_64, fnv1_32, fnv1a_32, hsieh, murmur, "
        "murmur3 or jenkins";

    memcached_hash_kind kind = memcached_hash_kind::one_at_a_time;
    bool unsigned_char = false;

    [[nodiscard]] constexpr result_type operator()(std::string_view key) const noexcept {
        using signed_bytes = detail::memcached_byte_hashes<hash::widening::sign>;
        using unsigned_bytes = detail::memcached_byte_hashes<hash::widening::zero>;
        switch (kind) {
        case kind_type::one_at_a_time:
            return unsigned_char ? unsigned_bytes::one_at_a_time(key)
                                 : signed_bytes::one_at_a_time(key);
        case kind_type::md5:
            return hash::md5{}(key);
        case kind_type::crc:
            return (hash::crc32{}(key) >> 16U) & 0x7fffU;
        case kind_type::fnv1_64:
            return unsigned_char ? unsigned_bytes::fnv1_64(key) : signed_bytes::fnv1_64(key);
        case kind_type::fnv1a_64:
            return unsigned_char ? unsigned_bytes::fnv1a_64(key) : signed_bytes::fnv1a_64(key);
        case kind_type::fnv1_32:
            return unsigned_char ? unsigned_bytes::fnv1_32(key) : signed_bytes::fnv1_32(key);
        case kind_type::fnv1a_32:
            return unsigned_char ? unsigned_bytes::fnv1a_32(key) : signed_bytes::fnv1a_32(key);
        case kind_type::hsieh:
            return unsigned_char ? unsigned_bytes::hsieh(key) : signed_bytes::hsieh(key);
        case kind_type::murmur:
            return hash::murmur2{detail::memcached_murmur_seed(key)}(key);
        case kind_type::murmur3:
            return hash::murmur3_32{detail::memcached_murmur_seed(key)}(key);
        case kind_type::jenkins:
            return hash::lookup3{13}(key);
        }
        return 0; // no enumerator comes here
    }

    /// The hash's name as the command line spells it.
    [[nodiscard]] constexpr std::string_view text() const noexcept {
        return memcached_hash_names[static_cast<std::size_t>(kind)];
    }

    /// The hash called `name`; throws `invalid_option`, naming those that there are.
    [[nodiscard]] static memcached_hash_kind parse(std::string_view name) {
        return static_cast<memcached_hash_kind>(parse_name("hash", name, memcached_hash_names));
    }

    friend constexpr bool operator==(const memcached_hash&, const memcached_hash&) = default;
};

} // namespace hashring::compat
