// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/hash/concept.hpp>
#include <hashring/hash/widening.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// Bob Jenkins' one-at-a-time hash, the default of libmemcached.

namespace hashring::hash {

/// One-at-a-time with any start value. All 32-bit values; O(length), one byte after the other.
///
/// Starting from 0, NUL bytes at the beginning leave no trace: a text of NUL bytes is 0 whatever
/// its length.
///
/// Source: B. Jenkins, "Hash Functions", Dr. Dobb's Journal, September 1997.
template <widening Widening = widening::zero>
struct one_at_a_time {
    using result_type = std::uint32_t;
    static constexpr std::string_view name =
        Widening == widening::zero ? "one-at-a-time" : "one-at-a-time-signed";
    static constexpr bool avalanches = true;

    std::uint32_t start = 0;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        std::uint32_t h = start;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            h += widened<std::uint32_t, Widening>(bytes, i);
            h += h << 10U;
            h ^= h >> 6U;
        }
        h += h << 3U;
        h ^= h >> 11U;
        return h + (h << 15U);
    }

    friend constexpr bool operator==(const one_at_a_time&, const one_at_a_time&) = default;
};

static_assert(position_hash<one_at_a_time<>>);

} // namespace hashring::hash
