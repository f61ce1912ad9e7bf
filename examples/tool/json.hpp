// SPDX-License-Identifier: MIT
#pragma once

#include "output.hpp"

#include <hashring/core/text.hpp>

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
    std::string text;
    for (int shift = 56; shift >= 0; shift -= 8) {
        const char byte = static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xffU);
        hashring::append_hex(text, {&byte, 1});
    }
    return text;
}

} // namespace tool
