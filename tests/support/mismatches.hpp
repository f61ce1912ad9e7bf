// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <sstream>
#include <string>

namespace hashring::test {

/// Counts what does not hold in a loop too hot for a CHECK of its own, and keeps the first in
/// words: `CHECK(wrong.report() == "")` after the loop.
class mismatches {
public:
    template <class Got, class Want, class... Where>
    void compare(const Got& got, const Want& want, const Where&... where) {
        if (!(got == want)) {
            note("got ", got, ", want ", want, ", at", where...);
        }
    }

    template <class... Where>
    void expect(bool holds, const Where&... where) {
        if (!holds) {
            note("at", where...);
        }
    }

    [[nodiscard]] std::string report() const {
        return count_ == 0 ? "" : std::to_string(count_) + " mismatches, the first: " + first_;
    }

private:
    template <class... Parts>
    void note(const Parts&... parts) {
        if (count_++ == 0) {
            std::ostringstream text;
            ((text << parts << ' '), ...);
            first_ = text.str();
        }
    }

    std::size_t count_ = 0;
    std::string first_;
};

} // namespace hashring::test

// Checks that nothing was found wrong, and prints the first case if something was.
#define CHECK_NO_MISMATCHES(found) CHECK((found).report() == "")
