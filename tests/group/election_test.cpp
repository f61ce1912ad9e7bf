// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/groups.hpp"
#include "support/mismatches.hpp"

#include <hashring/group/election.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

using namespace hashring;
using group::candidate;
using group::elect;
using group::election_limits;
using group::no_copy;
using group::unelectable;
using group::why_not;

namespace {

using candidates = std::vector<candidate>;

candidate of(std::string_view name, std::uint32_t priority, std::uint64_t offset) {
    candidate result;
    result.name = name;
    result.priority = priority;
    result.offset = offset;
    return result;
}

candidate aged(std::uint64_t silent_for, std::uint64_t info_age, std::uint64_t cut_off_for) {
    return {"x", 100, 0, false, silent_for, info_age, cut_off_for};
}

} // namespace

TEST_CASE("election: priority, then offset, then name", "[election][golden]") {
    CHECK(elect(candidates{of("a", 100, 5), of("b", 100, 9), of("c", 100, 7)}) == 1);
    CHECK(elect(candidates{of("a", 100, 5), of("b", 100, 9), of("c", 50, 1)}) == 2);
    CHECK(elect(candidates{of("b", 100, 9), of("a", 100, 9), of("c", 100, 9)}) == 1);
    CHECK(elect(candidates{of("a", 0, 9), of("b", 100, 1)}) == 1);
    CHECK(elect(candidates{of("10", 1, 1), of("9", 1, 1)}) == 0); // names are text
    CHECK(elect(candidates{of("a", 4294967295U, 1)}) == 0);
}

TEST_CASE("election: Sentinel's limits", "[election][golden]") {
    const election_limits limits = election_limits::of_sentinel(2000, 3500);
    CHECK(limits == election_limits{5000, 5000, 23500});
    CHECK(why_not(aged(5000, 5000, 23500), limits) == unelectable::no);
    CHECK(why_not(aged(5001, 0, 0), limits) == unelectable::stale);
    CHECK(why_not(aged(0, 5001, 0), limits) == unelectable::stale);
    CHECK(why_not(aged(0, 0, 23501), limits) == unelectable::cut_off);
    CHECK(why_not(aged(~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0})) ==
          unelectable::no);
    candidate down = aged(0, 0, 0);
    down.is_down = true;
    CHECK(why_not(down, limits) == unelectable::down);
    CHECK(why_not(of("x", 0, 0), limits) == unelectable::priority);
    candidates both = {of("a", 1, 9), of("b", 9, 1)};
    both[0].cut_off_for = 30000;
    CHECK(elect(both, limits) == 1);
    CHECK(elect(both) == 0);
}

TEST_CASE("election: a group elects among its complete replicas", "[election][golden]") {
    CHECK(elect(group_of("Duu", "957")) == group::election{2, true});
    CHECK(elect(group_of("Dub", "957")) == group::election{1, false});
    CHECK(elect(group_of("Duuud", "95768")) == group::election{2, true});
    CHECK(elect(group_of("Duudd", "95768")) == group::election{2, false});
    CHECK(elect(group_of("Du", "95")) == group::election{1, true}); // each majority of two has both
    CHECK(elect(group_of("Uuu", "957")) == group::election{2, false}); // the master is further
    CHECK(elect(group_of("Uuu", "959")) == group::election{2, true});
    CHECK(elect(group_of("Ddd", "957")) == group::election{no_copy, false});
    CHECK(elect(group_of("Drb", "957")) == group::election{no_copy, false});
    CHECK(elect(group_of("U", "9")) == group::election{no_copy, false});
}

// A warning more than a rule: this is what Sentinel does.
TEST_CASE("election: a priority beats an offset, and may lose what was acknowledged",
          "[election][golden]") {
    group::members g = group_of("Duu", "957");
    g.set_priority(1, 10);
    CHECK(elect(g) == group::election{1, false});
    CHECK(elect(g, group::precedence::offset) == group::election{2, true});
    g.set_offset(1, 7);
    CHECK(elect(g) == group::election{1, true});
    CHECK(elect(g, group::precedence::offset) == group::election{1, true});
    g.set_priority(1, 0);
    CHECK(elect(g, group::precedence::offset) == group::election{2, true});
    g.set_offset(1, 8);
    CHECK(elect(g, group::precedence::offset) == group::election{2, false});
}

// By sorting tuples instead of by a walk.
TEST_CASE("election: the winner is the first of all that can, in any order", "[election][law]") {
    constexpr std::uint64_t seed = 81;
    CAPTURE(seed);
    dice random(seed);
    const std::vector<std::string> names = node_names(9, 8);
    test::mismatches wrong;
    int without = 0;
    for (int round = 0; round < 2000; ++round) {
        candidates some;
        std::vector<std::tuple<std::uint32_t, std::uint64_t, std::string>> able;
        for (std::uint64_t i = random.below(names.size()); i > 0; --i) {
            candidate c =
                of(names[i], static_cast<std::uint32_t>(random.below(3)), random.below(4));
            c.is_down = random.below(4) == 0;
            c.silent_for = random.below(8);
            c.info_age = random.below(8);
            c.cut_off_for = random.below(8);
            some.push_back(c);
            if (!c.is_down && c.priority > 0 && c.silent_for < 7 && c.info_age < 6 &&
                c.cut_off_for < 5) {
                able.emplace_back(c.priority, ~c.offset, std::string(c.name));
            }
        }
        const election_limits limits{6, 5, 4};
        random.shuffle(some);
        const std::size_t winner = elect(some, limits);
        wrong.expect((winner == no_copy) == able.empty(), round);
        without += able.empty() ? 1 : 0;
        if (!able.empty() && winner != no_copy) {
            wrong.compare(some[winner].name,
                          std::get<2>(*std::min_element(able.begin(), able.end())), round);
        }
    }
    CHECK(wrong.report() == "");
    CHECK(without > 20);
}

// Over all sets of copies that may have an acknowledged write, all that may be lost, and all
// offsets: the winner that is said to keep it has it. A copy has the writes up to its offset.
TEST_CASE("election: what keeps acknowledged writes does", "[election][law]") {
    test::mismatches wrong;
    int kept = 0;
    int lost = 0;
    for (std::size_t n = 1; n <= 5; ++n) {
        for (const std::string& offsets : texts_of(n, "012")) {
            // The writes up to what a majority has are acknowledged; the master has them all.
            std::string sorted = offsets;
            std::sort(sorted.rbegin(), sorted.rend());
            const char acknowledged = sorted[group::majority(n) - 1];
            if (offsets[0] != sorted[0]) {
                continue;
            }
            for (const std::string& states : groups_of(n, "ud")) {
                const group::members g = group_of(states, offsets);
                const group::election e = elect(g);
                const bool has_them = e.winner != no_copy && offsets[e.winner] >= acknowledged;
                wrong.expect(!e.keeps_acknowledged || has_them, offsets, states);
                wrong.expect(e == elect(g, group::precedence::offset), "priorities are equal");
                kept += e.keeps_acknowledged ? 1 : 0;
                lost += e.winner != no_copy && !has_them ? 1 : 0;
            }
        }
    }
    CHECK(wrong.report() == "");
    CHECK(kept > 500);
    CHECK(lost > 0); // with half of the copies lost it does happen
}

TEST_CASE("election: none to elect", "[election][edge]") {
    CHECK(elect(candidates{}) == no_copy);
    CHECK(elect(candidates{of("a", 0, 9)}) == no_copy);
    CHECK(elect(group_of("")) == group::election{no_copy, false});
    CHECK(elect(group_of("uu")) == group::election{0, true}); // no master, all alike: by name
}
