// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden_rings.hpp"
#include "support/mismatches.hpp"

#include <hashring/compat/stathat.hpp>
#include <hashring/ring/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::stathat;

namespace {

stathat with(std::string_view option, std::string_view value) {
    stathat scheme;
    scheme.set(option, value);
    return scheme;
}

} // namespace

TEST_CASE("stathat: points are hashes of a number and the name", "[stathat][golden]") {
    std::vector<std::uint32_t> points(3);
    stathat{}.points({.name = "10.0.0.1:11211"}, points);
    CHECK(points == std::vector<std::uint32_t>{2947061853, 374555573, 120465868});
    with("hash", "fnv1a32").points({.name = "10.0.0.1:11211"}, points);
    CHECK(points == std::vector<std::uint32_t>{345793583, 3642304264, 2862618273});
    CHECK(stathat{}.position("apple") == 2838417489); // one past its CRC-32
    CHECK(stathat::label({.name = "a"}, 12) == "12a");
    CHECK(ring<stathat>{"a", "b", "c"}.point_count() == 60);
}

// The key 0a hashes as point 0 of a does.
TEST_CASE("stathat: a key owns the first point after it", "[stathat][law]") {
    for (const std::string hash : {"crc32", "fnv1a32"}) {
        const ring<stathat> placed({"a", "b", "c"}, with("hash", hash));
        test::mismatches wrong;
        std::size_t others = 0;
        for (const std::string name : {"a", "b", "c"}) {
            for (std::uint32_t j = 0; j < 20; ++j) {
                const std::string key = stathat::label({.name = name}, j);
                const std::size_t point = placed.point_index(placed.position(key) - 1);
                const std::size_t next = (point + 1) % placed.point_count();
                wrong.expect(placed.node(placed.point_owner(point)).name() == name, key);
                wrong.expect(
                    placed.owner_index_at(placed.position(key)) == placed.point_owner(next), key);
                others += placed.point_owner(next) != placed.point_owner(point) ? 1U : 0U;
            }
        }
        CHECK(wrong.report() == "");
        CHECK(others > 0);
    }
}

TEST_CASE("stathat: weights are ignored, and 0 is nobody", "[stathat][law]") {
    const ring<stathat> equal{"a", "b"};
    const ring<stathat> weighed{node_spec("a", weight{0.5}), node_spec("b", weight{9})};
    CHECK(golden::dump(equal) == golden::dump(weighed));
    CHECK(ring<stathat>{"a", node_spec("b", weight{0})}.find("b")->vnodes() == 0);
    std::vector<node_spec> nodes{{"a", weight{0}}, {"b", weight{3}}};
    stathat::take(nodes);
    CHECK(nodes == std::vector<node_spec>{{"a", weight{1}}, {"b", weight{3}}});
}

// 1 of 1a is 11 of a. In the program, removing one of them takes the point from both.
TEST_CASE("stathat: on a shared point the element that was added last owns", "[stathat][edge]") {
    constexpr std::uint32_t shared = 637534409; // CRC-32 of 11a
    const ring<stathat> first{"1a", "a"};
    const ring<stathat> second{"a", "1a"};
    CHECK(first.owner_at(shared)->name() == "a");
    CHECK(second.owner_at(shared)->name() == "1a");
    CHECK(first.point_count() == 40);
    CHECK(golden::dump(first).size() == 39); // as the program has left
    ring<stathat> left = second;
    CHECK(left.remove("1a"));
    CHECK(left.owner_at(shared)->name() == "a");
    CHECK(left == ring<stathat>{"a"});
}

TEST_CASE("stathat: a key past the last position stands on 0", "[stathat][edge]") {
    CHECK(stathat{}.position("\xff\xff\xff\xff") == 0); // its CRC-32 is 2^32 - 1
    const ring<stathat> placed{"a", "b"};
    CHECK(placed.owner("\xff\xff\xff\xff")->name() == placed.node(placed.point_owner(0)).name());
}

TEST_CASE("stathat: options take what the program does", "[stathat][error]") {
    CHECK(ring<stathat>({"a", "b"}, with("vnodes", "7")).point_count() == 14);
    CHECK(with("hash", "fnv1a32").get("hash") == "fnv1a32");
    CHECK(with("vnodes", "7").get("vnodes") == "7");
    CHECK(stathat{}.get("vnodes") == "20");
    for (const std::string_view bad : {"0", "16777217", "", "-1", "1.5"}) {
        CHECK_THROWS_AS(with("vnodes", bad), invalid_option);
    }
    CHECK_THROWS_AS(with("hash", "fnv1a_32"), invalid_option);
    CHECK_THROWS_AS(with("replicas", "7"), invalid_option);
    CHECK_THROWS_AS(stathat{}.get("replicas"), invalid_option);
    CHECK_THROWS_AS((ring<stathat>({"a", "b"}, with("vnodes", "16777216"))), invalid_point_count);
}
