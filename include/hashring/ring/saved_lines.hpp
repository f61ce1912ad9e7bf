// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/ring/fingerprint.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// \file
/// Lines of words with a checksum at the end, as saved rings have them.
///
/// Every line ends with LF. In texts `%XX` stands for a byte up to a blank, a DEL and a percent
/// sign.

namespace hashring::detail {

inline void append_escaped(std::string& out, std::string_view bytes) {
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= 0x20 || byte == 0x7f || c == '%') {
            out += '%';
            append_hex(out, {&c, 1});
        } else {
            out += c;
        }
    }
}

[[nodiscard]] inline std::string escaped(std::string_view bytes) {
    std::string out;
    append_escaped(out, bytes);
    return out;
}

/// What `escaped` made `text` of; nothing if it makes that of nothing.
[[nodiscard]] inline std::optional<std::string> unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        unsigned byte = 0;
        for (const char digit : text.substr(i + 1, 2)) {
            const std::size_t value = std::string_view("0123456789abcdef").find(digit);
            byte = byte * 16 + static_cast<unsigned>(value < 16 ? value : 256);
        }
        if (i + 2 >= text.size() || byte > 255) {
            return std::nullopt;
        }
        out += static_cast<char>(static_cast<unsigned char>(byte));
        i += 2;
    }
    return escaped(out) == text ? std::optional(std::move(out)) : std::nullopt;
}

[[nodiscard]] inline std::uint64_t checksum(std::string_view text) {
    digester digest;
    digest.add(text);
    return digest.value();
}

/// Writes lines and their checksum.
class line_writer {
public:
    template <class... Parts>
    void line(std::string_view word, const Parts&... parts) {
        text_ += word;
        ((text_ += ' ', text_ += parts), ...);
        text_ += '\n';
    }
    [[nodiscard]] std::string finish() && {
        const std::uint64_t sum = checksum(text_);
        line("end", decimal(sum));
        return std::move(text_);
    }

private:
    std::string text_;
};

/// `text` in quotes, short enough for a message.
[[nodiscard]] inline std::string quoted(std::string_view text) {
    constexpr std::size_t most = 60;
    return concat("'", text.substr(0, most), text.size() > most ? "...'" : "'");
}

/// Reads lines, one word after the other. What does not read throws `invalid_state`.
class line_reader {
public:
    explicit line_reader(std::string_view text) : text_(text) {}

    /// The number of the line that was read last, from 1.
    [[nodiscard]] std::size_t number() const noexcept { return number_; }

    /// Begins the next line if its first word is `word`.
    [[nodiscard]] bool begin(std::string_view word) {
        const std::size_t end = text_.find('\n', at_);
        const std::string_view line = text_.substr(at_, end - at_);
        if (end == std::string_view::npos || !line.starts_with(word) ||
            (line.size() > word.size() && line[word.size()] != ' ')) {
            return false;
        }
        rest_ = line.substr(word.size());
        begun_ = at_;
        at_ = end + 1;
        ++number_;
        return true;
    }
    /// The same, and fails if the next line has another first word.
    void expect(std::string_view word) {
        if (!begin(word)) {
            ++number_;
            fail(at_ == text_.size() ? "the text ends early"
                                     : concat("a line that begins with '", word, "' is missing"));
        }
    }

    /// Whether the line has another word.
    [[nodiscard]] bool has_word() const noexcept { return !rest_.empty(); }
    [[nodiscard]] std::string_view word() {
        if (rest_.empty()) {
            fail("a word is missing");
        }
        rest_.remove_prefix(1);
        const std::string_view result = rest_.substr(0, rest_.find(' '));
        rest_.remove_prefix(result.size());
        return result;
    }
    template <std::unsigned_integral Number>
    [[nodiscard]] Number number_word() {
        const std::string_view text = word();
        const auto value = parse_decimal<Number>(text);
        if (!value || decimal(*value) != text) {
            fail(concat(quoted(text), " is not a number that fits"));
        }
        return *value;
    }
    [[nodiscard]] std::string text_word() {
        const std::string_view text = word();
        auto value = unescaped(text);
        if (!value) {
            fail(concat(quoted(text), " is not a text as it is saved"));
        }
        return std::move(*value);
    }
    void end_of_line() const {
        if (!rest_.empty()) {
            fail("something follows what the line should say");
        }
    }

    /// Reads the last line and compares its checksum.
    void finish() {
        expect("end");
        const std::uint64_t sum = checksum(text_.substr(0, begun_));
        if (number_word<std::uint64_t>() != sum) {
            fail("the checksum is not that of the lines before it");
        }
        end_of_line();
        if (at_ != text_.size()) {
            ++number_;
            fail("something follows the last line");
        }
    }

    [[noreturn]] void fail(const std::string& why) const { throw invalid_state(number_, why); }

private:
    std::string_view text_;
    std::string_view rest_{};
    std::size_t at_ = 0;
    std::size_t begun_ = 0;
    std::size_t number_ = 0;
};

} // namespace hashring::detail
