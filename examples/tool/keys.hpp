// SPDX-License-Identifier: MIT
#pragma once

#include "input.hpp"
#include "progress.hpp"

#include <string>
#include <string_view>

namespace tool {

/// A stream of keys: every line is one, also an empty one.
class key_reader {
public:
    /// Opens `file` (`-` is standard input). With `hex` a line spells the key's bytes; with
    /// `output_follows` nothing is printed before the last key is read.
    key_reader(std::string file, bool hex, bool output_follows);

    /// The next key; false after the last one. Throws `usage_failure` with file and line for digits
    /// that are none, a key with a TAB that is not spelled in hexadecimal, and one over 16 MiB.
    bool next();

    /// The key's bytes, valid until `next`.
    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
    /// The key as output shows it: the digits in lower case with `hex`, else the bytes.
    [[nodiscard]] std::string_view shown() const noexcept { return shown_; }

private:
    line_reader lines_;
    bool hex_;
    progress progress_;
    std::string decoded_;
    std::string lowered_;
    std::string_view bytes_;
    std::string_view shown_;
};

/// The bytes that pairs of hexadecimal digits spell; false, and `bytes` of no use, if they do not.
[[nodiscard]] bool decode_hex(std::string_view digits, std::string& bytes);

/// The bytes of a key of the command line, with `hex` spelled in digits. Throws `usage_failure` for
/// digits that are none, and for a TAB or a line feed that are not spelled so.
[[nodiscard]] std::string key_bytes(const std::string& given, bool hex);

/// `bytes` as pairs of hexadecimal digits in lower case.
[[nodiscard]] std::string encode_hex(std::string_view bytes);

} // namespace tool
