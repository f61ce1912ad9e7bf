// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// MurmurHash2 as first published, 32 bits wide.

namespace hashring::hash {

/// MurmurHash2 with any seed. All 32-bit values; O(length).
///
/// Words are little-endian on every machine. Of the length only the low 32 bits count. It is not
/// keyed: whoever can choose keys can make them collide.
///
/// Source: A. Appleby, MurmurHash2.cpp (public domain, SMHasher repository), `MurmurHash2`.
struct murmur2 {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "murmur2";
    static constexpr bool avalanches = true;

    std::uint32_t seed = 0;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        std::uint32_t h = seed ^ static_cast<std::uint32_t>(bytes.size());
        std::size_t at = 0;
        for (; bytes.size() - at >= 4; at += 4) {
            std::uint32_t k = load_le32(bytes, at) * multiplier;
            k = (k ^ (k >> 24U)) * multiplier;
            h = (h * multiplier) ^ k;
        }
        if (at < bytes.size()) {
            h = (h ^ static_cast<std::uint32_t>(load_le_tail(bytes, at))) * multiplier;
        }
        h = (h ^ (h >> 13U)) * multiplier;
        return h ^ (h >> 15U);
    }

    friend constexpr bool operator==(const murmur2&, const murmur2&) = default;

private:
    static constexpr std::uint32_t multiplier = 0x5bd1e995U;
};

static_assert(position_hash<murmur2>);

} // namespace hashring::hash
