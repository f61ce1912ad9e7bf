// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/groups.hpp"
#include "support/mismatches.hpp"

#include <hashring/group/members.hpp>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace hashring;
using group::members;

namespace {

// What the error says of copies of these names, the ones at `masters` being masters.
std::string refused(const std::vector<std::string>& names, const std::string& masters = "") {
    std::vector<group::copy> copies;
    for (const std::string& name : names) {
        group::copy c;
        c.name = name;
        c.role =
            masters.find(name) == std::string::npos ? group::role::replica : group::role::master;
        copies.push_back(c);
    }
    try {
        return decimal(members(copies).size()).append(" copies");
    } catch (const invalid_group& error) {
        return error.what();
    }
}

} // namespace

TEST_CASE("members: a majority is more than half", "[group][golden][small]") {
    CHECK(group::majority(1) == 1);
    CHECK(group::majority(2) == 2);
    CHECK(group::majority(3) == 2);
    CHECK(group::majority(4) == 3);
    CHECK(group::majority(5) == 3);
}

TEST_CASE("members: copies are counted by state", "[group][golden][small]") {
    const members g = group_of("uUbrdd");
    CHECK(g.size() == 6);
    CHECK(g.master() == 1);
    CHECK(g.complete() == 2);
    CHECK(g.answering() == 4);
    CHECK(g.count(group::copy_state::up) == 2);
    CHECK(g.count(group::copy_state::behind) == 1);
    CHECK(g.count(group::copy_state::repairing) == 1);
    CHECK(g.count(group::copy_state::down) == 2);
    CHECK(g.find("c") == 2);
    CHECK(g.find("x") == group::no_copy);
    CHECK(g[3].name == "d");
    CHECK(group::describe(g[2].state) == "behind");
    CHECK(group::describe(g[3].state) == "repairing");
    CHECK(group::describe(g[4].state) == "down");
    CHECK(group::describe(g[0].state) == "up");
}

TEST_CASE("members: two majorities meet, and two halves need not", "[group][law]") {
    test::mismatches wrong;
    for (std::size_t n = 1; n <= 8; ++n) {
        for (std::uint64_t a = 0; a < (1U << n); ++a) {
            for (std::uint64_t b = 0; b < (1U << n); ++b) {
                const std::size_t in_a = std::bitset<8>(a).count();
                const std::size_t in_b = std::bitset<8>(b).count();
                wrong.expect(in_a < group::majority(n) || in_b < group::majority(n) || (a & b) != 0,
                             n, a, b);
            }
        }
        wrong.expect(2 * (group::majority(n) - 1) <= n, n, "one less is no majority");
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("members: there is one master after a promotion", "[group][law]") {
    members g = group_of("Uuu");
    g.set_master(2);
    CHECK(g == group_of("uuU"));
    CHECK(g.master() == 2);
    CHECK(g[0].role == group::role::replica);
    g.set_master(2);
    CHECK(g.master() == 2);
    g.set_master(group::no_copy);
    CHECK(g == group_of("uuu"));
}

TEST_CASE("members: what is learned of a copy changes that one", "[group][law]") {
    members g = group_of("Uuu");
    g.set_state(1, group::copy_state::down);
    CHECK(g == group_of("Udu"));
    g.set_offset(2, 77);
    g.set_priority(0, 5);
    CHECK(g[2].offset == 77);
    CHECK(g[0].offset == 0);
    CHECK(g[0].priority == 5);
    CHECK(g[1].priority == 100);
    CHECK_FALSE(g == group_of("Udu"));
}

TEST_CASE("copy list: it keeps the order", "[group][edge][small]") {
    group::copy_list list;
    CHECK(list.empty());
    CHECK_FALSE(list.contains(0));
    for (std::size_t i = group::max_copies; i-- > 0;) {
        list.push_back(i);
    }
    CHECK(list.size() == 16);
    CHECK(letters_of(list) == "ponmlkjihgfedcba");
    CHECK(list[0] == 15);
    CHECK(list.contains(0));
    CHECK_FALSE(list.contains(group::no_copy));
}

TEST_CASE("members: none at all", "[group][edge]") {
    const members none;
    CHECK(none.empty());
    CHECK(none.master() == group::no_copy);
    CHECK(none.complete() == 0);
    CHECK(none == members(std::vector<group::copy>{}));
}

TEST_CASE("members: what cannot be a group is refused", "[group][error]") {
    CHECK(refused({"a", "b"}, "a") == "2 copies");
    CHECK(refused({"a", "b"}) == "2 copies");
    CHECK(refused({"a", "", "c"}) == "a copy has an empty name");
    CHECK(refused({"a", "b", "a"}) == "two copies are named 'a'");
    CHECK(refused({"a", "b", "c"}, "ac") == "a group has one master at most");
    std::vector<std::string> many;
    for (int i = 0; i < 16; ++i) {
        many.push_back(decimal(i));
    }
    CHECK(refused(many) == "16 copies");
    many.emplace_back("one more");
    CHECK(refused(many) == "17 copies: a group has at most 16");
}
