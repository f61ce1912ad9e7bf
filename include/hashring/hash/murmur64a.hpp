// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// MurmurHash64A, the hash of the shard blog and of Jedis.

namespace hashring::hash {

/// MurmurHash64A (the 64-bit variant of MurmurHash2) with any seed. All 64-bit values; O(length).
///
/// Words are little-endian and the last one to seven bytes count as one word padded with zeros, on
/// every machine. Many times faster than MD5 on short keys. It is not keyed: whoever can choose
/// keys can make them collide.
///
/// Source: A. Appleby, MurmurHash2.cpp (public domain, SMHasher repository), `MurmurHash64A`; the
/// seed 0x1234ABCD is that of the shard blog and of Jedis' `MurmurHash.hash64A`.
struct murmur64a {
    using result_type = std::uint64_t;
    static constexpr std::string_view name = "murmur64a";
    static constexpr bool avalanches = true;

    std::uint64_t seed = 0;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        std::uint64_t h = seed ^ (bytes.size() * multiplier);
        std::size_t at = 0;
        for (; bytes.size() - at >= 8; at += 8) {
            h = (h ^ scramble(load_le64(bytes, at))) * multiplier;
        }
        if (at < bytes.size()) {
            h = (h ^ load_le_tail(bytes, at)) * multiplier;
        }
        h = (h ^ (h >> rotation)) * multiplier;
        return h ^ (h >> rotation);
    }

    friend constexpr bool operator==(const murmur64a&, const murmur64a&) = default;

private:
    static constexpr std::uint64_t multiplier = 0xc6a4a7935bd1e995U;
    static constexpr unsigned rotation = 47;

    [[nodiscard]] static constexpr std::uint64_t scramble(std::uint64_t k) noexcept {
        k *= multiplier;
        return (k ^ (k >> rotation)) * multiplier;
    }
};

/// The seed of the shard blog and of Jedis.
inline constexpr std::uint64_t jedis_seed = 0x1234abcdU;

static_assert(position_hash<murmur64a>);

} // namespace hashring::hash
