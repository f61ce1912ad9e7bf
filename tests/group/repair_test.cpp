// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/groups.hpp"
#include "support/mismatches.hpp"

#include <hashring/group/repair.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using group::may_merge;
using group::no_copy;
using group::repair_plan;
using group::repair_step;

namespace {

// A plan in words, such as `a to cb`.
std::string plan(std::string_view states, std::string_view offsets = "", std::size_t at_once = 9,
                 group::write_strategy strategy = group::write_strategy::master_first_sync) {
    group::rules chosen;
    chosen.write = strategy;
    const repair_plan p = plan_repair(chosen, group_of(states, offsets), at_once);
    const std::string source =
        p.source == no_copy ? "nobody" : std::string(1, static_cast<char>('a' + p.source));
    switch (p.step) {
    case repair_step::nothing:
        return "nothing";
    case repair_step::copy_whole:
        return source + " to " + letters_of(p.targets);
    case repair_step::elect_first:
        return "elect " + source;
    case repair_step::merge:
        return "merge into " + source + ": " + letters_of(p.targets);
    case repair_step::more_copies:
        return "more copies";
    }
    return "?";
}

} // namespace

TEST_CASE("repair: the furthest copy comes first", "[repair][golden]") {
    CHECK(plan("Uuu") == "nothing");
    CHECK(plan("Ubb", "935") == "a to cb");
    CHECK(plan("Ubb", "955") == "a to bc");
    CHECK(plan("Ubbbd", "91324") == "a to cdb");
    CHECK(plan("ubUb", "9357") == "c to db");
    CHECK(plan("Udd") == "nothing");
    CHECK(plan("Urr") == "nothing");
}

TEST_CASE("repair: no more at once than allowed", "[repair][golden]") {
    CHECK(plan("Ubbb", "9123", 1) == "a to d");
    CHECK(plan("Ubbb", "9123", 2) == "a to dc");
    CHECK(plan("Ubbr", "9123", 1) == "nothing");
    CHECK(plan("Ubbr", "9123", 2) == "a to c");
    CHECK(plan("Ubrr", "9123", 1) == "nothing");
    CHECK(plan("Ubbb", "9123", 0) == "nothing");
    CHECK(plan_repair({}, group_of("Ubb")).targets.size() == 1); // one at once if not said
}

// A supervisor restarted an empty master at once, and it emptied its replicas.
TEST_CASE("repair: a master that is not complete is never a source", "[repair][golden]") {
    for (const auto strategy :
         {group::write_strategy::master_first_sync, group::write_strategy::master_first_async}) {
        CHECK(plan("Buu", "057", 9, strategy) == "elect c");
        CHECK(plan("Ruu", "957", 9, strategy) == "elect c");
        CHECK(plan("Duu", "957", 9, strategy) == "elect c");
        CHECK(plan("uub", "957", 9, strategy) == "elect a");
        CHECK(plan("Du", "95", 9, strategy) == "elect b");
    }
}

TEST_CASE("repair: the next master has all that was acknowledged, or there is none",
          "[repair][golden]") {
    const auto async = group::write_strategy::master_first_async;
    CHECK(plan("Dud", "957") == "more copies");
    CHECK(plan("Bub", "957") == "merge into a: bc");
    CHECK(plan("Dud", "957", 9, async) == "elect b");
    CHECK(plan("Bub", "957", 9, async) == "elect b");
    // A priority has the last word only where no majority is promised.
    group::members g = group_of("Duu");
    g.set_offset(1, 7);
    g.set_offset(2, 8);
    g.set_priority(1, 1);
    group::rules chosen;
    CHECK(plan_repair(chosen, g) == repair_plan{repair_step::elect_first, 2, {}});
    chosen.write = async;
    CHECK(plan_repair(chosen, g) == repair_plan{repair_step::elect_first, 1, {}});
    g.set_priority(1, 0);
    g.set_priority(2, 0);
    CHECK(plan_repair(chosen, g).step == repair_step::more_copies);
}

TEST_CASE("repair: if nobody is known to have all, all are brought together", "[repair][golden]") {
    CHECK(plan("Bbb", "157") == "merge into c: ab");
    CHECK(plan("Brb", "957") == "merge into a: bc");
    CHECK(plan("bbb", "555") == "merge into a: bc");
    CHECK(plan("B") == "merge into a: ");
    CHECK(plan("Brd", "957") == "more copies");
    CHECK(plan("D") == "more copies");
    CHECK(plan("Ddd") == "more copies");
    CHECK(plan("Dbbbb") == "more copies");
}

TEST_CASE("repair: what was away for too long is copied whole", "[repair][golden]") {
    CHECK(may_merge(0, 60));
    CHECK(may_merge(59, 60));
    CHECK_FALSE(may_merge(60, 60));
    CHECK_FALSE(may_merge(0, 0));
}

// By definition, over all states: who is complete is enough for a failover if no majority can do
// without all of them.
TEST_CASE("repair: targets answer, and the source is complete but in a merge", "[repair][law]") {
    test::mismatches wrong;
    for (std::size_t n = 1; n <= 5; ++n) {
        for (const std::string& text : groups_of(n, "ubrd")) {
            const repair_plan p = plan_repair({}, group_of(text), n);
            const auto is = [&](std::size_t i, std::string_view states) {
                return states.find(static_cast<char>(std::tolower(text[i]))) !=
                       std::string_view::npos;
            };
            std::size_t up = 0;
            std::size_t behind = 0;
            std::size_t busy = 0;
            std::size_t down = 0;
            for (std::size_t i = 0; i < n; ++i) {
                up += is(i, "u") ? 1U : 0U;
                behind += is(i, "b") ? 1U : 0U;
                busy += is(i, "r") ? 1U : 0U;
                down += is(i, "d") ? 1U : 0U;
            }
            const bool can_elect = 2 * (n - up) <= n; // those that are not are no majority
            const repair_step wanted =
                text[0] == 'U'
                    ? (behind > 0 && n > busy ? repair_step::copy_whole : repair_step::nothing)
                : can_elect && up > 0 ? repair_step::elect_first
                : down == 0           ? repair_step::merge
                                      : repair_step::more_copies;
            wrong.expect(p.step == wanted, text);
            wrong.expect(p.source == no_copy ||
                             is(p.source, wanted == repair_step::merge ? "ubr" : "u"),
                         text);
            for (const std::size_t i : p.targets) {
                wrong.expect(is(i, wanted == repair_step::merge ? "ubr" : "b") && i != p.source,
                             text);
            }
            wrong.compare(p.targets.size(),
                          wanted == repair_step::copy_whole ? std::min(behind, n - busy)
                          : wanted == repair_step::merge    ? n - 1
                                                            : 0,
                          text);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("repair: a group without copies waits for some", "[repair][edge]") {
    CHECK(plan("") == "more copies");
    CHECK(plan("U") == "nothing");
}
