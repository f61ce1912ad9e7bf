// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/vnodes_of.hpp"

#include <hashring/compat/libmemcached.hpp>
#include <hashring/compat/npm_hashring.hpp>
#include <hashring/ring/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::npm_hashring;
using support::vnodes_of;

namespace {

npm_hashring with(std::string_view option, std::string_view value) {
    npm_hashring scheme;
    scheme.set(option, value);
    return scheme;
}

std::vector<std::uint32_t> counts(const std::vector<node_spec>& nodes, npm_hashring scheme = {}) {
    return vnodes_of(ring<npm_hashring>(nodes, scheme));
}

std::vector<std::uint32_t> lowest_points(const ring<npm_hashring>& placed, std::string_view name,
                                         std::size_t count) {
    std::vector<std::uint32_t> points;
    for (const auto& point : placed.points()) {
        if (points.size() < count && point.node.name() == name) {
            points.push_back(point.position);
        }
    }
    return points;
}

std::string owners(const ring<npm_hashring>& placed) {
    std::string text;
    for (const char* key : {"apple", "pear", "fig", "k", "user:42"}) {
        text += std::string(placed.owner(key)->name()) + " ";
    }
    return text;
}

} // namespace

// All that is golden here was printed by the package on Node.js 20.
TEST_CASE("npm hashring: equal servers have 160 points, or 156 at some sizes", "[npm][golden]") {
    std::vector<std::size_t> sizes;
    for (std::size_t n = 1; n <= 120; ++n) {
        std::vector<node_spec> nodes;
        for (std::size_t i = 0; i < n; ++i) {
            nodes.emplace_back("n" + std::to_string(i));
        }
        const auto points =
            npm_hashring{}.counts(std::vector<placed_node>(nodes.size(), placed_node{.name = "n"}));
        if (points.at(0) != 160) {
            CHECK(points[0] == 156);
            sizes.push_back(n);
        }
    }
    CHECK(sizes == std::vector<std::size_t>{7, 14, 28, 49, 56, 98, 103, 112});
}

TEST_CASE("npm hashring: counts are products of doubles", "[npm][golden]") {
    using all = std::vector<std::uint32_t>;
    const std::vector<node_spec> weighed = {{"a", weight{1}}, {"b", weight{2}}, {"c", weight{4}}};
    CHECK(counts(weighed, with("vnodes", "100")) == all{168, 340, 684});
    CHECK(counts(weighed, with("compatibility", "hash_ring")) == all{51, 102, 204});
    CHECK(counts({{"a", weight{0.1}}, {"b", weight{0.2}}, {"c", weight{0.7}}}) == all{48, 96, 336});
    CHECK(counts({{"a", weight{1.5}}, {"b", weight{0.001}}, {"c", weight{2}}}) == all{204, 0, 272});
    CHECK(counts({"a", "b", "c"}, with("vnodes", "100")) == all{396, 396, 396});
}

TEST_CASE("npm hashring: a server's own virtual nodes take the place of the formula",
          "[npm][golden]") {
    const std::vector<node_spec> nodes = {{"a:1", weight{1}, "vnodes=100"},
                                          {"b:1", weight{3}},
                                          {"c:1", weight{1}, "vnodes=40"}, // is as if it had none
                                          {"d:1", weight{2}, "vnodes=0"}};
    CHECK(counts(nodes) == std::vector<std::uint32_t>{400, 272, 88, 180});
    const ring<npm_hashring> two({nodes[0], nodes[1]});
    CHECK(owners(two) == "b:1 b:1 a:1 b:1 a:1 ");
    CHECK(two.point_position(0) == 137174);
    CHECK(two.point_position(1) == 3549599);
    CHECK(counts({{"a", weight{1}, "10.0.0.1:80"}}) == std::vector<std::uint32_t>{160});
}

TEST_CASE("npm hashring: servers at the default port are hashed without it", "[npm][golden]") {
    const ring<npm_hashring> placed({"a:11211:x", "b:11211", "c:80", "[::1]:11211"},
                                    with("default-port", "11211"));
    CHECK(owners(placed) == "a:11211:x b:11211 a:11211:x c:80 b:11211 ");
    CHECK(lowest_points(placed, "a:11211:x", 3) ==
          std::vector<std::uint32_t>{3747649, 35374473, 61840307});
    CHECK(lowest_points(placed, "b:11211", 3) ==
          std::vector<std::uint32_t>{95429284, 100761391, 178823563});
    const npm_hashring scheme = with("default-port", "11211");
    CHECK(scheme.label({.name = "a:11211"}, 6) == "a-1 word 2");
    CHECK(scheme.label({.name = "a:11212"}, 6) == "a:11212-1 word 2");
    CHECK(scheme.label({.name = "[::1]:11211"}, 0) == "[::1]:11211-0 word 0");
    CHECK(scheme.label({.name = "a"}, 0) == "a-0 word 0");
    CHECK(npm_hashring{}.label({.name = "a:11211"}, 0) == "a:11211-0 word 0");
    CHECK(npm_hashring{}.label({.name = "a:0"}, 0) == "a:0-0 word 0");
}

TEST_CASE("npm hashring: at memcached's port it is libmemcached's weighted ring where counts agree",
          "[npm][law]") {
    const std::vector<node_spec> nodes = {"a:11211", "b:11211", "c:11212"};
    const ring<npm_hashring> here(nodes, with("default-port", "11211"));
    const ring<compat::libmemcached_weighted> there(nodes);
    REQUIRE(here.point_count() == there.point_count());
    test::mismatches wrong;
    for (std::size_t i = 0; i < here.point_count(); ++i) {
        wrong.expect(here.point_position(i) == there.point_position(i) &&
                         here.point_owner(i) == there.point_owner(i),
                     i);
    }
    CHECK(wrong.report() == "");
    CHECK(here.position("k") == hash::md5{}("k"));
}

TEST_CASE("npm hashring: of two servers on one point the first of the list owns", "[npm][edge]") {
    const std::vector<std::string> names = {"a", "a:11211"};
    for (const auto& order : {names, {names[1], names[0]}}) {
        const ring<npm_hashring> placed(order, with("default-port", "11211"));
        CHECK(placed.point_position(0) == 3747649);
        CHECK(placed.point_position(1) == 3747649);
        CHECK(placed.owner("k")->name() == order[0]);
        CHECK(placed.owner_at(3747649)->name() == order[0]);
    }
}

TEST_CASE("npm hashring: a weight of 0 is taken for 1", "[npm][edge]") {
    std::vector<node_spec> nodes{{"a", weight{0}}, {"b", weight{2}}};
    CHECK(counts(nodes) == std::vector<std::uint32_t>{0, 320});
    npm_hashring::take(nodes);
    CHECK(counts(nodes) == std::vector<std::uint32_t>{104, 212});
    CHECK(counts({{"a", weight{0}, "vnodes=9"}}) == std::vector<std::uint32_t>{0});
}

TEST_CASE("npm hashring: options and own virtual nodes that are none are refused", "[npm][error]") {
    CHECK(with("compatibility", "hash_ring").get("compatibility") == "hash_ring");
    CHECK(with("vnodes", "7").get("vnodes") == "7");
    CHECK(with("default-port", "7").get("default-port") == "7");
    CHECK_THROWS_AS(with("compatibility", "libketama"), invalid_option);
    CHECK_THROWS_AS(with("vnodes", "0"), invalid_option);
    CHECK_THROWS_AS(with("vnodes", "4194305"), invalid_option);
    CHECK_THROWS_AS(with("default-port", "65536"), invalid_option);
    CHECK_THROWS_AS(with("replicas", "3"), invalid_option);
    CHECK_THROWS_AS(npm_hashring{}.get("replicas"), invalid_option);
    CHECK_THROWS_AS(counts({{"a", weight{1}, "vnodes=many"}}), invalid_node);
    CHECK_THROWS_AS(counts({{"a", weight{1}, "vnodes=-1"}}), invalid_node);
    CHECK_THROWS_AS(counts({{"a", weight{1}, "vnodes=4194305"}}), invalid_point_count);
    CHECK_THROWS_AS(counts({{"a", weight{1}, "vnodes=1073741825"}}), invalid_point_count);
    CHECK_THROWS_AS(counts({"a", {"b", weight{9}}}, with("vnodes", "4194304")),
                    invalid_point_count);
}
