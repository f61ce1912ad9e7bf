// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

/// \file
/// Bytes as numbers. A hash sees its input as a `std::string_view`, whatever the bytes mean; every
/// byte is read as unsigned and every word as little-endian, on every machine.

namespace hashring {

/// Byte `i` of `bytes` as a number in [0, 255], whether `char` is signed or not.
[[nodiscard]] constexpr std::uint8_t byte_at(std::string_view bytes, std::size_t i) noexcept {
    return static_cast<std::uint8_t>(bytes[i]);
}

namespace detail {

template <class Word>
[[nodiscard]] constexpr Word load_le_bytewise(std::string_view bytes, std::size_t at) noexcept {
    Word word = 0;
    for (std::size_t i = 0; i < sizeof(Word); ++i) {
        word |= static_cast<Word>(Word{byte_at(bytes, at + i)} << (8U * i));
    }
    return word;
}

template <class Word>
[[nodiscard]] constexpr Word load_le(std::string_view bytes, std::size_t at) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        if (!std::is_constant_evaluated()) {
            Word word;
            std::memcpy(&word, bytes.data() + at, sizeof word);
            return word;
        }
    }
    return load_le_bytewise<Word>(bytes, at);
}

} // namespace detail

/// The four bytes from `at` on as a little-endian number; `at + 4 <= bytes.size()`.
[[nodiscard]] constexpr std::uint32_t load_le32(std::string_view bytes, std::size_t at) noexcept {
    return detail::load_le<std::uint32_t>(bytes, at);
}

/// The eight bytes from `at` on as a little-endian number; `at + 8 <= bytes.size()`.
[[nodiscard]] constexpr std::uint64_t load_le64(std::string_view bytes, std::size_t at) noexcept {
    return detail::load_le<std::uint64_t>(bytes, at);
}

/// The last `bytes.size() - at` bytes, at most seven, as a little-endian number padded with zeros.
[[nodiscard]] constexpr std::uint64_t load_le_tail(std::string_view bytes,
                                                   std::size_t at) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = at; i < bytes.size(); ++i) {
        word |= std::uint64_t{byte_at(bytes, i)} << (8U * (i - at));
    }
    return word;
}

} // namespace hashring
