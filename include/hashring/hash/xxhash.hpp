// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/hash/concept.hpp>

#include <cstdint>
#include <string_view>

// Inlined, so that a short key costs no call. The macro makes xxHash's functions static; every
// translation unit has its own, equal copy of them.
#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

/// \file
/// XXH3, XXH64 and XXH32 through xxHash: the only header that includes `<xxhash.h>`.

namespace hashring::hash {

/// XXH3, 64 bits, with any seed. All 64-bit values; O(length). The fastest hash here on short keys.
///
/// Source: Y. Collet, xxHash 0.8, `XXH3_64bits_withSeed`.
struct xxh3 {
    using result_type = std::uint64_t;
    static constexpr std::string_view name = "xxh3";
    static constexpr bool avalanches = true;

    std::uint64_t seed = 0;

    [[nodiscard]] result_type operator()(std::string_view bytes) const noexcept {
        return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
    }

    friend constexpr bool operator==(const xxh3&, const xxh3&) = default;
};

/// XXH64 with any seed. All 64-bit values; O(length).
///
/// Source: Y. Collet, xxHash 0.8, `XXH64`.
struct xxh64 {
    using result_type = std::uint64_t;
    static constexpr std::string_view name = "xxh64";
    static constexpr bool avalanches = true;

    std::uint64_t seed = 0;

    [[nodiscard]] result_type operator()(std::string_view bytes) const noexcept {
        return XXH64(bytes.data(), bytes.size(), seed);
    }

    friend constexpr bool operator==(const xxh64&, const xxh64&) = default;
};

/// XXH32 with any seed. All 32-bit values; O(length).
///
/// Source: Y. Collet, xxHash 0.8, `XXH32`.
struct xxh32 {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "xxh32";
    static constexpr bool avalanches = true;

    std::uint32_t seed = 0;

    [[nodiscard]] result_type operator()(std::string_view bytes) const noexcept {
        return XXH32(bytes.data(), bytes.size(), seed);
    }

    friend constexpr bool operator==(const xxh32&, const xxh32&) = default;
};

static_assert(position_hash<xxh3> && position_hash<xxh64> && position_hash<xxh32>);

} // namespace hashring::hash
