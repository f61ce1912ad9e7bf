// SPDX-License-Identifier: MIT
#include "keys.hpp"

#include "failure.hpp"

#include <utility>

namespace tool {

namespace {

constexpr std::size_t longest_key = std::size_t{16} << 20U;

int digit_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

} // namespace

bool decode_hex(std::string_view digits, std::string& bytes) {
    bytes.clear();
    if (digits.size() % 2 != 0) {
        return false;
    }
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const int high = digit_value(digits[i]);
        const int low = digit_value(digits[i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        bytes += static_cast<char>(static_cast<unsigned char>(16 * high + low));
    }
    return true;
}

std::string key_bytes(const std::string& given, bool hex) {
    std::string bytes = given;
    if (hex && !decode_hex(given, bytes)) {
        throw usage_failure(
            concat("the key ", in_quotes(given), " is not pairs of hexadecimal digits"));
    }
    if (!hex && bytes.find_first_of("\t\n") != std::string::npos) {
        throw usage_failure("a key with a TAB or a line feed is given in hexadecimal, with --hex");
    }
    return bytes;
}

std::string encode_hex(std::string_view bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    hashring::append_hex(text, bytes);
    return text;
}

key_reader::key_reader(std::string file, bool hex, bool output_follows)
    // Two digits a byte: the limit is on the key, not on its spelling.
    : lines_(std::move(file), hex ? 2 * longest_key : longest_key),
      hex_(hex),
      progress_(output_follows) {}

bool key_reader::next() {
    if (!lines_.next(shown_)) {
        progress_.finish();
        return false;
    }
    progress_.step();
    if (hex_) {
        if (!decode_hex(shown_, decoded_)) {
            throw input_failure(lines_.file(), lines_.line_number(),
                                concat(in_quotes(shown_), " is not pairs of hexadecimal digits"));
        }
        lowered_ = encode_hex(decoded_);
        shown_ = lowered_;
        bytes_ = decoded_;
        return true;
    }
    if (shown_.find('\t') != std::string_view::npos) {
        throw input_failure(lines_.file(), lines_.line_number(),
                            "the key holds a TAB, which ends the key in the output: give keys in "
                            "hexadecimal with --hex");
    }
    bytes_ = shown_;
    return true;
}

} // namespace tool
