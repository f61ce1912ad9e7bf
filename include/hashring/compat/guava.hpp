// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/memcached_options.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/core/bytes.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/murmur3.hpp>
#include <hashring/table/buckets.hpp>
#include <hashring/table/jump_hash.hpp>
#include <hashring/table/scheme.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

/// \file
/// Guava's `Hashing.consistentHash`, bit for bit: jump hashing that rounds otherwise.

namespace hashring::compat {

namespace detail {

/// The whole part of a · 2^31 / d rounded once to 53 significant bits; `a` and `d` in [1, 2^31].
/// For d = 2^31, which the program's `int` does not hold, beyond all buckets.
[[nodiscard]] constexpr std::int64_t guava_step(std::int64_t a, std::int64_t d) noexcept {
    if (d == std::int64_t{1} << 31U) {
        return std::numeric_limits<std::int64_t>::max();
    }
    const std::int64_t whole = (a << 31U) / d;
    if (whole > std::numeric_limits<std::int32_t>::max()) {
        return whole; // beyond all buckets, rounded or not
    }
    // It is rounded up where what is missing, a d-th of `missing`, is no more than half a unit in
    // the last place: 2^-half.
    const std::int64_t missing = (whole + 1) * d - (a << 31U);
    const auto half =
        54U - static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(whole)));
    return whole + (missing <= (d >> half) ? 1 : 0);
}

} // namespace detail

/// The bucket of a number among `buckets` of them: in [0, buckets), or −1 if there are none, where
/// the program throws.
///
/// It is `jump_hash` but for two things, each about once in 10^9 keys: the quotient is rounded once
/// (2046972062561595299 of 131072: bucket 48, `jump_hash` has 131071), and where a draw has 31 bits
/// set, it overflows and the key stays where it is (17068571456203592619 of 10: bucket 0,
/// `jump_hash` has 9).
///
/// Expected O(log buckets), in integers alone.
///
/// Source: Guava 31.1, `Hashing.consistentHash(long, int)`.
[[nodiscard]] constexpr std::int32_t guava_bucket(std::uint64_t input,
                                                  std::int32_t buckets) noexcept {
    return hashring::detail::jump_by(input, buckets, detail::guava_step);
}

/// The number of a hash code: its first eight bytes, little-endian, and zeros for those that it
/// does not have.
///
/// Source: Guava 31.1, `HashCode.padToLong`.
[[nodiscard]] constexpr std::uint64_t guava_pad_to_long(std::string_view hash_code) noexcept {
    return load_le_tail(hash_code.substr(0, 8), 0);
}

/// Guava's hash functions that are here. A name's place is its number in `guava_hash_names`.
enum class guava_hash_kind : std::uint8_t { md5, crc32, murmur3_32 };

inline constexpr std::array<std::string_view, 3> guava_hash_names = {"md5", "crc32", "murmur3_32"};

/// One of Guava's hash functions, chosen at run time, of which `consistentHash` takes the first
/// eight bytes; 32-bit values of `crc32` and `murmur3_32`. O(length).
struct guava_hash {
    using result_type = std::uint64_t;
    using kind_type = guava_hash_kind;
    static constexpr std::string_view rule =
        "the first 8 bytes of the key's hash by the option hash, little-endian";
    static constexpr std::string_view help = "the hash of keys: md5, crc32 or murmur3_32";

    guava_hash_kind kind = guava_hash_kind::md5;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        switch (kind) {
        case kind_type::crc32:
            return hash::crc32{}(bytes);
        case kind_type::murmur3_32:
            return hash::murmur3_32{}(bytes);
        case kind_type::md5:
            break;
        }
        const auto digest = hash::md5::digest(bytes);
        return result_type{digest.words[1]} << 32U | digest.words[0];
    }

    /// The hash's name as the command line spells it.
    [[nodiscard]] constexpr std::string_view text() const noexcept {
        return guava_hash_names[static_cast<std::size_t>(kind)];
    }

    /// The hash called `name`; throws `invalid_option`, naming those that there are.
    [[nodiscard]] static guava_hash_kind parse(std::string_view name) {
        return static_cast<guava_hash_kind>(parse_name("hash", name, guava_hash_names));
    }

    friend constexpr bool operator==(const guava_hash&, const guava_hash&) = default;
};

/// Guava's consistent hashing over a list: node i of it is the bucket i that
/// `Hashing.consistentHash(hash.hashBytes(key), n)` names. All else is as in `schemes::jump`.
///
/// Source: Guava 31.1, `Hashing.consistentHash(HashCode, int)`.
struct guava : hashring::detail::bucket_rules<guava_bucket>,
               keys_by_hash<guava_hash, guava_hash_kind::md5> {
    static constexpr std::string_view name = "guava";
    static constexpr std::string_view summary =
        "Guava's Hashing.consistentHash: jump hashing that rounds once; prints the bucket's node";
    static constexpr std::string_view owner_rule =
        "the bucket that Guava's consistentHash gives the hash";

    friend bool operator==(const guava&, const guava&) = default;
};

static_assert(table_scheme<guava>);

} // namespace hashring::compat
