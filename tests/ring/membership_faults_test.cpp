// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/schemes.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

// Faults that users of other programs met when nodes came, went, were down or were listed anew.

using namespace hashring;

namespace {

using byte_ring = ring<test_schemes::listed<std::uint8_t>>;

std::set<std::uint64_t> positions_of(const ring<>& r, std::string_view name) {
    std::set<std::uint64_t> positions;
    for (const auto& p : r.points()) {
        if (p.node == name) {
            positions.insert(p.position);
        }
    }
    return positions;
}

template <class Ring>
std::size_t shared_positions(const Ring& r) {
    std::size_t shared = 0;
    for (std::size_t i = 1; i < r.point_count(); ++i) {
        shared += r.point_position(i) == r.point_position(i - 1) ? 1U : 0U;
    }
    return shared;
}

node_marks all_down(std::size_t nodes) {
    node_marks marks(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) {
        marks.mark_down(i);
    }
    return marks;
}

} // namespace

// cortexproject/cortex #7537, k8ssandra/k8ssandra #732, datastax/csharp-driver #546: nodes that
// joined at the same time chose the same tokens.
TEST_CASE("membership: nodes that join at the same time have points of their own",
          "[ring][membership][B92]") {
    ring<> here{"a", "b"};
    ring<> there = here;
    here.add("c");
    there.add("d"); // neither knew of the other
    const auto of_c = positions_of(here, "c");
    const auto of_d = positions_of(there, "d");
    CHECK(of_c.size() == 160);
    CHECK(of_d.size() == 160);
    here.add("d");
    there.add("c");
    CHECK(here == there);
    CHECK(positions_of(here, "c") == of_c); // as planned alone
    CHECK(positions_of(here, "d") == of_d);
    CHECK(shared_positions(here) == 0);
}

TEST_CASE("membership: nodes that chose one position are found as a pair, and each stays",
          "[ring][membership][B92]") {
    const byte_ring r{"d:20,30", "c:10,20", "a:90"};
    CHECK(shared_positions(r) == 1);
    const std::size_t at = r.point_index(20);
    CHECK(r.node(r.point_owner(at)) == "c:10,20"); // the first name owns
    CHECK(r.node(r.point_owner(at + 1)) == "d:20,30");
    CHECK(r.point_position(at + 1) == 20);
    CHECK(r.point_width(at) == uint128(10));
    CHECK(r.point_width(at + 1) == uint128(0));
    byte_ring rest = r;
    rest.remove("c:10,20");
    CHECK(rest.owner_at(20)->name() == "d:20,30");
}

TEST_CASE("membership: joins of an exact ring that were planned apart are seen to differ",
          "[exact][membership][B92]") {
    exact_ring<> base;
    base.join("a");
    base.join("b");
    exact_ring<> here = base;
    exact_ring<> there = base;
    here.join("c");
    there.join("d");
    CHECK(here.fingerprint() != there.fingerprint());
    here.join("d"); // one after the other they share nothing
    CHECK(shared_positions(here) == 0);
    there.join("c");
    CHECK(here.fingerprint() != there.fingerprint()); // the order of events is part of it
}

// What a program that holds an old ring can see.
TEST_CASE("membership: a stale ring is told by its fingerprint after any change",
          "[ring][membership]") {
    const ring<> before(node_names(5, 1));
    std::set<std::uint64_t> seen{before.fingerprint()};
    const auto changed = [&](auto change) {
        ring<> r = before;
        change(r);
        return seen.insert(r.fingerprint()).second;
    };
    CHECK(changed([](ring<>& r) { r.add("new"); }));
    CHECK(changed([](ring<>& r) { r.remove("s1-node-0"); }));
    CHECK(changed([](ring<>& r) { r.set_weight("s1-node-1", weight{2}); }));
    CHECK(changed([](ring<>& r) { r.set_vnodes("s1-node-1", 159); }));
    CHECK(changed([](ring<>& r) {
        r.remove("s1-node-2");
        r.add("renamed");
    }));
    CHECK_FALSE(changed([](ring<>& r) { // there and back
        r.remove("s1-node-2");
        r.add("s1-node-2");
    }));
}

// What a resolver, or a file that is read again, may bring.
TEST_CASE("membership: a list in another order changes nothing, and one with a name twice is "
          "refused",
          "[ring][membership]") {
    auto names = node_names(6, 3);
    ring<> r(names);
    const ring<> before = r;
    dice(4).shuffle(names);
    CHECK(r.assign(names).arcs().empty());
    CHECK(r == before);
    names.push_back(names.front());
    CHECK_THROWS_AS(r.assign(names), invalid_node);
    CHECK(r == before);
}

TEST_CASE("membership: an empty list is nobody, and says what it takes away",
          "[ring][membership][edge]") {
    ring<> r{"a", "b"};
    const auto lost = r.assign(std::vector<std::string>());
    CHECK(r.empty());
    CHECK_FALSE(r.owner("k").has_value());
    uint128 width_lost(0);
    for (const auto& arc : lost.arcs()) {
        CHECK(arc.to == no_node);
        width_lost += width(arc.where, ~std::uint64_t{0});
    }
    CHECK(width_lost == circle_width(~std::uint64_t{0}));
}

// twitter/twemproxy #563, #595: an array was as long as there were nodes up, and was written to.
TEST_CASE("down nodes: with all of them down a batch has no node for each key",
          "[ring][marks][B32]") {
    const ring<> r{"a", "b", "c"};
    const node_marks down = all_down(3);
    const std::vector<std::string> keys = {"k1", "k2", "k3", "k4", "k5"};
    for (const when_down policy : {when_down::next, when_down::fail}) {
        std::vector<std::uint32_t> owners;
        for (const std::string& key : keys) {
            owners.push_back(owner_that_is_up(r, r.position(key), down, policy));
        }
        CHECK(owners == std::vector<std::uint32_t>(5, no_node));
        const owner_groups groups(owners, r.size());
        CHECK(groups.of_nobody().size() == 5);
        for (std::uint32_t i = 0; i < 3; ++i) {
            CHECK(groups.of(i).empty());
        }
    }
    live_load load(r);
    CHECK(load.acquire(r, r.position("k1"), down).node() == no_node);
    CHECK(group_by_owner(ring<>(), keys).of_nobody().size() == 5);
}

// Dalli hashes a key anew, 20 times at most: with one of two servers down one key in a million
// finds none.
TEST_CASE("down nodes: with one of two down every key finds the other", "[ring][marks][A10]") {
    const ring<> r{"a", "b"};
    node_marks marks(2);
    marks.mark_down(0);
    std::size_t others = 0;
    for (std::uint64_t key = 0; key < 300'000; ++key) {
        others += owner_that_is_up(r, r.position(key), marks, when_down::next) == 1 ? 0U : 1U;
    }
    CHECK(others == 0);
}

// npm's hashring keeps the owners of 5,000 keys, which every change has to forget.
TEST_CASE("mutation: keys that were looked up before a change are looked up anew",
          "[ring][mutation][A9]") {
    ring<> r{"a", "b", "c"};
    test::mismatches found;
    const auto compare_with = [&](const ring<>& fresh, const char* step) {
        for (int round = 0; round < 2; ++round) { // the second from what a cache would hold
            for (std::uint64_t key = 0; key < 6000; ++key) {
                found.compare(r.owner(key)->name(), fresh.owner(key)->name(), step, key);
            }
        }
    };
    compare_with(ring<>{"a", "b", "c"}, "built");
    r.add("d");
    compare_with(ring<>{"a", "b", "c", "d"}, "added");
    r.remove("a");
    compare_with(ring<>{"b", "c", "d"}, "removed");
    r.set_weight("b", weight{3});
    compare_with(ring<>{{"b", weight{3}}, {"c"}, {"d"}}, "weighed");
    r.assign({"x", "y"});
    compare_with(ring<>{"x", "y"}, "assigned");
    CHECK_NO_MISMATCHES(found);
}

// Envoy's builder carries fractions of points from host to host, so that their order counts.
TEST_CASE("weights: a budget that does not divide is shared alike in every order",
          "[ring][weights][A4]") {
    std::vector<std::pair<std::string, weight>> nodes = {
        {"a", weight{1}}, {"b", weight{2}}, {"c", weight{3}}};
    std::set<std::uint64_t> fingerprints;
    std::size_t orders = 0;
    do {
        std::vector<weight> weights;
        for (const auto& [name, w] : nodes) {
            weights.push_back(w);
        }
        const auto counts = allocate_budget(weights, 100); // 16.7, 33.3 and 50
        ring<> r;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            r.add(node_spec(nodes[i].first, nodes[i].second, "", counts[i]));
        }
        CHECK(r.point_count() == 100);
        CHECK(r.find("a")->vnodes() == 17);
        fingerprints.insert(r.fingerprint());
        ++orders;
    } while (std::next_permutation(nodes.begin(), nodes.end()));
    CHECK(orders == 6);
    CHECK(fingerprints.size() == 1);
}
