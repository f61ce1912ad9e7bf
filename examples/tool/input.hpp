// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

/// A file, or standard input for `-`, cut into lines that end with LF alone. A last line without LF
/// counts; an empty file has no lines. Memory is bounded by the longest line allowed.
class line_reader {
public:
    /// Opens `file` and reads its first bytes, so that a missing file and a directory are found
    /// before anything is printed. Throws `usage_failure`.
    line_reader(std::string file, std::size_t longest_line);
    line_reader(const line_reader&) = delete;
    line_reader& operator=(const line_reader&) = delete;
    ~line_reader();

    /// The next line without its LF, valid until the next call; false after the last one. Throws
    /// `usage_failure` for a line that is too long or a file that cannot be read on.
    bool next(std::string_view& line);

    /// The number of the line that `next` gave, from 1.
    [[nodiscard]] std::size_t line_number() const noexcept { return line_number_; }
    /// Whether that line ended with LF: the last one may not.
    [[nodiscard]] bool had_end() const noexcept { return had_end_; }
    [[nodiscard]] const std::string& file() const noexcept { return file_; }

private:
    bool fill();
    void check_length(std::size_t length) const;

    std::string file_;
    std::size_t longest_line_;
    int descriptor_ = -1;
    std::vector<char> buffer_;
    std::size_t begin_ = 0; ///< what is in the buffer and not handed out yet: [begin_, end_)
    std::size_t end_ = 0;
    bool at_end_ = false;
    bool had_end_ = true;
    std::size_t line_number_ = 0;
};

/// The most bytes that a file may have which is read whole: 256 MiB.
inline constexpr std::size_t longest_text = std::size_t{256} << 20U;

/// All bytes of `file`, or of standard input for `-`. Throws `usage_failure` for one that cannot be
/// read, and with the line for one that has more than `most` bytes.
[[nodiscard]] std::string whole_text(const std::string& file, std::size_t most = longest_text);

} // namespace tool
