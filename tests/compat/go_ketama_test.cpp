// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/vnodes_of.hpp"

#include <hashring/compat/go_ketama.hpp>
#include <hashring/placement/describe.hpp>
#include <hashring/ring/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::go_ketama;
using support::vnodes_of;

namespace {

constexpr std::uint32_t last_position = 0xffffffffU;

go_ketama by_func(std::string_view func) {
    go_ketama scheme;
    scheme.set("func", func);
    return scheme;
}

// HashFunc1's search, step for step: numbers wrap below 0 where it goes on before the first point.
std::size_t searched_by_func_1(const std::vector<std::uint32_t>& points, std::uint32_t h) {
    const std::uint64_t most = points.size();
    std::uint64_t low = 0;
    std::uint64_t high = most;
    for (;;) {
        const std::uint64_t middle = (low + high) / 2;
        if (middle >= most) {
            return static_cast<std::size_t>(middle == most ? 0 : most - 1);
        }
        const auto at = static_cast<std::size_t>(middle);
        if (h <= points[at] && h > (at == 0 ? 0 : points[at - 1])) {
            return at;
        }
        if (points[at] < h) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
        if (low > high) {
            return 0;
        }
    }
}

// Whether a ring by func 1 answers as its search among the points of one by func 2, which are the
// program's, on every point, beside it, and where the circle ends.
std::string mistakes_of(const std::vector<node_spec>& nodes) {
    const ring<go_ketama> program(nodes, by_func("2"));
    const ring<go_ketama> placed(nodes);
    std::vector<std::uint32_t> points;
    for (const auto& point : program.points()) {
        points.push_back(point.position);
    }
    test::mismatches wrong;
    const auto check = [&](std::uint32_t h) {
        wrong.compare(placed.owner_index_at(h), program.point_owner(searched_by_func_1(points, h)),
                      h);
    };
    for (const std::uint32_t point : points) {
        check(point);
        check(point + 1);
        check(point - 1);
    }
    for (const std::uint32_t h : {0U, 1U, 2U, last_position - 1, last_position}) {
        check(h);
    }
    return wrong.report();
}

} // namespace

TEST_CASE("go-ketama: counts are libketama's", "[go_ketama][golden]") {
    const auto counts = [](const std::vector<node_spec>& nodes) {
        return vnodes_of(ring<go_ketama>(nodes, by_func("2")));
    };
    CHECK(counts({"a", "b", "c"}) == std::vector<std::uint32_t>{160, 160, 160});
    CHECK(counts({{"a", weight{1}}, {"b", weight{0}}, {"c", weight{2}}}) ==
          std::vector<std::uint32_t>{160, 0, 320});
    std::vector<node_spec> many;
    for (int i = 0; i < 61; ++i) {
        many.emplace_back("n" + std::to_string(i));
    }
    CHECK(counts(many) == std::vector<std::uint32_t>(61, 156));
    CHECK(go_ketama::label({.name = "a"}, 17) == "a-4 word 1");
}

// The MD5 of k1c02f9bc begins with four zero bytes.
TEST_CASE("go-ketama: a key on 0 is the last point's by func 1 and the first's by func 2",
          "[go_ketama][golden]") {
    const std::string key = "k1c02f9bc";
    REQUIRE(go_ketama::position(key) == 0);
    const ring<go_ketama> right({"a", "b", "c"}, by_func("2"));
    const ring<go_ketama> wrong({"a", "b", "c"});
    const std::uint32_t first = right.point_owner(0);
    const std::uint32_t last = right.point_owner(right.point_count() - 1);
    REQUIRE(first != last);
    CHECK(right.owner(key)->name() == right.node(first).name());
    CHECK(wrong.owner(key)->name() == right.node(last).name());
    CHECK(wrong.owner_index_at(1) == first);
    CHECK(wrong.owner_index_at(last_position) == first);
}

TEST_CASE("go-ketama: func 1 answers as its search does", "[go_ketama][law]") {
    for (const std::size_t count :
         {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{9}}) {
        const auto names = node_names(count, count);
        CAPTURE(count);
        CHECK(mistakes_of({names.begin(), names.end()}) == "");
    }
    CHECK(mistakes_of({{"a", weight{1}}, {"b", weight{7}}, {"c", weight{90}}}) == "");
}

TEST_CASE("go-ketama: a ring by func 1 has two points more", "[go_ketama][edge]") {
    const ring<go_ketama> program({"a", "b", "c"}, by_func("2"));
    const ring<go_ketama> placed({"a", "b", "c"});
    REQUIRE(placed.point_count() == program.point_count() + 2);
    CHECK(placed.point_position(0) == 0);
    CHECK(placed.point_position(placed.point_count() - 1) == last_position);
    test::mismatches wrong;
    for (std::size_t i = 0; i < program.point_count(); ++i) {
        wrong.expect(placed.point_position(i + 1) == program.point_position(i) &&
                         placed.point_owner(i + 1) == program.point_owner(i),
                     i);
    }
    CHECK(wrong.report() == "");
    CHECK(ring<go_ketama>().point_count() == 0);
    CHECK(ring<go_ketama>{node_spec("a", weight{0})}.point_count() == 0);
}

// The MD5 of n16b113ee-0 has a word of 0, that of nd6292a78-0 one of 2^32 - 1.
TEST_CASE("go-ketama: points on the ends of the circle serve as the search has it",
          "[go_ketama][edge]") {
    const std::string zero = "n16b113ee";
    const std::string full = "nd6292a78";
    const ring<go_ketama> ends({zero, full}, by_func("2"));
    REQUIRE(ends.point_position(0) == 0);
    REQUIRE(ends.point_position(ends.point_count() - 1) == last_position);
    for (const auto& nodes : std::vector<std::vector<node_spec>>{{zero, "b"},
                                                                 {"b", zero},
                                                                 {full, "b"},
                                                                 {"b", full},
                                                                 {zero, full, "b"},
                                                                 {"b", full, zero}}) {
        CHECK(mistakes_of(nodes) == "");
    }
}

TEST_CASE("go-ketama: counts by hand and changes give the ring of the list that is left",
          "[go_ketama][law]") {
    const std::string func = GENERATE("1", "2");
    ring<go_ketama> placed({"a", {"b", weight{3}}, "c"}, by_func(func));
    CHECK(placed.remove("a"));
    CHECK(placed == ring<go_ketama>({{"b", weight{3}}, "c"}, by_func(func)));
    CHECK(placed.set_vnodes("c", 7));
    CHECK(placed.set_vnodes("b", 9));
    CHECK(placed.point_count() == (func == "1" ? 18 : 16));
}

TEST_CASE("go-ketama: a count by hand stays what it is, whatever a ring adds to its points",
          "[go_ketama][law]") {
    const std::vector<node_spec> two = {{"a", weight{1}, "", 5}, {"b", weight{1}, "", 7}};
    ring<go_ketama> placed(two);
    for (int i = 0; i < 3; ++i) {
        CHECK(placed.add("c"));
        CHECK(placed.remove("c"));
    }
    CHECK(placed.point_count() == 14);
    CHECK(placed == ring<go_ketama>(two));
}

TEST_CASE("go-ketama: what the program does not take is refused", "[go_ketama][error]") {
    CHECK(go_ketama{}.get("func") == "1");
    CHECK(by_func("2").get("func") == "2");
    CHECK(describe(by_func("2")).find("func = 2") != std::string::npos);
    for (const std::string_view bad : {"0", "3", "", "HashFunc1"}) {
        CHECK_THROWS_AS(by_func(bad), invalid_option);
    }
    CHECK_THROWS_AS(go_ketama{}.set("vnodes", "1"), invalid_option);
    CHECK_THROWS_AS(go_ketama{}.get("vnodes"), invalid_option);
    CHECK_THROWS_AS((ring<go_ketama>{node_spec("a", weight{0.5})}), invalid_weight);
}
