// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"

#include <hashring/compat/groupcache.hpp>
#include <hashring/compat/stathat.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/ring/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::groupcache;

TEST_CASE("groupcache: a peer has 50 points, hashes of a number and its name",
          "[groupcache][golden]") {
    std::vector<std::uint32_t> points(3);
    groupcache{}.points({.name = "10.0.0.1:11211"}, points);
    CHECK(points == std::vector<std::uint32_t>{2947061853, 374555573, 120465868});
    CHECK(groupcache{}.position("apple") == 2838417488);
    CHECK(ring<groupcache>{"a", "b"}.point_count() == 100);
    CHECK(groupcache{}.get("vnodes") == "50");
}

TEST_CASE("groupcache: peers have the first point at or after a key", "[groupcache][law]") {
    const ring<groupcache> placed{"a", "b", "c"};
    test::mismatches wrong;
    for (const std::string name : {"a", "b", "c"}) {
        for (std::uint32_t j = 0; j < 50; ++j) {
            const std::string key = groupcache::label({.name = name}, j); // stands on the point
            wrong.expect(placed.owner(key)->name() == name, key);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("groupcache: with as many points it is stathat's ring, a position on",
          "[groupcache][law]") {
    groupcache scheme;
    scheme.set("vnodes", "20");
    scheme.set("hash", "fnv1a32");
    compat::stathat other;
    other.set("hash", "fnv1a32");
    const ring<groupcache> here({"x", "y", "z"}, scheme);
    const ring<compat::stathat> there({"x", "y", "z"}, other);
    REQUIRE(here.point_count() == there.point_count());
    for (std::size_t i = 0; i < here.point_count(); ++i) {
        CHECK(here.point_position(i) == there.point_position(i));
    }
    CHECK(here.position("k") + 1 == there.position("k"));
}

TEST_CASE("groupcache: on a shared point the peer that was added last owns", "[groupcache][edge]") {
    CHECK(ring<groupcache>{"1a", "a"}.owner("11a")->name() == "a");
    CHECK(ring<groupcache>{"a", "1a"}.owner("11a")->name() == "1a");
}

// A number in front of a name, with nothing between, makes points of one name those of another.
TEST_CASE("groupcache: a number in front of names gives two names one point, and ours do not",
          "[groupcache][labels][A7]") {
    CHECK(groupcache::label({.name = "0db"}, 1) == groupcache::label({.name = "db"}, 10));
    const auto ours = [](auto rule, std::string_view name, std::uint32_t j) {
        std::string text;
        rule(text, placed_node{.name = name}, j);
        return text;
    };
    CHECK(ours(labels::dashed{}, "0db", 1) != ours(labels::dashed{}, "db", 10));
    CHECK(ours(labels::hashed{}, "0db", 1) != ours(labels::hashed{}, "db", 10));
    CHECK(ours(labels::shard_name{}, "0db", 1) != ours(labels::shard_name{}, "db", 10));
}
