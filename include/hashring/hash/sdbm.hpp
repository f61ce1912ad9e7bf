// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// The hash of sdbm, HAProxy's usual one.

namespace hashring::hash {

/// h = c + 65599 · h for each byte c, from 0. All 32-bit values; O(length).
///
/// Texts that differ in the last byte alone differ by as much as that: weak as a position.
///
/// Source: O. Yigit's sdbm, as HAProxy 2.6 has it, with unsigned bytes (signed on x86 before
/// January 2020).
struct sdbm {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "sdbm";
    static constexpr bool avalanches = false;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        std::uint32_t h = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            h = byte_at(bytes, i) + (h << 6U) + (h << 16U) - h;
        }
        return h;
    }

    friend constexpr bool operator==(const sdbm&, const sdbm&) = default;
};

static_assert(hash_function<sdbm>);

} // namespace hashring::hash
