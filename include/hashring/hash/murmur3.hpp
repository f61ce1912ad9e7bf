// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// MurmurHash3, 32 bits wide.

namespace hashring::hash {

/// MurmurHash3_x86_32 with any seed. All 32-bit values; O(length).
///
/// Words are little-endian on every machine. Of the length only the low 32 bits count. It is not
/// keyed: whoever can choose keys can make them collide.
///
/// Source: A. Appleby, MurmurHash3.cpp (public domain, SMHasher repository), `MurmurHash3_x86_32`.
struct murmur3_32 {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "murmur3-32";
    static constexpr bool avalanches = true;

    std::uint32_t seed = 0;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        std::uint32_t h = seed;
        std::size_t at = 0;
        for (; bytes.size() - at >= 4; at += 4) {
            h = std::rotl(h ^ scrambled(load_le32(bytes, at)), 13) * 5 + 0xe6546b64U;
        }
        if (at < bytes.size()) {
            h ^= scrambled(static_cast<std::uint32_t>(load_le_tail(bytes, at)));
        }
        h ^= static_cast<std::uint32_t>(bytes.size());
        h = (h ^ (h >> 16U)) * 0x85ebca6bU;
        h = (h ^ (h >> 13U)) * 0xc2b2ae35U;
        return h ^ (h >> 16U);
    }

    friend constexpr bool operator==(const murmur3_32&, const murmur3_32&) = default;

private:
    [[nodiscard]] static constexpr std::uint32_t scrambled(std::uint32_t word) noexcept {
        return std::rotl(word * 0xcc9e2d51U, 15) * 0x1b873593U;
    }
};

static_assert(position_hash<murmur3_32>);

} // namespace hashring::hash
