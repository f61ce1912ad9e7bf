// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/schemes.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;

namespace {

using listed = test_schemes::listed<std::uint8_t>;
using listed_ring = ring<listed>;
using listed_arc = moved_arc<std::uint8_t>;

template <class Diff>
std::vector<typename Diff::arc_type> arcs_of(const Diff& moved) {
    return {moved.arcs().begin(), moved.arcs().end()};
}

template <class Ring>
std::string_view owner_name(const Ring& ring, typename Ring::position_type p) {
    const auto owner = ring.owner_at(p);
    return owner ? owner->name() : std::string_view();
}

// The law of `ring_diff` at one position.
template <class Ring>
bool right_at(const Ring& before, const Ring& after, const typename Ring::diff_type& moved,
              typename Ring::position_type p) {
    const std::string_view from = owner_name(before, p);
    const std::string_view to = owner_name(after, p);
    const auto found = moved.find_at(p);
    return found ? from != to && found->where.contains(p) && moved.name(found->from) == from &&
                       moved.name(found->to) == to
                 : from == to;
}

// Each arc begins and ends where the owners change, and both its neighbours are something else.
template <class Ring>
void check_boundaries(const Ring& before, const Ring& after,
                      const typename Ring::diff_type& moved) {
    using position = typename Ring::position_type;
    constexpr position last = Ring::scheme_type::last_position;
    hashring::test::mismatches found;
    for (const auto& arc : moved.arcs()) {
        const auto past = next_position(arc.where.last, last);
        const auto before_it =
            arc.where.first == 0 ? last : static_cast<position>(arc.where.first - 1);
        for (const position p : {arc.where.first, arc.where.last, past, before_it}) {
            found.expect(right_at(before, after, moved, p), "position", +p);
        }
        for (const position p : {past, before_it}) {
            const auto neighbour = moved.find_at(p);
            found.expect(!neighbour || neighbour->where == arc.where ||
                             neighbour->from != arc.from || neighbour->to != arc.to,
                         "not as long as can be at", +p);
        }
    }
    CHECK_NO_MISMATCHES(found);
}

// Disjoint arcs in the order of their ends, of which only the first may wrap.
template <class Ring>
void check_order(const typename Ring::diff_type& moved) {
    hashring::test::mismatches found;
    const auto arcs = moved.arcs();
    for (std::size_t i = 1; i < arcs.size(); ++i) {
        found.expect(arcs[i - 1].where.last < arcs[i].where.first, "arc", i, "overlaps");
        found.expect(arcs[i].where.first <= arcs[i].where.last, "arc", i, "wraps");
    }
    if (arcs.size() > 1 && arcs[0].where.first > arcs[0].where.last) {
        found.expect(arcs.back().where.last < arcs[0].where.first, "the first overlaps the last");
    }
    CHECK_NO_MISMATCHES(found);
}

// The totals say what the arcs say.
template <class Ring>
void check_totals(const typename Ring::diff_type& moved) {
    constexpr auto last = typename Ring::position_type{Ring::scheme_type::last_position};
    uint128 of_arcs;
    uint128 of_transfers;
    std::size_t arcs = 0;
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto& arc : moved.arcs()) {
        of_arcs += width(arc.where, last);
    }
    const std::vector<transfer> transfers = moved.transfers();
    for (const transfer& t : transfers) {
        of_transfers += t.width;
        arcs += t.arcs;
        pairs.emplace(t.from, t.to);
    }
    CHECK(moved.moved_width() == of_arcs);
    CHECK(of_transfers == of_arcs);
    CHECK(arcs == moved.arcs().size());
    CHECK(pairs.size() == transfers.size());
    CHECK(std::is_sorted(transfers.begin(), transfers.end(), [](const auto& a, const auto& b) {
        return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    }));
    CHECK(moved.moved_fraction() == fraction(of_arcs, circle_width(last)));
    CHECK(moved.empty() == moved.arcs().empty());
}

template <class Ring>
void check_diff(const Ring& before, const Ring& after) {
    const auto moved = diff(before, after);
    check_boundaries(before, after, moved);
    check_order<Ring>(moved);
    check_totals<Ring>(moved);
    const auto names = moved.names();
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
    for (std::uint32_t i = 0; i < before.size(); ++i) {
        CHECK(moved.name(i) == before.node(i).name());
    }
}

// Eight nodes with seeded weights, some of them 0.
template <class Scheme>
ring<Scheme> random_ring(dice& random) {
    ring<Scheme> nodes(with_vnodes<Scheme>(40));
    for (const std::string& name : node_names(12, 3)) {
        if (random.below(3) > 0) {
            nodes.add({name, weight_in_tenths<Scheme>(random.below(4) * 7)});
        }
    }
    return nodes;
}

} // namespace

TEST_CASE("diff: a new point takes the arc before it", "[ring][diff]") {
    const listed_ring before{"a:10", "b:20"};
    const listed_ring after{"a:10", "b:20", "c:15"};
    const auto moved = diff(before, after);
    CHECK(arcs_of(moved) == std::vector<listed_arc>{{{11, 15}, 1, 2}});
    CHECK(moved.name(1) == "b:20");
    CHECK(moved.name(2) == "c:15");
    CHECK(moved.moved_width() == uint128(5));
    CHECK(moved.moved_fraction() == 5.0 / 256);
    CHECK(moved.moves("11"));
    CHECK(moved.moves("15"));
    CHECK_FALSE(moved.moves("10"));
    CHECK_FALSE(moved.moves("16"));
    CHECK(moved.find("12") == listed_arc{{11, 15}, 1, 2});
    CHECK_FALSE(moved.find("200").has_value());
}

TEST_CASE("diff: an arc across the end of the circle is one arc", "[ring][diff]") {
    const listed_ring before{"a:10", "b:200"};
    const listed_ring after{"c:10", "b:200"};
    const auto moved = diff(before, after);
    CHECK(arcs_of(moved) == std::vector<listed_arc>{{{201, 10}, 0, 2}});
    CHECK(moved.moved_width() == uint128(66));
    CHECK(moved.moves("255"));
    CHECK(moved.moves("0"));
    CHECK(moved.moves("201"));
    CHECK_FALSE(moved.moves("200"));
    CHECK_FALSE(moved.moves("11"));

    const listed_ring split{"c:10,250", "b:200"}; // found in two pieces, on both sides of the end
    CHECK(arcs_of(diff(before, split)) == std::vector<listed_arc>{{{201, 10}, 0, 2}});
}

TEST_CASE("diff: neighbouring pieces that say the same are one arc", "[ring][diff]") {
    const listed_ring before{"a:10,20,30", "b:200"};
    const listed_ring after{"c:5,15,25,30", "b:200"};
    CHECK(arcs_of(diff(before, after)) == std::vector<listed_arc>{{{201, 30}, 0, 2}});
}

TEST_CASE("diff: a whole circle that changes hands is one full arc", "[ring][diff]") {
    const listed_ring before{"a:10,100"};
    const listed_ring after{"b:50"};
    const auto moved = diff(before, after);
    REQUIRE(moved.arcs().size() == 1);
    CHECK(moved.moved_width() == uint128(256));
    CHECK(moved.moved_fraction() == 1.0);
    for (unsigned p = 0; p < 256; ++p) {
        CHECK(moved.find_at(static_cast<std::uint8_t>(p)).has_value());
    }
}

TEST_CASE("diff: nobody is a side too", "[ring][diff]") {
    const listed_ring empty;
    const listed_ring one{"a:10"};
    const auto joined = diff(empty, one);
    REQUIRE(joined.arcs().size() == 1);
    CHECK(joined.arcs()[0].from == no_node);
    CHECK(joined.name(joined.arcs()[0].from).empty());
    CHECK(joined.name(joined.arcs()[0].from, "-") == "-");
    CHECK(joined.name(joined.arcs()[0].to) == "a:10");
    CHECK(joined.moved_width() == uint128(256));
    CHECK(joined.least_fraction() == 1.0);

    const auto left = diff(one, empty);
    REQUIRE(left.arcs().size() == 1);
    CHECK(left.name(left.arcs()[0].from) == "a:10");
    CHECK(left.arcs()[0].to == no_node);
    CHECK(left.least_fraction() == 0.0);

    CHECK(diff(empty, empty).empty());
    CHECK(diff(empty, empty).transfers().empty());
    CHECK(diff(empty, empty).moved_fraction() == 0.0);

    const listed_ring drained{node_spec("a:10", weight{0})};
    CHECK(diff(one, drained).arcs()[0].to == no_node);
    CHECK(diff(empty, drained).empty());
}

TEST_CASE("diff: on a shared position only its owner counts", "[ring][diff]") {
    const listed_ring before{"b:10", "c:90"};
    CHECK(arcs_of(diff(before, listed_ring{"a:10", "b:10", "c:90"})) ==
          std::vector<listed_arc>{{{91, 10}, 0, 2}});
    CHECK(diff(before, listed_ring{"b:10", "c:90", "d:10"}).empty());
}

TEST_CASE("diff: transfers sum up per pair of nodes", "[ring][diff]") {
    const listed_ring before{"a:10,30", "b:20,40"};
    const listed_ring after{"a:10,30", "b:20,40", "c:5,15,25"};
    const std::vector<transfer> transfers = diff(before, after).transfers();
    REQUIRE(transfers.size() == 2);
    CHECK(transfers[0].from == 0); // 41 … 5 and 21 … 25
    CHECK(transfers[0].to == 2);
    CHECK(transfers[0].arcs == 2);
    CHECK(transfers[0].width == uint128(221 + 5));
    CHECK(transfers[1].from == 1); // 11 … 15
    CHECK(transfers[1].arcs == 1);
    CHECK(transfers[1].width == uint128(5));
}

TEST_CASE("diff: the least that must move is the growth of wished shares", "[ring][diff]") {
    const auto least = [](const ring<>& before, const ring<>& after) {
        return diff(before, after).least_fraction();
    };
    const ring<> three{"a", "b", "c"};
    CHECK(least(three, ring<>{"a", "b", "c", "d"}) == 0.25);
    CHECK(least(ring<>{"a", "b", "c", "d"}, three) == 0.25); // a, b and c from 3/12 to 4/12
    CHECK(least(three, ring<>{node_spec("a", weight{2}), "b", "c"}) == 2.0 / 12); // a: 2/4 − 1/3
    CHECK(least(three, ring<>{"d", "e", "f"}) == 1.0);
    CHECK(least(three, ring<>{"c", "d"}) == 4.0 / 6); // c: 1/2 − 1/3, d: 1/2
    CHECK(least(three, three) == 0.0);
    CHECK(least(ring<>{}, three) == 1.0);
    CHECK(least(three, ring<>{}) == 0.0);
    CHECK(least(ring<>{node_spec("a", weight{0})}, three) == 1.0);
    CHECK(least(three, ring<>{node_spec("a", weight{0})}) == 0.0);
    CHECK(least(three, ring<>{"a", "b", "c", node_spec("d", weight{0})}) == 0.0);
}

TEMPLATE_TEST_CASE("diff: it equals a comparison of 100000 keys and of all boundaries",
                   "[ring][diff][law]", HASHRING_KINDS_OF_SCHEMES) {
    constexpr std::uint64_t seed = 11;
    CAPTURE(seed);
    dice random(seed);
    hashring::test::mismatches found;
    for (unsigned pair = 0; pair < 5; ++pair) {
        const ring<TestType> before = random_ring<TestType>(random);
        const ring<TestType> after = random_ring<TestType>(random);
        check_diff(before, after);
        const auto moved = diff(before, after);
        for (unsigned i = 0; i < 20'000; ++i) {
            const std::uint64_t key = random.next();
            found.expect(right_at(before, after, moved, before.position(key)), "key", key);
            found.expect(moved.moves(key) == (before.owner(key) != after.owner(key)), "key", key);
        }
    }
    CHECK_NO_MISMATCHES(found);
}

TEMPLATE_TEST_CASE("diff: the way back is the way there turned round", "[ring][diff][law]",
                   HASHRING_KINDS_OF_SCHEMES) {
    dice random(5);
    const ring<TestType> one = random_ring<TestType>(random);
    const ring<TestType> other = random_ring<TestType>(random);
    const auto there = diff(one, other);
    const auto back = diff(other, one);
    REQUIRE(there.arcs().size() == back.arcs().size());
    hashring::test::mismatches found;
    for (std::size_t i = 0; i < there.arcs().size(); ++i) {
        const auto& a = there.arcs()[i];
        const auto& b = back.arcs()[i];
        found.expect(a.where == b.where && there.name(a.from) == back.name(b.to) &&
                         there.name(a.to) == back.name(b.from),
                     "arc", i);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(diff(one, one).empty());
    CHECK(diff(one, one).least_fraction() == 0.0);
}

TEMPLATE_TEST_CASE("diff: assigning returns what a comparison would", "[ring][diff][law]",
                   HASHRING_KINDS_OF_SCHEMES) {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    CAPTURE(seed);
    dice random(seed);
    ring<TestType> nodes = random_ring<TestType>(random);
    const ring<TestType> before = nodes;
    std::vector<node_spec> list;
    for (const std::string& name : node_names(random.below(10), 3)) {
        list.emplace_back(name, weight_in_tenths<TestType>(random.below(3) * 6));
    }
    random.shuffle(list);
    const auto assigned = nodes.assign(list);
    const auto compared = diff(before, nodes);
    CHECK(nodes == ring<TestType>(list, before.scheme()));
    CHECK(arcs_of(assigned) == arcs_of(compared));
    CHECK(std::ranges::equal(assigned.names(), compared.names()));
    CHECK(assigned.least_fraction() == compared.least_fraction());
    CHECK(nodes.assign(list).empty());
}

TEMPLATE_TEST_CASE("diff: a ring against an empty one is the whole circle", "[ring][diff]",
                   HASHRING_KINDS_OF_SCHEMES) {
    constexpr auto last = typename TestType::position_type{TestType::last_position};
    const ring<TestType> nodes(node_names(5, 2));
    const ring<TestType> empty;
    check_diff(empty, nodes);
    check_diff(nodes, empty);
    const auto joined = diff(empty, nodes);
    CHECK(joined.moved_width() == circle_width(last));
    const std::vector<uint128> widths = nodes.widths();
    for (const transfer& t : joined.transfers()) {
        CHECK(t.from == no_node);
        CHECK(t.width == widths[nodes.index_of(joined.name(t.to))]);
    }
    CHECK(diff(nodes, empty).moved_width() == circle_width(last));
}
