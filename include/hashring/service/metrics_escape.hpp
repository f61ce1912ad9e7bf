// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/core/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// How names, values of labels and numbers are spelled in the text format of Prometheus.

namespace hashring::detail {

/// How many bytes of valid UTF-8 begin at `at`: 1 to 4, or 0 if none does. Not the longest form of
/// anything else: surrogates, values above 10FFFF and needlessly long forms are not valid.
[[nodiscard]] constexpr std::size_t utf8_length(std::string_view bytes, std::size_t at) noexcept {
    const std::uint8_t lead = byte_at(bytes, at);
    if (lead < 0x80) {
        return 1;
    }
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || at + length > bytes.size()) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte_at(bytes, at + i) & 0xc0U) != 0x80U) {
            return 0;
        }
    }
    const std::uint8_t second = byte_at(bytes, at + 1);
    const bool is_wrong = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                          (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
    return is_wrong ? 0 : length;
}

/// Appends `value` so that it may stand between quotes: `\`, `"` and LF are escaped, and other
/// control characters and what is not UTF-8, which a reader may refuse, spelled as `\xhh`.
inline void append_label_value(std::string& out, std::string_view value) {
    for (std::size_t at = 0; at < value.size();) {
        const std::size_t length = utf8_length(value, at);
        const char c = value[at];
        if (c == '\\' || c == '"') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (length == 0 || byte_at(value, at) < 0x20 || c == 0x7f) {
            out += "\\\\x";
            append_hex(out, value.substr(at, 1));
        } else {
            out += value.substr(at, length);
        }
        at += length == 0 ? 1 : length;
    }
}

/// Whether `name` is one: letters, digits (not the first), `_`, and `:` in names of metrics.
[[nodiscard]] constexpr bool is_metric_name(std::string_view name, bool may_have_colon) noexcept {
    const auto fits = [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || (c == ':' && may_have_colon);
    };
    return !name.empty() && (name[0] < '0' || name[0] > '9') &&
           std::all_of(name.begin(), name.end(), fits);
}

/// A number without a locale: the shortest text that reads as the same one, `NaN`, `+Inf`, `-Inf`.
[[nodiscard]] inline std::string metric_number(double value) {
    if (std::isnan(value)) {
        return "NaN";
    }
    if (std::isinf(value)) {
        return value > 0 ? "+Inf" : "-Inf";
    }
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return {digits.data(), static_cast<std::size_t>(end - digits.data())};
}
[[nodiscard]] inline std::string metric_number(std::integral auto value) {
    return decimal(value);
}

} // namespace hashring::detail
