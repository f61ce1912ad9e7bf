// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace hashring;

namespace {

node_marks with_down(const std::vector<std::uint32_t>& down, std::size_t nodes) {
    node_marks marks(nodes);
    for (const std::uint32_t i : down) {
        marks.mark_down(i);
    }
    return marks;
}

// The ring in which those that are down have no points.
ring<> drained(const ring<>& whole, const node_marks& marks) {
    ring<> rest = whole;
    for (std::uint32_t i = 0; i < whole.size(); ++i) {
        if (!marks.is_up(i)) {
            rest.remove(whole.node(i).name());
        }
    }
    return rest;
}

std::string name_of(const ring<>& r, std::uint32_t i) {
    return i == no_node ? "-" : std::string(r.node(i).name());
}

} // namespace

TEST_CASE("node_marks: the next node that is up is the owner where the others have no points",
          "[ring][marks][law]") {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U);
    CAPTURE(seed);
    dice random(seed);
    const ring<> whole(node_names(2 + random.below(9), seed));
    node_marks marks(whole.size());
    test::mismatches found;
    for (int step = 0; step < 40; ++step) {
        const auto i = static_cast<std::uint32_t>(random.below(whole.size()));
        random.below(3) == 0 ? marks.mark_up(i) : marks.mark_down(i);
        const ring<> rest = drained(whole, marks);
        found.compare(marks.down_count(), whole.size() - rest.size(), step);
        for (int key = 0; key < 50; ++key) {
            const std::uint64_t at = random.next();
            const std::uint32_t next = owner_that_is_up(whole, at, marks, when_down::next);
            found.compare(name_of(whole, next), name_of(rest, rest.owner_index_at(at)), step, at);
            const std::uint32_t owner = whole.owner_index_at(at);
            found.compare(owner_that_is_up(whole, at, marks, when_down::fail),
                          marks.is_up(owner) ? owner : no_node, step, at);
            std::vector<std::uint32_t> copies(3);
            copies.resize(replicas_that_are_up(whole, at, marks, copies));
            found.compare(copies.size(), std::min<std::size_t>(3, rest.size()), step, at);
            auto walk = rest.walk_at(at);
            for (const std::uint32_t copy : copies) {
                found.compare(name_of(whole, copy), name_of(rest, walk.current()), step, at);
                walk.advance();
            }
        }
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("B79 node_marks: a node that comes back has its keys again, and no point has moved",
          "[ring][marks]") {
    const ring<> r{"a", "b"};
    const auto before = r.fingerprint();
    node_marks marks(r.size());
    CHECK(marks.mark_down(0));
    CHECK_FALSE(marks.mark_down(0)); // it is
    test::mismatches found;
    for (std::uint64_t key = 0; key < 1000; ++key) {
        const auto at = r.position(key);
        found.compare(owner_that_is_up(r, at, marks, when_down::next), 1U, key);
    }
    CHECK(marks.mark_up(0));
    CHECK_FALSE(marks.mark_up(0));
    for (std::uint64_t key = 0; key < 1000; ++key) {
        const auto at = r.position(key);
        for (const when_down policy : {when_down::next, when_down::fail}) {
            found.compare(owner_that_is_up(r, at, marks, policy), r.owner_index_at(at), key);
        }
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(r.fingerprint() == before);
}

// A store that notes by which node and in which generation a value was written.
TEST_CASE("B80 node_marks: a store fails while its node flaps, a cache sees by the generation",
          "[ring][marks]") {
    const ring<> r{"a", "b"};
    std::uint64_t key = 0;
    while (*r.owner(key) != "a") {
        ++key;
    }
    const auto at = r.position(key);
    node_marks marks(r.size());
    CHECK(marks.generation(0) == 0);
    marks.mark_down(0);
    CHECK(owner_that_is_up(r, at, marks, when_down::fail) == no_node); // b never serves it
    CHECK(owner_that_is_up(r, at, marks, when_down::next) == 1);
    marks.mark_up(0);
    CHECK(owner_that_is_up(r, at, marks, when_down::next) == 0);
    CHECK(marks.generation(0) == 1); // what b was told meanwhile is missing here
    CHECK(marks.generation(1) == 0);
    marks.mark_down(0);
    CHECK(marks.generation(0) == 1);
    marks.mark_up(0);
    CHECK(marks.generation(0) == 2);
}

TEST_CASE("node_marks: marks go with the names when the ring changes", "[ring][marks]") {
    const ring<> before{"b", "d", "f"};
    node_marks marks = with_down({0, 2}, before.size()); // b and f
    marks.mark_up(2);
    const ring<> after{"a", "b", "c", "f"};
    const node_marks now = marks.carried_over(before, after);
    CHECK(now.size() == 4);
    CHECK(now.down_count() == 1);
    CHECK_FALSE(now.is_up(after.index_of("b")));
    CHECK(now.is_up(after.index_of("a")));
    CHECK(now.generation(after.index_of("f")) == 1);
    CHECK(now.generation(after.index_of("c")) == 0);
    CHECK(marks.carried_over(before, before) == marks);
    CHECK(marks.carried_over(before, ring<>()) == node_marks());
}

TEST_CASE("node_marks: everything down, nothing there, one node", "[ring][marks][edge]") {
    const ring<> r{"a", "b", "c"};
    const node_marks none_up = with_down({0, 1, 2}, 3);
    std::vector<std::uint32_t> out(3);
    for (const std::uint64_t at : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63U}) {
        CHECK(owner_that_is_up(r, at, none_up, when_down::next) == no_node);
        CHECK(owner_that_is_up(r, at, none_up, when_down::fail) == no_node);
        CHECK(replicas_that_are_up(r, at, none_up, out) == 0);
    }
    CHECK(owner_that_is_up(ring<>(), 5, node_marks(), when_down::next) == no_node);
    ring<> drained_one{"a"};
    drained_one.add("weightless", weight{0});
    CHECK(owner_that_is_up(drained_one, 5, with_down({0}, 2), when_down::next) == no_node);
    CHECK(owner_that_is_up(ring<>{"a"}, 5, node_marks(1), when_down::fail) == 0);
    CHECK(replicas_that_are_up(r, 5, node_marks(3), std::span<std::uint32_t>()) == 0);
}

TEST_CASE("node_marks: who is not known to them is up", "[ring][marks][edge]") {
    const ring<> three{"a", "b", "c"};
    node_marks two(2);
    CHECK(two.is_up(2));
    CHECK(two.is_up(no_node));
    CHECK(two.generation(2) == 0);
    CHECK_FALSE(two.mark_down(2));
    CHECK_FALSE(two.mark_up(2));
    CHECK(two.mark_down(0));
    CHECK(two.mark_down(1));
    test::mismatches found;
    for (std::uint64_t key = 0; key < 100; ++key) {
        found.compare(owner_that_is_up(three, three.position(key), two, when_down::next), 2U, key);
    }
    CHECK_NO_MISMATCHES(found);
    const node_marks carried = two.carried_over(three, ring<>{"a", "c", "d"});
    CHECK(carried.size() == 3);
    CHECK(carried.down_count() == 1);
    CHECK_FALSE(carried.is_up(0));
}
