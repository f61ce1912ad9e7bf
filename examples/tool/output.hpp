// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tool {

/// Standard output with a buffer of its own and every write checked.
class output {
public:
    output() { buffer_.reserve(capacity + 4096); }
    output(const output&) = delete;
    output& operator=(const output&) = delete;
    ~output() = default;

    output& operator<<(std::string_view text) {
        buffer_.append(text);
        if (buffer_.size() >= capacity) {
            flush();
        }
        return *this;
    }
    output& operator<<(char c) { return *this << std::string_view(&c, 1); }

    /// Writes what is buffered. Throws `reader_gone` on a closed pipe and `write_failure`
    /// otherwise.
    void flush();

private:
    static constexpr std::size_t capacity = std::size_t{1} << 18U;

    std::string buffer_;
};

} // namespace tool
