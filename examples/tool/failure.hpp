// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tool {

using hashring::concat;
using hashring::decimal;

/// Something that the user got wrong: one line on standard error, exit code 2.
class usage_failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Something wrong with a file that the user named: `FILE: reason` or `FILE:LINE: reason`.
class input_failure : public usage_failure {
public:
    /// The whole file is of no use.
    input_failure(std::string_view file, std::string_view reason)
        : usage_failure(concat(shown(file), ": ", reason)) {}
    input_failure(std::string_view file, std::size_t line, std::string_view reason)
        : usage_failure(concat(shown(file), ":", decimal(line), ": ", reason)) {}

private:
    static std::string_view shown(std::string_view file) { return file == "-" ? "<stdin>" : file; }
};

/// Output that could not be written: one line on standard error, exit code 1.
class write_failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Whoever read our output has closed the pipe: nothing more to do, exit code 0.
struct reader_gone {};

/// The first bytes of `text`, at most `most`, without a UTF-8 character cut in two.
[[nodiscard]] inline std::string_view head_of(std::string_view text, std::size_t most) {
    if (text.size() <= most) {
        return text;
    }
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80U) {
        --most;
    }
    return text.substr(0, most);
}

/// `text` with control characters spelled out as `\\x1b`, so that it stays on its line.
[[nodiscard]] inline std::string printable(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            line += "\\x";
            hashring::append_hex(line, {&c, 1});
        } else {
            line += c;
        }
    }
    return line;
}

/// `text` in quotes, short enough for a message.
[[nodiscard]] inline std::string in_quotes(std::string_view text) {
    const std::string_view head = head_of(text, 60);
    return concat("'", printable(head), head.size() < text.size() ? "...'" : "'");
}

} // namespace tool
