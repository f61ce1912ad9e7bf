// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

/// \file
/// Numbers as text without a locale: labels, positions and options read the same everywhere.

namespace hashring {

/// Appends `value` in decimal, without padding or grouping.
template <std::integral Integer>
void append_decimal(std::string& out, Integer value) {
    std::array<char, 24> digits; // a sign and at most 20 digits
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

/// `value` in decimal, without padding or grouping.
template <std::integral Integer>
[[nodiscard]] std::string decimal(Integer value) {
    std::string out;
    append_decimal(out, value);
    return out;
}

/// Appends `bytes` as pairs of hexadecimal digits in lower case.
inline void append_hex(std::string& out, std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += digits[byte >> 4U];
        out += digits[byte & 15U];
    }
}

/// `parts` one after the other.
template <std::convertible_to<std::string_view>... Parts>
[[nodiscard]] std::string concat(const Parts&... parts) {
    std::string out;
    (out.append(std::string_view(parts)), ...);
    return out;
}

/// The number that the whole of `text` spells in decimal digits; nothing if it spells none, has
/// anything before or after it, or does not fit.
template <std::integral Integer>
[[nodiscard]] std::optional<Integer> parse_decimal(std::string_view text) noexcept {
    Integer value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

} // namespace hashring
