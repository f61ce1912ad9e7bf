// SPDX-License-Identifier: MIT
#pragma once

#include "fuzz/fuzz.hpp"
#include "fuzz/memory_file.hpp"
#include "tool/failure.hpp"
#include "tool/keys.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

namespace detail {

/// All keys of a file, each with a LF behind it, in hexadecimal if so read; false if refused.
inline bool keys_of(std::string_view text, bool hex, std::vector<std::string>& keys) {
    const memory_file file(text);
    try {
        tool::key_reader reader(file.name(), hex, true);
        while (reader.next()) {
            keys.emplace_back(reader.bytes());
            expect(!hex || tool::encode_hex(reader.bytes()) == reader.shown(),
                   "a key is shown as it is spelled");
        }
        return true;
    } catch (const tool::input_failure& reason) {
        const std::string head = file.name() + ":" + std::to_string(keys.size() + 1) + ": ";
        expect(std::string_view(reason.what()).starts_with(head), "an error names the line");
        return false;
    }
}

} // namespace detail

/// A file of keys, as it is or in hexadecimal: the keys in hexadecimal are the same keys.
inline void keys(std::string_view text) {
    std::vector<std::string> plain;
    const bool is_read = detail::keys_of(text, false, plain);
    std::string spelled;
    for (const std::string& key : plain) {
        spelled += tool::encode_hex(key) + "\n";
    }
    std::vector<std::string> again;
    expect(detail::keys_of(spelled, true, again), "spelled keys are read");
    expect(plain == again, "spelled keys are the same");
    expect(!is_read || text.find('\t') == std::string_view::npos, "no TAB is in a key");
    std::vector<std::string> decoded;
    static_cast<void>(detail::keys_of(text, true, decoded));
}

} // namespace fuzz
