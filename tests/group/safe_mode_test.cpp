// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/groups.hpp"
#include "support/mismatches.hpp"

#include <hashring/group/safe_mode.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using group::mode;
using group::next_mode;
using group::safe_exit;

namespace {

// The modes that a history of states leads through, from normal: `n` normal, `s` safe.
std::string modes(const std::vector<std::string_view>& history,
                  safe_exit leave = safe_exit::all_copies) {
    mode now = mode::normal;
    std::string result;
    for (const std::string_view states : history) {
        now = next_mode(now, group_of(states), leave);
        result += now == mode::safe ? 's' : 'n';
    }
    return result;
}

// The mode after `before` for every state up and down of some copies, as `groups_of` lists them.
std::string table(std::size_t copies, mode before, safe_exit leave) {
    std::string result;
    for (const std::string& text : groups_of(copies, "ud")) {
        result += next_mode(before, group_of(text), leave) == mode::safe ? 's' : 'n';
    }
    return result;
}

} // namespace

TEST_CASE("safe mode: half of the copies down enter it, for 1 to 5 copies", "[safe_mode][golden]") {
    for (const safe_exit leave : {safe_exit::all_copies, safe_exit::majority}) {
        CHECK(table(1, mode::normal, leave) == "ns");
        CHECK(table(2, mode::normal, leave) == "nsss");
        CHECK(table(3, mode::normal, leave) == "nnnsnsss");
        CHECK(table(4, mode::normal, leave) == "nnnsnsssnsssssss");
        CHECK(table(5, mode::normal, leave) == "nnnnnnnsnnnsnsssnnnsnsssnsssssss");
    }
}

TEST_CASE("safe mode: who leaves it, for 1 to 5 copies", "[safe_mode][golden]") {
    CHECK(table(1, mode::safe, safe_exit::all_copies) == "ns");
    CHECK(table(2, mode::safe, safe_exit::all_copies) == "nsss");
    CHECK(table(3, mode::safe, safe_exit::all_copies) == "nsssssss");
    CHECK(table(4, mode::safe, safe_exit::all_copies) == "nsssssssssssssss");
    CHECK(table(5, mode::safe, safe_exit::all_copies) == "nsssssssssssssssssssssssssssssss");
    CHECK(table(3, mode::safe, safe_exit::majority) == "nnnsnsss");
    CHECK(table(5, mode::safe, safe_exit::majority) == "nnnnnnnsnnnsnsssnnnsnsssnsssssss");
}

TEST_CASE("safe mode: it is left when copies are complete again", "[safe_mode][golden]") {
    const std::vector<std::string_view> history = {"Uuu", "Udu", "Udd", "Ubd", "Urd", "Uud",
                                                   "Uub", "Uur", "Uuu", "Uud", "Uub"};
    CHECK(modes(history) == "nnssssssnnn");
    CHECK(modes(history, safe_exit::majority) == "nnsssnnnnnn");
    // A copy that answers again without being complete ends nothing.
    CHECK(modes({"Uu", "Ud", "Ub", "Ur", "Uu"}) == "nsssn");
    CHECK(modes({"Uu", "Ud", "Ub", "Ur", "Uu"}, safe_exit::majority) == "nsssn");
    CHECK(modes({"U", "D", "B", "U"}) == "nssn");
}

TEST_CASE("safe mode: a copy that is not complete counts as lost", "[safe_mode][golden]") {
    CHECK(modes({"Ubr"}) == "s");
    CHECK(modes({"Uub"}) == "n");
    CHECK(modes({"Uubr"}) == "s");
    CHECK(modes({"Buu"}) == "n");
}

// By definition, over all sets: half are lost if no more copies are complete than are not.
TEST_CASE("safe mode: normal mode means that a majority is complete", "[safe_mode][law]") {
    test::mismatches wrong;
    for (std::size_t n = 1; n <= 5; ++n) {
        for (const std::string& text : texts_of(n, "ubrd")) {
            const group::members g = group_of(text);
            const auto complete = std::count(text.begin(), text.end(), 'u');
            const bool is_majority = complete > static_cast<std::ptrdiff_t>(n) - complete;
            const bool is_all = text == std::string(n, 'u');
            const bool is_quiet = text.find_first_of("br") == std::string::npos;
            wrong.expect((next_mode(mode::normal, g) == mode::normal) == is_majority, text);
            wrong.expect((next_mode(mode::safe, g) == mode::normal) == is_all, text);
            const mode early = next_mode(mode::safe, g, safe_exit::majority);
            wrong.expect((early == mode::normal) == (is_majority && is_quiet), text);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("safe mode: seen twice is the same as once", "[safe_mode][law]") {
    constexpr std::uint64_t seed = 71;
    CAPTURE(seed);
    dice random(seed);
    test::mismatches wrong;
    int changes = 0;
    for (const safe_exit leave : {safe_exit::all_copies, safe_exit::majority}) {
        mode now = mode::normal;
        const std::vector<std::string> states = texts_of(3, "ubrd");
        for (int step = 0; step < 2000; ++step) {
            const group::members g = group_of(random.pick(states));
            const mode next = next_mode(now, g, leave);
            wrong.expect(next_mode(next, g, leave) == next, step);
            changes += next == now ? 0 : 1;
            now = next;
        }
    }
    CHECK(wrong.report() == "");
    CHECK(changes > 100);
}

TEST_CASE("safe mode: a group without copies has lost them", "[safe_mode][edge]") {
    CHECK(modes({""}) == "s");
    CHECK(group::has_lost_half(group_of("")));
    CHECK(group::describe(mode::safe) == "safe");
    CHECK(group::describe(mode::normal) == "normal");
}
