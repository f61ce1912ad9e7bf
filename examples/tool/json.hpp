// SPDX-License-Identifier: MIT
#pragma once

#include "output.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace tool {

/// Members keep the order in which they are said.
using json = nlohmann::ordered_json;

/// Prints `value`; bytes of names and keys that are not UTF-8 become replacement characters.
inline void print_json(const json& value, output& out) {
    out << value.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
}

/// A 64-bit number in sixteen hexadecimal digits: JSON's own numbers lose digits above 2^53.
[[nodiscard]] inline std::string hex_number(std::uint64_t value) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) {
        text += digits[(value >> static_cast<unsigned>(shift)) & 15U];
    }
    return text;
}

} // namespace tool
