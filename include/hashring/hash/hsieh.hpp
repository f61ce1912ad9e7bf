// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>
#include <hashring/hash/widening.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// Paul Hsieh's SuperFastHash.

namespace hashring::hash {

/// SuperFastHash. All 32-bit values, the empty text's is 0; O(length), four bytes a step.
///
/// Programs differ in the start value and in how they widen the odd byte at the end: `Third` is for
/// the last byte of a rest of three, `Single` for a rest of one. As published both are signed and
/// the start value is the length.
///
/// Source: P. Hsieh, "Hash functions", www.azillionmonkeys.com/qed/hash.html, `SuperFastHash`.
template <widening Third = widening::sign, widening Single = widening::sign>
struct hsieh {
    using result_type = std::uint32_t;
    static constexpr std::string_view name =
        Third == Single ? (Third == widening::sign ? "hsieh" : "hsieh-unsigned")
                        : (Third == widening::sign ? "hsieh-third-signed" : "hsieh-single-signed");
    static constexpr bool avalanches = true;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        return from(static_cast<std::uint32_t>(bytes.size()), bytes);
    }

    /// The hash with another start value than the length.
    [[nodiscard]] static constexpr result_type from(std::uint32_t start,
                                                    std::string_view bytes) noexcept {
        if (bytes.empty()) {
            return 0;
        }
        std::uint32_t h = start;
        std::size_t at = 0;
        for (; bytes.size() - at >= 4; at += 4) {
            const std::uint32_t word = load_le32(bytes, at);
            h += word & 0xffffU;
            h = (h << 16U) ^ ((word >> 16U) << 11U) ^ h;
            h += h >> 11U;
        }
        return finish(with_rest(h, bytes, at));
    }

    friend constexpr bool operator==(const hsieh&, const hsieh&) = default;

private:
    [[nodiscard]] static constexpr std::uint32_t with_rest(std::uint32_t h, std::string_view bytes,
                                                           std::size_t at) noexcept {
        const std::size_t rest = bytes.size() - at;
        if (rest == 1) {
            h += widened<std::uint32_t, Single>(bytes, at);
            h ^= h << 10U;
            return h + (h >> 1U);
        }
        if (rest == 0) {
            return h;
        }
        h += static_cast<std::uint32_t>(load_le_tail(bytes, at)) & 0xffffU;
        if (rest == 2) {
            h ^= h << 11U;
            return h + (h >> 17U);
        }
        h ^= h << 16U;
        h ^= widened<std::uint32_t, Third>(bytes, at + 2) << 18U;
        return h + (h >> 11U);
    }

    [[nodiscard]] static constexpr std::uint32_t finish(std::uint32_t h) noexcept {
        h ^= h << 3U;
        h += h >> 5U;
        h ^= h << 4U;
        h += h >> 17U;
        h ^= h << 25U;
        return h + (h >> 6U);
    }
};

static_assert(position_hash<hsieh<>>);

} // namespace hashring::hash
