// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// How a hash that takes one byte after the other makes a word of it.

namespace hashring::hash {

/// What becomes of a byte of 0x80 or above when it is widened to a word. Below 0x80 both are equal.
enum class widening : std::uint8_t {
    zero, ///< it is the number from 128 to 255 that it is: what hashes are defined with
    sign  ///< it is that number less 256, as C programs have it that read through a signed `char`
};

/// Byte `i` of `bytes` as a word, whether `char` is signed on this machine or not.
template <std::unsigned_integral Word, widening Widening>
[[nodiscard]] constexpr Word widened(std::string_view bytes, std::size_t i) noexcept {
    if constexpr (Widening == widening::zero) {
        return byte_at(bytes, i);
    } else {
        return static_cast<Word>(static_cast<std::int8_t>(byte_at(bytes, i)));
    }
}

} // namespace hashring::hash
