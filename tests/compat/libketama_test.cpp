// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/golden_rings.hpp"
#include "support/vnodes_of.hpp"

#include <hashring/compat/libketama.hpp>
#include <hashring/compat/uhashring.hpp>
#include <hashring/ring/ring.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::libketama;
using compat::libketama_points;
using compat::uhashring_ketama;
using support::vnodes_of;

namespace {} // namespace

// The sizes at which it differs from libmemcached's rounding, which gives 156 to 25 and to 47.
TEST_CASE("libketama: equal servers get 156 points at some sizes", "[libketama][golden]") {
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t n = 1; n <= 400; ++n) {
        const std::uint32_t points = libketama_points(1, n, n);
        CAPTURE(n);
        CHECK((points == 160 || points == 156));
        if (points == 156) {
            sizes.push_back(n);
        }
    }
    CHECK(sizes == std::vector<std::uint64_t>{61, 122, 237, 244});
}

TEST_CASE("libketama: the name is hashed with its port, and the key up to its first NUL",
          "[libketama][golden]") {
    CHECK(libketama::label({.name = "a:11211"}, 17) == "a:11211-4 word 1");
    CHECK(libketama::position("k") == hash::md5{}("k"));
    CHECK(libketama::position(std::string_view("k\0l", 3)) == hash::md5{}("k"));
    CHECK(libketama::position(std::string_view("\0l", 2)) == hash::md5{}(""));
}

TEST_CASE("libketama: the first of two servers owns what both have a point on",
          "[libketama][edge]") {
    STATIC_REQUIRE(libketama::ties == tie_rule::first);
    STATIC_REQUIRE(libketama::order_matters);
    STATIC_REQUIRE(uhashring_ketama::ties == tie_rule::last);
    STATIC_REQUIRE(uhashring_ketama::order_matters);
}

TEST_CASE("libketama: what the program refuses is a typed error", "[libketama][error]") {
    const std::string longest(23, 'x');
    CHECK(ring<libketama>{longest}.point_count() == 160);
    CHECK_THROWS_AS(ring<libketama>{longest + "x"}, invalid_node);
    CHECK_THROWS_AS((ring<libketama>{node_spec("a", weight{0.5})}), invalid_weight);
    CHECK_THROWS_AS(libketama::take(std::vector<node_spec>{{"a", weight{0}}}), invalid_weight);
    CHECK_THROWS_AS(libketama::take(std::vector<node_spec>{{"a", weight{1.5}}}), invalid_weight);
    CHECK_NOTHROW(libketama::take(std::vector<node_spec>{{"a", weight{2}}}));
    CHECK_THROWS_AS(libketama{}.set("hash", "md5"), invalid_option);
    CHECK(ring<libketama>{"a", node_spec("b", weight{0})}.find("b")->vnodes() == 0);
}

TEST_CASE("uhashring ketama: counts are exact and all nodes count", "[uhashring][golden]") {
    const std::vector<node_spec> nodes{{"a", weight{1}}, {"b", weight{0}}, {"c", weight{2}}};
    CHECK(vnodes_of(ring<uhashring_ketama>(nodes)) == std::vector<std::uint32_t>{160, 0, 320});
    std::vector<node_spec> equal(25);
    for (std::size_t i = 0; i < equal.size(); ++i) {
        equal[i].name = "n" + std::to_string(i);
    }
    CHECK(vnodes_of(ring<uhashring_ketama>(equal)) == std::vector<std::uint32_t>(25, 160));
    const std::vector<node_spec> rest{{"a", weight{1}}, {"b", weight{2}}, {"c", weight{4}}};
    CHECK(vnodes_of(ring<uhashring_ketama>(rest)) ==
          std::vector<std::uint32_t>{4 * 17, 4 * 34, 4 * 68}); // 120 / 7, 240 / 7, 480 / 7
}

// The only program here that passes by a point on which a key stands.
TEST_CASE("uhashring ketama: a key owns the point after it", "[uhashring][golden]") {
    const ring<uhashring_ketama> nodes{"a", "b", "c"};
    std::size_t next_differs = 0;
    for (std::uint32_t j = 0; j < 40; ++j) {
        const std::string label = "a-" + std::to_string(j); // stands on word 0 of its own digest
        const std::size_t point = nodes.point_index(hash::md5{}(label));
        CHECK(nodes.point_position(point) == hash::md5{}(label));
        const std::size_t next = (point + 1) % nodes.point_count();
        CHECK(nodes.owner_index_at(nodes.position(label)) == nodes.point_owner(next));
        next_differs += nodes.point_owner(next) != nodes.point_owner(point) ? 1U : 0U;
    }
    CHECK(next_differs > 0);
}

TEST_CASE("uhashring ketama: a key past the last position wraps to the first point",
          "[uhashring][edge]") {
    CHECK(uhashring_ketama::position("k") == hash::md5{}("k") + 1);
    STATIC_REQUIRE(uhashring_ketama::last_position == 0xffffffffU);
    const ring<uhashring_ketama> nodes{"a", "b"};
    CHECK(nodes.owner_index_at(0) == nodes.point_owner(0));
}

TEST_CASE("uhashring ketama: a dump names the owner at each point of a shared position",
          "[uhashring][golden]") {
    const ring<uhashring_ketama> nodes(golden::topology("memcached/topo/TCa.tsv"));
    const auto dumped = golden::dump(nodes);
    CHECK(dumped.size() == 480);
    std::size_t shared = 0;
    for (std::size_t i = 1; i < dumped.size(); ++i) {
        if (nodes.point_position(i) == nodes.point_position(i - 1)) {
            ++shared;
            CHECK(dumped[i] == dumped[i - 1]);
        }
    }
    CHECK(shared > 0);
}

TEST_CASE("uhashring ketama: the number of digests is an option", "[uhashring][law]") {
    uhashring_ketama scheme;
    scheme.set("vnodes", "3");
    CHECK(scheme.get("vnodes") == "3");
    CHECK(ring<uhashring_ketama>({"a", "b"}, scheme).point_count() == 24);
    for (const std::string_view bad : {"0", "4194305", "", "-1", "1.5"}) {
        CHECK_THROWS_AS(scheme.set("vnodes", bad), invalid_option);
    }
    CHECK_THROWS_AS(scheme.set("replicas", "4"), invalid_option);
    CHECK_THROWS_AS(scheme.get("replicas"), invalid_option);
    scheme.set("vnodes", "4194304");
    const std::vector<placed_node> alone(1, placed_node{.name = "a", .weight = weight{1}});
    CHECK(scheme.counts(alone) == std::vector<std::uint32_t>{max_points});
    CHECK_THROWS_AS(ring<uhashring_ketama>({"a", node_spec("b", weight{9})}, scheme),
                    invalid_point_count);
}

TEST_CASE("uhashring: a digest is a number of 128 bits", "[uhashring][golden]") {
    using compat::uhashring;
    // RFC 1321: MD5("abc") = 900150983cd24fb0d6963f7d28e17f72
    CHECK(uhashring::position("abc") == uint128(0x900150983cd24fb0U, 0xd6963f7d28e17f73U));
    const ring<uhashring> nodes{node_spec("a", weight{2}), "b"};
    CHECK(vnodes_of(nodes) == std::vector<std::uint32_t>{320, 160});
    CHECK(uhashring::label({.name = "a"}, 319) == "a-319");
    const std::size_t point = nodes.point_index(uhashring::position("a-319") - 1);
    CHECK(nodes.point_owner(point) == 0);
    CHECK(nodes.point_index(uhashring::position("a-319")) == (point + 1) % nodes.point_count());
    CHECK_THROWS_AS((ring<uhashring>{node_spec("a", weight{1.5})}), invalid_weight);
}
