// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/vnodes_of.hpp"

#include <hashring/compat/serialx.hpp>
#include <hashring/compat/uhashring.hpp>
#include <hashring/ring/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace hashring;
using compat::serialx;
using support::vnodes_of;

TEST_CASE("serialx: three words of each digest are points", "[serialx][golden]") {
    std::vector<std::uint32_t> points(5);
    serialx::points({.name = "10.0.0.1:11211"}, points);
    CHECK(points ==
          std::vector<std::uint32_t>{1644766326, 266575842, 1549369152, 414434334, 772657416});
    CHECK(serialx::label({.name = "a"}, 7) == "a-2 word 1");
    CHECK(serialx::position("k") == hash::md5{}("k") + 1);
}

TEST_CASE("serialx: counts are by weight among all nodes, rounded down", "[serialx][golden]") {
    const auto counts = [](const std::vector<node_spec>& nodes) {
        return vnodes_of(ring<serialx>(nodes));
    };
    CHECK(counts({"a", "b"}) == std::vector<std::uint32_t>{120, 120});
    CHECK(counts({{"a", weight{1}}, {"b", weight{2}}, {"c", weight{4}}}) ==
          std::vector<std::uint32_t>{3 * 17, 3 * 34, 3 * 68}); // 120 / 7, 240 / 7, 480 / 7
    CHECK(counts({{"a", weight{1}}, {"b", weight{0}}, {"c", weight{2}}}) ==
          std::vector<std::uint32_t>{120, 0, 240});
}

TEST_CASE("serialx: a key owns the first point after it", "[serialx][law]") {
    const ring<serialx> placed{"a", "b", "c"};
    test::mismatches wrong;
    std::size_t others = 0;
    for (std::uint32_t j = 0; j < 40; ++j) {
        const std::string key = "a-" + std::to_string(j); // stands on word 0 of its own digest
        const std::size_t point = placed.point_index(serialx::position(key) - 1);
        const std::size_t next = (point + 1) % placed.point_count();
        wrong.expect(placed.point_position(point) == serialx::position(key) - 1, key);
        wrong.expect(placed.owner_index_at(placed.position(key)) == placed.point_owner(next), key);
        others += placed.point_owner(next) != placed.point_owner(point) ? 1U : 0U;
    }
    CHECK(wrong.report() == "");
    CHECK(others > 0);
}

// The points are those of uhashring's ketama ring without every fourth.
TEST_CASE("serialx: all but the last word of a digest are ketama's points", "[serialx][law]") {
    std::vector<std::uint32_t> three(120);
    std::vector<std::uint32_t> four(160);
    serialx::points({.name = "cache-1"}, three);
    compat::uhashring_ketama::points({.name = "cache-1"}, four);
    for (std::size_t j = 0; j < three.size(); ++j) {
        CHECK(three[j] == four[j / 3 * 4 + j % 3]);
    }
}

TEST_CASE("serialx: the last of two nodes owns what both have a point on", "[serialx][edge]") {
    STATIC_REQUIRE(serialx::ties == tie_rule::last);
    STATIC_REQUIRE(serialx::order_matters);
}

TEST_CASE("serialx: what the program does not take is refused", "[serialx][error]") {
    CHECK_THROWS_AS((ring<serialx>{node_spec("a", weight{1.5})}), invalid_weight);
    CHECK_THROWS_AS(serialx{}.set("vnodes", "40"), invalid_option);
}
