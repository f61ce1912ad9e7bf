// SPDX-License-Identifier: MIT
#pragma once

#include "support/catch.hpp"

#include <hashring/core/text.hpp>

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

// The files under tests/golden: a line a record, fields between TABs, `#` opens a comment line.
namespace golden {

// The records of a file. One that is missing or empty fails the test.
inline std::vector<std::string> lines(const std::string& file) {
    std::ifstream in(hashring::concat(HASHRING_GOLDEN_DIR, "/", file), std::ios::binary);
    std::vector<std::string> result;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line.front() != '#') {
            result.push_back(line);
        }
    }
    INFO("golden file " << file);
    REQUIRE(!result.empty());
    return result;
}

inline std::vector<std::string> fields(std::string_view line) {
    std::vector<std::string> result;
    std::size_t from = 0;
    for (std::size_t tab = line.find('\t'); tab != line.npos; tab = line.find('\t', from)) {
        result.emplace_back(line.substr(from, tab - from));
        from = tab + 1;
    }
    result.emplace_back(line.substr(from));
    return result;
}

inline std::string unhex(std::string_view digits) {
    const auto value = [](char digit) {
        return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    };
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        bytes += static_cast<char>(value(digits[i]) * 16 + value(digits[i + 1]));
    }
    return bytes;
}

// Keys that stand in hexadecimal, a line each.
inline std::vector<std::string> keys(const std::string& file) {
    std::vector<std::string> result;
    for (const std::string& line : lines(file)) {
        result.push_back(unhex(line));
    }
    return result;
}

} // namespace golden
