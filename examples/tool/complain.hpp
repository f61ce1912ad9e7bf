// SPDX-License-Identifier: MIT
#pragma once

#include "failure.hpp"

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace tool {

/// `text` with its middle left out if it is very long: where something is wrong stands at the
/// beginning, and what at the end.
[[nodiscard]] inline std::string shortened(std::string_view text) {
    constexpr std::size_t half = 300;
    if (text.size() <= 2 * half) {
        return std::string(text);
    }
    const std::string_view tail = text.substr(head_of(text, text.size() - half).size());
    return concat(head_of(text, half), "...", tail);
}

/// One line on standard error.
inline void complain(std::string_view reason) {
    std::fputs(concat(printable(shortened(reason)), "\n").c_str(), stderr);
}

} // namespace tool
