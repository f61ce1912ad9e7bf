// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/groups.hpp"

#include <hashring/group/observe.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using group::copy_state;
using group::next_state;
using group::observation;

namespace {

// What is seen by letters: `a` answers, `c` continuous, `s` syncing, `f` follows a complete master.
observation seen(std::string_view letters) {
    const auto has = [&](char c) {
        return letters.find(c) != std::string_view::npos;
    };
    return {has('a'), has('c'), has('s'), has('f')};
}

char letter(copy_state state) {
    return describe(state)[0]; // u, b, r, d
}

// The states after up, behind, repairing and down.
std::string after(std::string_view letters) {
    std::string result;
    for (const char before : std::string_view("ubrd")) {
        result += letter(next_state(state_of(before), seen(letters)));
    }
    return result;
}

// The states that a series of looks leads through, from up.
std::string through(const std::vector<std::string_view>& looks) {
    copy_state now = copy_state::up;
    std::string result;
    for (const std::string_view look : looks) {
        now = next_state(now, seen(look));
        result += letter(now);
    }
    return result;
}

} // namespace

TEST_CASE("observe: every state after every look", "[group][golden]") {
    for (const std::string_view silent : {"", "c", "s", "f", "cs", "cf", "sf", "csf"}) {
        CHECK(after(silent) == "dddd");
    }
    CHECK(after("a") == "bbbb");
    CHECK(after("ac") == "ubbb");
    CHECK(after("af") == "uuuu");
    CHECK(after("acf") == "uuuu");
    CHECK(after("as") == "rrrr");
    CHECK(after("acs") == "rrrr");
    CHECK(after("asf") == "rrrr");
    CHECK(after("acsf") == "rrrr");
}

TEST_CASE("observe: how copies come and go", "[group][golden]") {
    // A replica dies, comes back, is copied and follows.
    CHECK(through({"acf", "", "a", "as", "acf"}) == "udbru");
    // It loses its master, keeps what it has, and follows the next one.
    CHECK(through({"acf", "ac", "ac", "acf"}) == "uuuu");
    // A master restarts between two looks, and never becomes complete by itself.
    CHECK(through({"ac", "a", "ac", "ac"}) == "ubbb");
    // A replica was copied from such a master between two looks.
    CHECK(through({"acf", "a"}) == "ub");
    // A server that was frozen comes back and kept everything: it has to follow all the same.
    CHECK(through({"acf", "", "ac", "acf"}) == "udbu");
}
