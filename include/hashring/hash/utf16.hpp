// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// Texts as programs in Java see them: in units of 16 bits.

namespace hashring::hash {

namespace detail {

/// One character of a text in UTF-8 and how many bytes it takes; U+FFFD for what is none.
struct utf8_character {
    std::uint32_t code = 0xfffd;
    std::size_t bytes = 1;
};

/// How many bytes follow a first byte, or 0 if it is none of a longer character.
[[nodiscard]] constexpr std::size_t utf8_following(std::uint32_t first) noexcept {
    if (first >= 0xc2 && first <= 0xdf) {
        return 1;
    }
    return first >= 0xe0 && first <= 0xef ? 2 : first >= 0xf0 && first <= 0xf4 ? 3 : 0;
}

/// Whether `second` may come behind `first`: no character is written longer than it has to be, and
/// none lies above U+10FFFF.
[[nodiscard]] constexpr bool utf8_may_follow(std::uint32_t first, std::uint32_t second) noexcept {
    const std::uint32_t least = first == 0xe0 ? 0xa0U : first == 0xf0 ? 0x90U : 0x80U;
    const std::uint32_t most = first == 0xf4 ? 0x8fU : 0xbfU;
    return second >= least && second <= most;
}

/// The character at `at` in `text`. What is cut short or wrong is replaced up to the byte that
/// cannot follow, and half of a pair as a whole.
[[nodiscard]] constexpr utf8_character utf8_at(std::string_view text, std::size_t at) noexcept {
    const std::uint32_t first = byte_at(text, at);
    if (first < 0x80) {
        return {first, 1};
    }
    const std::size_t following = utf8_following(first);
    std::uint32_t code = first & (0x3fU >> following);
    for (std::size_t i = 1; i <= following; ++i) {
        const bool goes_on = at + i < text.size() &&
                             (i == 1 ? utf8_may_follow(first, byte_at(text, at + 1))
                                     : (std::uint32_t{byte_at(text, at + i)} & 0xc0U) == 0x80U);
        if (!goes_on) {
            return {0xfffd, i};
        }
        code = (code << 6U) | (byte_at(text, at + i) & 0x3fU);
    }
    const bool is_half = code >= 0xd800 && code <= 0xdfff;
    return {following == 0 || is_half ? 0xfffd : code, following + 1};
}

} // namespace detail

/// Calls `use` with each unit of UTF-16 of a text in UTF-8: two for a character above U+FFFF. What
/// is not UTF-8 becomes U+FFFD, as Java's decoder has it. O(length).
///
/// Source: The Unicode Standard 15.0, section 3.9, tables 3-5 and 3-7, and "U+FFFD Substitution of
/// Maximal Subparts".
template <class Use>
constexpr void for_each_utf16(std::string_view text, Use use) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        const detail::utf8_character c = detail::utf8_at(text, at);
        at += c.bytes;
        if (c.code < 0x10000) {
            use(c.code);
        } else {
            use(0xd800U + ((c.code - 0x10000U) >> 10U));
            use(0xdc00U + ((c.code - 0x10000U) & 0x3ffU));
        }
    }
}

} // namespace hashring::hash
