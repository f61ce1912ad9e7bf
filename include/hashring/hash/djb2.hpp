// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// Bernstein's hash with the factor 33.

namespace hashring::hash {

/// h = c + 33 · h for each byte c, from 5381. All 32-bit values; O(length).
///
/// Texts that differ in the last byte alone differ by as much as that: weak as a position.
///
/// Source: D. J. Bernstein, comp.lang.c; HAProxy 2.6, with unsigned bytes.
struct djb2 {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "djb2";
    static constexpr bool avalanches = false;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        std::uint32_t h = 5381;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            h = 33 * h + byte_at(bytes, i);
        }
        return h;
    }

    friend constexpr bool operator==(const djb2&, const djb2&) = default;
};

static_assert(hash_function<djb2>);

} // namespace hashring::hash
