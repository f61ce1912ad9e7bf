// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// A fingerprint as text, for a header of a request, a metric's label or a log.

namespace hashring {

/// The fingerprint of a ring or a table as 16 hexadecimal digits in lower case.
[[nodiscard]] inline std::string fingerprint_text(std::uint64_t fingerprint) {
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; fingerprint >>= 4U) {
        text[i] = "0123456789abcdef"[fingerprint & 15U];
    }
    return text;
}

/// The fingerprint that `fingerprint_text` made `text` of; nothing for any other text.
[[nodiscard]] constexpr std::optional<std::uint64_t>
parse_fingerprint(std::string_view text) noexcept {
    std::uint64_t fingerprint = 0;
    for (const char digit : text) {
        const std::size_t value = std::string_view("0123456789abcdef").find(digit);
        if (value == std::string_view::npos) {
            return std::nullopt;
        }
        fingerprint = (fingerprint << 4U) | value;
    }
    return text.size() == 16 ? std::optional(fingerprint) : std::nullopt;
}

} // namespace hashring
