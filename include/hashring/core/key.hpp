// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <utility>

/// \file
/// What may be looked up: every key becomes bytes, without a copy or an allocation.
///
/// | key | bytes |
/// | --- | --- |
/// | `std::string`, `std::string_view`, and what converts to it | all of them, NUL included |
/// | `const char*`, a literal, an array of `char` or `char8_t` | up to the first NUL or its end |
/// | contiguous range of `std::byte`, `unsigned char`, `signed char`, `char8_t`, `char` | all |
/// | integer or enum | its value in 64 bits (a signed one sign-extended), little-endian: 8 bytes |
/// | your own type | what `hashring_key(const T&)`, found beside it, returns |
///
/// So a number is the same key as an `int` and as a `std::uint64_t`, and no number is the same key
/// as its decimal text. `bool` and single characters are refused: what was meant is not clear.
///
/// The customisation point, in the namespace of the type; it must be `noexcept` and return one of
/// the kinds above (a view of a member, or a number), or the type is no key at all:
/// ```cpp
/// struct user { std::uint64_t id; std::string name; };
/// std::uint64_t hashring_key(const user& u) noexcept { return u.id; }
/// ```

namespace hashring {

namespace detail {

template <class T, class... Others>
concept any_of = (std::same_as<T, Others> || ...);

template <class T>
concept byte_like =
    any_of<std::remove_cv_t<T>, char, signed char, unsigned char, std::byte, char8_t>;

template <class T>
concept integer_key =
    std::integral<T> && sizeof(T) <= 8 &&
    !any_of<T, bool, char, signed char, unsigned char, wchar_t, char8_t, char16_t, char32_t>;

template <class T>
concept number_key = integer_key<T> || std::is_enum_v<T>;

template <class T>
concept char_array_key =
    std::is_bounded_array_v<T> && any_of<std::remove_extent_t<T>, char, char8_t>;

template <class T>
concept text_key =
    std::convertible_to<const T&, std::string_view> && !std::same_as<T, std::nullptr_t>;

template <class T>
concept byte_range_key =
    std::ranges::contiguous_range<const T> && std::ranges::sized_range<const T> &&
    byte_like<std::ranges::range_value_t<const T>>;

template <class T>
concept plain_key = number_key<T> || char_array_key<T> || text_key<T> || byte_range_key<T>;

template <class T>
concept has_adapter = requires(const T& key) { hashring_key(key); };

template <class T>
concept adapted_key = has_adapter<T> && requires(const T& key) {
    { hashring_key(key) } noexcept;
    requires plain_key<std::remove_cvref_t<decltype(hashring_key(key))>>;
};

template <class Number>
[[nodiscard]] constexpr std::array<char, 8> encode_number(Number number) noexcept {
    std::uint64_t bits = 0;
    if constexpr (std::is_enum_v<Number>) {
        bits = static_cast<std::uint64_t>(static_cast<std::underlying_type_t<Number>>(number));
    } else {
        bits = static_cast<std::uint64_t>(number);
    }
    std::array<char, 8> bytes{};
    for (char& byte : bytes) {
        byte = static_cast<char>(static_cast<unsigned char>(bits & 0xffU));
        bits >>= 8U;
    }
    return bytes;
}

template <class Char, std::size_t N>
[[nodiscard]] constexpr std::string_view until_nul(const Char (&text)[N]) noexcept {
    const std::size_t length = std::min(N, std::basic_string_view<Char>(text, N).find(Char{}));
    if constexpr (std::same_as<Char, char>) {
        return {text, length};
    } else {
        return {reinterpret_cast<const char*>(text), length};
    }
}

template <class T>
[[nodiscard]] std::string_view range_bytes(const T& range) noexcept {
    // Any object may be read as bytes through a pointer to char.
    return {reinterpret_cast<const char*>(std::ranges::data(range)), std::ranges::size(range)};
}

} // namespace detail

/// A type that can be looked up; the table at the top of this file says how. A `hashring_key` that
/// does not fit is never passed over in favour of what else the type could be read as.
template <class T>
concept key = detail::adapted_key<T> || (detail::plain_key<T> && !detail::has_adapter<T>);

/// Calls `use` with the bytes of `k` as a `std::string_view` and returns what it returns. The view
/// is valid during the call alone. Constant expressions may use it with text of `char` and with
/// numbers.
template <key Key, class Use>
constexpr decltype(auto) with_key_bytes(const Key& k, Use&& use) {
    if constexpr (detail::adapted_key<Key>) {
        return with_key_bytes(hashring_key(k), std::forward<Use>(use));
    } else if constexpr (detail::number_key<Key>) {
        const std::array<char, 8> bytes = detail::encode_number(k);
        return std::forward<Use>(use)(std::string_view(bytes.data(), bytes.size()));
    } else if constexpr (detail::char_array_key<Key>) {
        return std::forward<Use>(use)(detail::until_nul(k));
    } else if constexpr (detail::text_key<Key>) {
        return std::forward<Use>(use)(std::string_view(k));
    } else {
        return std::forward<Use>(use)(detail::range_bytes(k));
    }
}

} // namespace hashring
