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
#include <limits>
#include <map>
#include <string>
#include <vector>

using namespace hashring;
using test_schemes::listed;
using test_schemes::listed_node;

namespace {

template <class Position>
using listed_ring = ring<listed<Position>>;

template <class Ring>
uint128 sum_of_widths(const Ring& ring) {
    uint128 sum;
    for (const uint128& width : ring.widths()) {
        sum += width;
    }
    return sum;
}

} // namespace

// [B33], [B35], [B36], [B38]: below the first point, above the last, and on a point.
TEST_CASE("edges: a key belongs to the first point at or after it",
          "[ring][edge][B33][B35][B36][B38][small]") {
    const listed_ring<std::uint32_t> ring{"a:10", "b:20"};
    CHECK(ring.owner("0") == "a:10");
    CHECK(ring.owner("5") == "a:10");
    CHECK(ring.owner("9") == "a:10");
    CHECK(ring.owner("10") == "a:10");
    CHECK(ring.owner("11") == "b:20");
    CHECK(ring.owner("19") == "b:20");
    CHECK(ring.owner("20") == "b:20");
    CHECK(ring.owner("21") == "a:10");
    CHECK(ring.owner("4294967295") == "a:10");
    CHECK(ring.owner_at(20) == "b:20");
    CHECK(ring.point_index(21) == 0);
    CHECK(listed_ring<std::uint32_t>{"a:10"}.owner("11") == "a:10"); // [B35] as it was reported
}

// [B36]: on each point, one before it and one past it.
TEST_CASE("edges: each of a thousand points owns its own position", "[ring][edge][B36][small]") {
    const ring<> nodes(node_names(10, 6), [] {
        schemes::xxh3 scheme;
        scheme.vnodes_per_unit = 100;
        return scheme;
    }());
    REQUIRE(nodes.point_count() == 1000);
    hashring::test::mismatches found;
    for (std::size_t i = 0; i < 1000; ++i) {
        const std::uint64_t p = nodes.point_position(i);
        found.expect(nodes.owner_index_at(p) == nodes.point_owner(i), "on", i);
        found.expect(nodes.owner_index_at(p - 1) == nodes.point_owner(i), "before", i);
        found.expect(nodes.owner_index_at(p + 1) == nodes.point_owner((i + 1) % 1000), "past", i);
    }
    CHECK_NO_MISMATCHES(found);
}

// [B37]: 6,000 points, none above 65,000, and every position above them.
TEST_CASE("edges: positions above the last point end the search too", "[ring][edge][B37]") {
    std::map<unsigned, std::string> owners; // position → node
    std::vector<std::string> nodes;
    const std::vector<std::string> names = node_names(60, 1);
    for (unsigned n = 0; n < 60; ++n) {
        std::vector<unsigned> positions;
        for (unsigned j = 0; j < 100; ++j) {
            positions.push_back((n * 100 + j) * 65'000 / 6'000);
        }
        nodes.push_back(listed_node(names[n], positions));
        for (const unsigned p : positions) {
            owners.emplace(p, nodes.back());
        }
    }
    const listed_ring<std::uint16_t> ring(nodes);
    REQUIRE(ring.point_count() == 6000);
    hashring::test::mismatches found;
    for (unsigned p = 0; p <= 0xffff; ++p) {
        const auto at = owners.lower_bound(p);
        const std::string& wanted = (at == owners.end() ? owners.begin() : at)->second;
        found.expect(*ring.owner_at(static_cast<std::uint16_t>(p)) == wanted, p);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(ring.owner("65532") == owners.begin()->second);
}

// [B39]: the blog's circle is signed, which is the unsigned order with the top bit flipped; and
// integers are hashed before they are positions.
TEST_CASE("edges: signed points stand in signed order", "[ring][edge][B39][small]") {
    const ring<schemes::murmur_shard> nodes{"x", "y", "z"};
    std::vector<std::int64_t> printed;
    for (const auto& p : nodes.points()) {
        printed.push_back(*parse_decimal<std::int64_t>(nodes.scheme().text(p.position)));
    }
    CHECK(std::is_sorted(printed.begin(), printed.end()));
    CHECK(printed.front() < 0);
    CHECK(printed.back() > 0);
    std::map<std::string_view, int> keys;
    for (int key = 1; key <= 1000; ++key) {
        ++keys[nodes.owner(key)->name()];
    }
    CHECK(keys.size() == 3);
    for (const auto& [name, count] : keys) {
        CAPTURE(name);
        CHECK(count >= 200);
        CHECK(count <= 470);
    }
}

// [B40]: no absolute value of the smallest signed number anywhere.
TEMPLATE_TEST_CASE("edges: the positions about the sign bit have owners", "[ring][edge][B40]",
                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
    constexpr auto last = std::numeric_limits<TestType>::max();
    constexpr auto top = static_cast<TestType>(last / 2 + 1);
    const std::vector<TestType> positions{0, 1, TestType{top - 1}, top, TestType{last - 1}, last};
    std::vector<std::string> nodes;
    for (const TestType p : positions) {
        nodes.push_back(listed_node<TestType>("n", {p}));
    }
    const listed_ring<TestType> whole(nodes);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        CHECK(whole.owner_at(positions[i]) == nodes[i]); // on each point
        const listed_ring<TestType> alone{node_spec(nodes[i])};
        for (const TestType p : positions) {
            CHECK(alone.owner_at(p) == nodes[i]);
        }
        CHECK(sum_of_widths(alone) == circle_width(TestType{last}));
    }
    CHECK(sum_of_widths(whole) == circle_width(TestType{last}));
    CHECK(whole.widths()[whole.index_of(nodes[3])] == uint128(1)); // one after its neighbour
}

TEST_CASE("edges: an empty ring owns nothing and says so", "[ring][edge]") {
    const ring<> empty;
    CHECK(empty.empty());
    CHECK(empty.size() == 0);
    CHECK(empty.placed_count() == 0);
    CHECK(empty.point_count() == 0);
    CHECK_FALSE(empty.owner("k").has_value());
    CHECK_FALSE(empty.owner_at(0).has_value());
    CHECK(empty.owner_index_at(0) == no_node);
    CHECK(empty.widths().empty());
    CHECK(empty.shares().empty());
    CHECK(empty == ring<>(std::vector<node_spec>{}));
    CHECK(empty.fingerprint() == ring<>(std::vector<node_spec>{}).fingerprint());
}

TEMPLATE_TEST_CASE("edges: a single node owns the whole circle exactly", "[ring][edge]",
                   HASHRING_KINDS_OF_SCHEMES) {
    constexpr auto last = typename TestType::position_type{TestType::last_position};
    for (const std::uint32_t vnodes : {1U, 2U, 160U}) {
        const ring<TestType> alone{node_spec("a", {}, {}, vnodes)};
        CHECK(alone.widths() == std::vector<uint128>{circle_width(last)});
        CHECK(alone.shares() == std::vector<double>{1.0});
        CHECK(alone.owner("") == "a");
        CHECK(alone.owner_at(0) == "a");
        CHECK(alone.owner_at(last) == "a");
    }
}

TEMPLATE_TEST_CASE("edges: widths sum to the circle exactly", "[ring][edge][law]",
                   HASHRING_KINDS_OF_SCHEMES) {
    constexpr auto last = typename TestType::position_type{TestType::last_position};
    const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U, 5U);
    CAPTURE(seed);
    dice random(seed);
    ring<TestType> nodes;
    for (const std::string& name : node_names(1 + random.below(12), seed)) {
        nodes.add({name, weight_in_tenths<TestType>(random.below(30))});
    }
    nodes.add("at least this one");
    CHECK(sum_of_widths(nodes) == circle_width(last));
    double shares = 0.0;
    for (const double share : nodes.shares()) {
        shares += share;
    }
    CHECK(std::abs(shares - 1.0) < 1e-12);
}

TEMPLATE_TEST_CASE("edges: a weight of 0 is a member that owns nothing", "[ring][edge]",
                   HASHRING_KINDS_OF_SCHEMES) {
    ring<TestType> nodes{node_spec("a"), node_spec("b", weight{0}), node_spec("c")};
    CHECK(nodes.size() == 3);
    CHECK(nodes.placed_count() == 2);
    CHECK(nodes.contains("b"));
    CHECK(nodes.find("b")->vnodes() == 0);
    CHECK(nodes.widths()[1] == uint128(0));
    nodes.set_weight("a", weight{0});
    nodes.set_weight("c", weight{0});
    CHECK(nodes.size() == 3);
    CHECK(nodes.placed_count() == 0);
    CHECK(nodes.point_count() == 0);
    CHECK_FALSE(nodes.owner("k").has_value());
    CHECK(nodes.widths() == std::vector<uint128>(3));
    CHECK(nodes.set_weight("b", weight{1}));
    CHECK(nodes.owner("k") == "b");
}

// [B23]: a small weight beside a large one still has a point, so that a walk reaches it.
TEMPLATE_TEST_CASE("edges: any weight above 0 owns something", "[ring][edge][B23]",
                   HASHRING_PER_WEIGHT_KINDS) {
    ring<TestType> nodes{node_spec("big", weight{100}), node_spec("small", weight{0.001}),
                         node_spec("other", weight{0.004})};
    CHECK(nodes.find("small")->vnodes() == 1);
    CHECK(nodes.find("other")->vnodes() == 1);
    CHECK(nodes.placed_count() == 3);
    for (unsigned key = 0; key < 20; ++key) {
        CHECK(nodes.replicas(key, 3).size() == 3);
    }
}

TEST_CASE("edges: one point on any position owns every position", "[ring][edge]") {
    const unsigned at = GENERATE(0U, 1U, 127U, 128U, 254U, 255U);
    const listed_ring<std::uint8_t> ring{
        node_spec(listed_node<std::uint8_t>("a", {static_cast<std::uint8_t>(at)}))};
    CAPTURE(at);
    std::size_t owned = 0;
    for (unsigned p = 0; p < 256; ++p) {
        owned += ring.owner_index_at(static_cast<std::uint8_t>(p)) == 0 ? 1U : 0U;
    }
    CHECK(owned == 256);
    CHECK(ring.widths()[0] == uint128(256));
}

// The circle ends at 2^32 − 2: 2^32 − 1 is no position, and no node loses or gains one by it.
TEST_CASE("edges: the postal paper's circle ends one early", "[ring][edge]") {
    using spaced = listed<std::uint32_t, spaced_last_position>;
    const ring<spaced> nodes{"a:4294967294", "b:0"};
    CHECK(nodes.owner_at(0) == "b:0");
    CHECK(nodes.owner_at(4294967294U) == "a:4294967294");
    CHECK(nodes.widths()[1] == uint128(1));
    CHECK(nodes.widths()[0] == uint128(0xfffffffeU));

    const ring<spaced> wrapping{"a:4294967293", "b:7"};
    CHECK(wrapping.widths()[1] == uint128(9)); // 2^32 − 2 and 0 … 7
    CHECK(wrapping.owner_at(4294967294U) == "b:7");

    const ring<schemes::bkdr_spaced> nodes_of_paper(node_names(3, 1));
    std::uint32_t highest = 0;
    for (const auto& p : nodes_of_paper.points()) {
        highest = std::max(highest, p.position);
    }
    CHECK(highest <= 4294967294U);
    CHECK(sum_of_widths(nodes_of_paper) == uint128(0xffffffffU));
}

TEST_CASE("edges: on a shared position the tie rule decides and none is dropped",
          "[ring][edge][B01]") {
    const listed_ring<std::uint32_t> first{"a:10,50", "b:10,90"};
    CHECK(first == listed_ring<std::uint32_t>{"b:10,90", "a:10,50"});
    CHECK(first.point_count() == 4);
    CHECK(first.owner("10") == "a:10,50");
    CHECK(first.widths()[0] + first.widths()[1] == uint128(std::uint64_t{1} << 32U));
    CHECK(first.widths()[1] == uint128(40)); // 51 … 90 alone

    using last_rule = listed<std::uint32_t, 0xffffffffU, tie_rule::last>;
    const ring<last_rule> last{"a:10,50", "b:10,90"};
    CHECK(last.point_count() == 4);
    CHECK(last.owner("10") == "b:10,90");
    CHECK(last.widths()[0] == uint128(40)); // 11 … 50 alone
}

TEST_CASE("edges: names may hold any bytes", "[ring][edge]") {
    const std::string nul("a\0b", 3);
    const ring<> nodes{node_spec(nul), node_spec("a"), node_spec("\xff\xfe"), node_spec(" "),
                       node_spec(std::string(100'000, 'x'))};
    CHECK(nodes.size() == 5);
    CHECK(nodes.contains(nul));
    CHECK(nodes.contains("\xff\xfe"));
    CHECK(nodes.node(4) == "\xff\xfe"); // bytes sort as unsigned
    CHECK_FALSE(nodes.contains("b"));
}
