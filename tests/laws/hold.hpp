// SPDX-License-Identifier: MIT
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace laws {

// That a law does not hold, in words.
struct broken_law : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws `broken_law` unless the law holds; `where` says for what. The text is made only then.
template <class... Where>
void hold(bool holds, std::string_view law, const Where&... where) {
    if (!holds) {
        std::ostringstream text;
        text << law;
        ((text << ' ' << where), ...);
        throw broken_law(text.str());
    }
}

} // namespace laws
