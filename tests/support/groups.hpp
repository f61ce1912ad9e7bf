// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>
#include <hashring/group/members.hpp>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Groups as short texts: a letter a copy, `u` up, `b` behind, `r` repairing, `d` down; the master's
// is a capital. `Uud` is a master and two replicas, the second of them down.

inline hashring::group::copy_state state_of(char letter) {
    switch (std::tolower(static_cast<unsigned char>(letter))) {
    case 'u':
        return hashring::group::copy_state::up;
    case 'b':
        return hashring::group::copy_state::behind;
    case 'r':
        return hashring::group::copy_state::repairing;
    default:
        return hashring::group::copy_state::down;
    }
}

// Copies are named a, b, c, … Their offsets are one digit each, 0 if not given.
inline hashring::group::members group_of(std::string_view letters, std::string_view offsets = "") {
    std::vector<hashring::group::copy> copies;
    for (const char letter : letters) {
        hashring::group::copy c;
        c.name = std::string(1, static_cast<char>('a' + copies.size()));
        c.state = state_of(letter);
        const bool is_master = std::isupper(static_cast<unsigned char>(letter)) != 0;
        c.role = is_master ? hashring::group::role::master : hashring::group::role::replica;
        if (copies.size() < offsets.size()) {
            c.offset = static_cast<std::uint64_t>(offsets[copies.size()] - '0');
        }
        copies.push_back(std::move(c));
    }
    return hashring::group::members(std::move(copies));
}

// All texts of `count` letters out of `letters`, the first letter varying the fastest.
inline std::vector<std::string> texts_of(std::size_t count, std::string_view letters) {
    std::vector<std::string> result{""};
    for (std::size_t at = 0; at < count; ++at) {
        std::vector<std::string> longer;
        for (const char letter : letters) {
            for (const std::string& text : result) {
                longer.push_back(text + letter);
            }
        }
        result = std::move(longer);
    }
    return result;
}

// The same with a master, which is the first copy.
inline std::vector<std::string> groups_of(std::size_t count, std::string_view letters) {
    std::vector<std::string> result = texts_of(count, letters);
    for (std::string& text : result) {
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    }
    return result;
}

// The copies of a list as their letters in `group_of`, such as `acb`.
template <class List>
std::string letters_of(const List& copies) {
    std::string result;
    for (const std::size_t i : copies) {
        result += static_cast<char>('a' + i);
    }
    return result;
}
