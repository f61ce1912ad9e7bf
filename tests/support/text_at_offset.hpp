// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>

namespace hashring::test {

/// A copy of a text that begins `offset` bytes past an allocation and ends with it, so that every
/// alignment can be tried and a read past either end is seen by the address sanitizer.
class text_at_offset {
public:
    text_at_offset(std::string_view text, std::size_t offset)
        : buffer_(new char[offset + text.size()]), view_(buffer_.get() + offset, text.size()) {
        std::copy(text.begin(), text.end(), buffer_.get() + offset);
    }

    [[nodiscard]] std::string_view view() const noexcept { return view_; }

private:
    std::unique_ptr<char[]> buffer_;
    std::string_view view_;
};

} // namespace hashring::test
