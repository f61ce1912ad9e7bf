// SPDX-License-Identifier: MIT
#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/schemes.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;

namespace {

using listed_ring = ring<test_schemes::listed<std::uint8_t>>;
using names = std::vector<std::string>;

template <class Walk>
names followed(Walk walk) {
    names result;
    for (const auto node : walk) {
        result.emplace_back(node.name());
    }
    return result;
}

template <class Nodes>
names names_of(const Nodes& nodes) {
    names result;
    for (const auto& node : nodes) {
        result.emplace_back(node.name());
    }
    return result;
}

// The names of the first `count` copies through the call that allocates nothing.
template <class Ring, class Key>
names filled(const Ring& ring, const Key& key, std::size_t count) {
    std::vector<typename Ring::node_type> out(count);
    out.resize(ring.replicas(key, std::span(out)));
    return names_of(out);
}

// The different owners of the points from the key on, all points once around.
template <class Ring, class Key>
names scanned(const Ring& ring, const Key& key) {
    names result;
    const auto p = ring.position(key);
    std::size_t start = 0;
    while (start < ring.point_count() && ring.point_position(start) < p) {
        ++start;
    }
    for (std::size_t i = 0; i < ring.point_count(); ++i) {
        const std::size_t at = (start + i) % ring.point_count();
        const std::string name(ring.node(ring.point_owner(at)).name());
        if (std::find(result.begin(), result.end(), name) == result.end()) {
            result.push_back(name);
        }
    }
    return result;
}

} // namespace

TEST_CASE("walk: from a point on each node comes once", "[ring][walk]") {
    const listed_ring ring{"a:10,30", "b:20,40", "c:40"};
    CHECK(followed(ring.walk_from("10")) == names{"a:10,30", "b:20,40", "c:40"});
    CHECK(followed(ring.walk_from("11")) == names{"b:20,40", "a:10,30", "c:40"});
    CHECK(followed(ring.walk_from("31")) == names{"b:20,40", "c:40", "a:10,30"});
    CHECK(followed(ring.walk_from("41")) == names{"a:10,30", "b:20,40", "c:40"});
    CHECK(followed(ring.walk_at(255)) == names{"a:10,30", "b:20,40", "c:40"});
}

// [B68]: leaving one node out, the next is found across the end of the circle, in the first point.
TEST_CASE("walk: the next node after the owner is found across the wrap", "[ring][walk][B68]") {
    const listed_ring ring{"b:1", "a:9"};
    CHECK(followed(ring.walk_from("5")) == names{"a:9", "b:1"});
    CHECK(followed(ring.walk_from("10")) == names{"b:1", "a:9"});
}

TEMPLATE_TEST_CASE("walk: it names every placed node once and in the order of the points",
                   "[ring][walk][law]", HASHRING_KINDS_OF_SCHEMES) {
    ring<TestType> nodes(node_names(12, 1), with_vnodes<TestType>(7));
    nodes.set_weight("s1-node-3", weight{0});
    nodes.set_vnodes("s1-node-5", 0);
    nodes.set_weight("s1-node-7", weight{3});
    hashring::test::mismatches found;
    for (unsigned key = 0; key < 500; ++key) {
        const names truth = scanned(nodes, key);
        found.expect(truth.size() == 10, "placed nodes for key", key);
        found.expect(followed(nodes.walk_from(key)) == truth, "walk from key", key);
        for (const std::size_t count : {0U, 1U, 2U, 3U, 9U, 10U, 11U, 50U}) {
            const names prefix(truth.begin(), truth.begin() + static_cast<std::ptrdiff_t>(
                                                                  std::min(count, truth.size())));
            found.expect(filled(nodes, key, count) == prefix, "span of", count, "key", key);
            found.expect(names_of(nodes.replicas(key, count)) == prefix, count, "key", key);
        }
    }
    CHECK_NO_MISMATCHES(found);
}

// [B62], [B65]: with three nodes a third of all points are followed by one of the same node.
TEST_CASE("replicas: three nodes give three different copies for every key", "[ring][B62][B65]") {
    schemes::xxh3 scheme;
    scheme.vnodes_per_unit = 100;
    const ring<> nodes({"a", "b", "c"}, scheme);
    hashring::test::mismatches found;
    for (std::uint64_t key = 0; key < 100'000; ++key) {
        std::array<ring<>::node_type, 3> three;
        std::array<ring<>::node_type, 2> two;
        found.expect(nodes.replicas(key, three) == 3 && nodes.replicas(key, two) == 2, key);
        found.expect(three[0] != three[1] && three[1] != three[2] && three[0] != three[2], key);
        found.expect(three[0] == *nodes.owner(key), key);
        found.expect(two[0] == three[0] && two[1] == three[1], key);
    }
    CHECK_NO_MISMATCHES(found);
}

// [B63]: the second copy may only be found after the wrap.
TEST_CASE("replicas: two nodes give two copies for every key", "[ring][B63]") {
    const ring<> nodes{"a", "b"};
    hashring::test::mismatches found;
    for (std::uint64_t key = 0; key < 100'000; ++key) {
        std::array<ring<>::node_type, 2> two;
        found.expect(nodes.replicas(key, two) == 2 && two[0] != two[1], key);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(nodes.replicas(14, 2).size() == 2);
}

// [B67]: fewer nodes than copies is an answer, and it grows as nodes join.
TEST_CASE("replicas: more copies than nodes give all nodes", "[ring][B67]") {
    ring<> nodes;
    std::array<ring<>::node_type, 3> out;
    CHECK(nodes.replicas("k", 3).empty());
    CHECK(nodes.replicas("k", out) == 0);
    nodes.add("a");
    CHECK(nodes.replicas("k", 2).size() == 1);
    CHECK(nodes.replicas("k", out) == 1);
    nodes.add("b");
    CHECK(nodes.replicas("k", 3).size() == 2);
    nodes.add("c");
    CHECK(nodes.replicas("k", out) == 3);
    nodes.set_weight("b", weight{0});
    CHECK(nodes.replicas("k", out) == 2);
    CHECK(nodes.replicas("k", std::size_t{0} - 1).size() == 2);
}

TEST_CASE("walk: rings of 256 and of more nodes are walked whole", "[ring][walk]") {
    const std::size_t count = GENERATE(63U, 64U, 65U, 255U, 256U, 257U, 320U, 321U, 1000U);
    schemes::xxh3 scheme;
    scheme.vnodes_per_unit = 3;
    const ring<> nodes(node_names(count, 2), scheme);
    CAPTURE(count);
    for (unsigned key = 0; key < 5; ++key) {
        const names walked = followed(nodes.walk_from(key));
        CHECK(walked == scanned(nodes, key));
        CHECK(std::set<std::string>(walked.begin(), walked.end()).size() == count);
        CHECK(filled(nodes, key, count) == walked);
    }
}

TEST_CASE("walk: it can be broken off and asked where it stands", "[ring][walk]") {
    const listed_ring ring{"a:10", "b:20"};
    auto walk = ring.walk_at(15);
    CHECK(ring.node(walk.current()) == "b:20");
    walk.advance();
    CHECK(ring.node(walk.current()) == "a:10");
    walk.advance();
    CHECK(walk.current() == no_node);
    walk.advance();
    CHECK(walk.current() == no_node);
}

TEST_CASE("walk: it is an input range and the points are a forward range", "[ring][walk]") {
    using reader = ring_reader<schemes::xxh3, no_payload>;
    STATIC_REQUIRE(std::ranges::input_range<walk<reader>>);
    STATIC_REQUIRE_FALSE(std::ranges::forward_range<walk<reader>>);
    STATIC_REQUIRE(std::ranges::forward_range<point_range<reader>>);
    STATIC_REQUIRE(std::ranges::sized_range<point_range<reader>>);

    const listed_ring ring{"a:10,30", "b:20"};
    const auto points = ring.points();
    CHECK(std::ranges::distance(points) == 3);
    CHECK(points.size() == 3);
    auto first = points.begin();
    const auto second = std::next(first);
    CHECK((*first++).position == 10);
    CHECK(first == second);
    CHECK((*first).position == 20);
    CHECK((*first).node == "b:20");
}

TEST_CASE("walk: an empty ring is walked at once", "[ring][walk]") {
    const listed_ring empty;
    CHECK(followed(empty.walk_from("7")).empty());
    CHECK(std::ranges::distance(empty.points()) == 0);
    listed_ring drained{"a:10"};
    drained.set_weight("a:10", weight{0});
    CHECK(followed(drained.walk_from("7")).empty());
}

TEST_CASE("looking up: owner and copies and short walks allocate nothing", "[ring][allocation]") {
    const std::size_t count = GENERATE(1U, 10U, 256U);
    const ring<> nodes(node_names(count, 3));
    const std::string key = "a key that is too long for the small string";
    std::array<ring<>::node_type, 8> out;
    std::size_t seen = 0;
    const auto used = allocations_of([&] {
        for (unsigned i = 0; i < 100; ++i) {
            seen += nodes.owner(i).has_value() ? 1U : 0U;
            seen += nodes.owner(key)->name().size();
            seen += nodes.replicas(key, out) + nodes.replicas(i, out);
            for (const auto node : nodes.walk_from(i)) {
                seen += node.vnodes();
            }
            seen += nodes.find("s3-node-0")->vnodes() + nodes.points().size();
        }
    });
    CHECK(seen > 0);
    CHECK(used.count == 0);
}

TEST_CASE("looking up: a walk over more than 256 nodes allocates once", "[ring][allocation]") {
    const ring<> nodes(node_names(257, 3));
    std::array<ring<>::node_type, 300> out;
    CHECK(allocations_of([&] { (void)nodes.replicas("k", out); }).count == 0);
    CHECK(allocations_of([&] { (void)nodes.walk_from("k"); }).count == 1);
}
