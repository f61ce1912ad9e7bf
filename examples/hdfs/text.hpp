// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

/// \file
/// The lines and values of a report, without a locale.

namespace hdfs {

[[nodiscard]] inline bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\r';
}

/// `text` without blanks, TABs and CRs at its ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

/// Text cut into lines that end with LF or CRLF, mixed as they come.
class line_cursor {
public:
    explicit line_cursor(std::string_view text) noexcept : rest_(text) {}

    /// The next line without its end; false after the last one.
    bool next(std::string_view& line) noexcept {
        if (rest_.empty()) {
            return false;
        }
        const std::size_t end = rest_.find('\n');
        terminated_ = end != std::string_view::npos;
        line = rest_.substr(0, end);
        rest_.remove_prefix(terminated_ ? end + 1 : rest_.size());
        while (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        ++number_;
        return true;
    }

    /// The number of the line that `next` gave, from 1.
    [[nodiscard]] std::size_t number() const noexcept { return number_; }
    /// Whether that line had an end. One that has none may be cut.
    [[nodiscard]] bool terminated() const noexcept { return terminated_; }

private:
    std::string_view rest_;
    std::size_t number_ = 0;
    bool terminated_ = true;
};

/// `key : value`, split at the first colon; no key if there is none.
[[nodiscard]] inline std::pair<std::string_view, std::string_view>
split_field(std::string_view line) noexcept {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
        return {};
    }
    return {trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1))};
}

/// The bytes of `53687091200 (50 GB)`. Only the whole form is taken: a number alone may be cut, and
/// what stands in parentheses is rounded.
[[nodiscard]] inline std::optional<std::int64_t> parse_size(std::string_view value) noexcept {
    const std::size_t open = value.find(" (");
    if (open == std::string_view::npos || !value.ends_with(')')) {
        return std::nullopt;
    }
    return hashring::parse_decimal<std::int64_t>(value.substr(0, open));
}

/// The hundredths of `37.41%`; nothing for `NaN%` and any other form.
[[nodiscard]] inline std::optional<std::int64_t> parse_percent(std::string_view value) noexcept {
    const bool is_negative = value.starts_with('-');
    value.remove_prefix(is_negative ? 1 : 0);
    const std::size_t dot = value.find('.');
    if (dot == std::string_view::npos || value.size() != dot + 4 || value.back() != '%') {
        return std::nullopt;
    }
    const auto whole = hashring::parse_decimal<std::uint32_t>(value.substr(0, dot));
    const auto places = hashring::parse_decimal<std::uint32_t>(value.substr(dot + 1, 2));
    if (!whole || !places) {
        return std::nullopt;
    }
    const std::int64_t hundredths = std::int64_t{*whole} * 100 + *places;
    return is_negative ? -hundredths : hundredths;
}

/// An address and its port, split at the last colon: IPv6 addresses come without brackets.
struct endpoint {
    std::string_view ip;
    std::uint16_t port = 0;
};

[[nodiscard]] inline std::optional<endpoint> parse_endpoint(std::string_view text) noexcept {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) {
        return std::nullopt;
    }
    const auto port = hashring::parse_decimal<std::uint16_t>(text.substr(colon + 1));
    if (!port) {
        return std::nullopt;
    }
    return endpoint{text.substr(0, colon), *port};
}

} // namespace hdfs
