// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// HAProxy's own hash.

namespace hashring::hash {

/// Two words that change places with every byte, rotated by amounts that they make themselves. All
/// 32-bit values; O(length). A rotation by 0 changes nothing.
///
/// Source: W. Tarreau's wt6 in HAProxy 2.6, with unsigned bytes.
struct wt6 {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "wt6";
    static constexpr bool avalanches = false;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        std::uint32_t even = 0xa53c965aU;
        std::uint32_t odd = 0x5ca6953aU;
        std::uint32_t by_even = 6;
        std::uint32_t by_odd = 18;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const std::uint32_t mixed = ~(even ^ byte_at(bytes, i));
            const std::uint32_t summed = ~(odd + byte_at(bytes, i));
            even = std::rotl(summed, static_cast<int>(by_even));
            odd = std::rotl(mixed, static_cast<int>(by_odd));
            const std::uint32_t amounts = ((even >> 16U) ^ odd) & 0xffffU;
            by_even = amounts & 31U;
            by_odd = amounts >> 11U;
        }
        return even ^ odd;
    }

    friend constexpr bool operator==(const wt6&, const wt6&) = default;
};

static_assert(hash_function<wt6>);

} // namespace hashring::hash
