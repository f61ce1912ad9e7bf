// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/corrected_rings.hpp"
#include "support/dice.hpp"
#include "support/exact_rings.hpp"
#include "support/mismatches.hpp"
#include "support/shares_with_copies.hpp"
#include "support/test_schemes.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace hashring;
using namespace corrected_rings;
using hashring::test::mismatches;

TEST_CASE("corrected: the same list gives the ring that it always gave", "[corrected][golden]") {
    const ring<corrected> ring(weighted_names(10, 1));
    CHECK(ring.point_count() == 3540);
    CHECK(ring.fingerprint() == 0x3cf92c49fe26938dU);
    const hashring::ring<corrected> copied(weighted_names(10, 1), scheme_of(512, 3));
    CHECK(copied.fingerprint() == 0xf5ff13e0c485b269U);
}

TEST_CASE("corrected: also where positions have 32 bits and where the order of the list matters",
          "[corrected][law]") {
    using ketama = schemes::corrected<schemes::ketama_group>;
    using shard = schemes::corrected<schemes::murmur_shard>;
    using named = schemes::corrected<schemes::murmur_shard_named>;
    for (const std::size_t kinds : {1U, 3U}) {
        const auto nodes = weighted_names(10, 1, kinds);
        CAPTURE(kinds);
        CHECK(gap_over_weight(ring<ketama>(nodes)) <= 0.005);
        CHECK(gap_over_weight(ring<shard>(nodes)) <= 0.005);
        CHECK(gap_over_weight(ring<named>(nodes)) <= 0.005);
    }
    auto nodes = weighted_names(5, 2);
    ring<shard> grown;
    for (const node_spec& node : nodes) {
        grown.add(node);
    }
    CHECK(grown == ring<shard>(nodes));
    std::reverse(nodes.begin(), nodes.end());
    CHECK_FALSE(grown == ring<shard>(nodes));
    STATIC_REQUIRE(shard::order_matters);
    STATIC_REQUIRE_FALSE(named::order_matters);
    STATIC_REQUIRE_FALSE(schemes::correctable_scheme<schemes::bkdr_spaced>);
    STATIC_REQUIRE_FALSE(schemes::correctable_scheme<shard>);
}

TEST_CASE("corrected: neither the order of the list nor what was before matters",
          "[corrected][law]") {
    dice random(0x0d3);
    mismatches found;
    for (int round = 0; round < 20; ++round) {
        auto nodes = weighted_names(2 + random.below(9), random.next());
        const ring<corrected> straight(nodes, scheme_of(40));
        random.shuffle(nodes);
        ring<corrected> grown({}, scheme_of(40));
        grown.add("stranger");
        for (const node_spec& node : nodes) {
            grown.add(node_spec(node.name, weight{3}));
            grown.set_weight(node.name, node.weight);
        }
        grown.remove("stranger");
        found.expect(grown == straight && grown.fingerprint() == straight.fingerprint(), round);
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("corrected: points are different virtual nodes of the scheme below", "[corrected][law]") {
    const ring<corrected> ring(node_names(10, 3), scheme_of(64));
    mismatches found;
    std::vector<std::uint64_t> all(64 * 9);
    std::vector<std::size_t> counts(10);
    for (std::uint32_t i = 0; i < 10; ++i) {
        ring.scheme().points({ring.node(i).name(), {}, {}, i}, all);
        std::sort(all.begin(), all.end());
        for (std::size_t p = 0; p < ring.point_count(); ++p) {
            if (ring.point_owner(p) == i) {
                ++counts[i];
                found.expect(std::binary_search(all.begin(), all.end(), ring.point_position(p)), i);
                found.expect(p == 0 || ring.point_position(p) != ring.point_position(p - 1), p);
            }
        }
        found.compare(counts[i], std::size_t{ring.node(i).vnodes()}, i);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(ring.scheme().counts(std::vector<placed_node>{{"a"}, {"b", {}, weight{0}}})[1] == 0);
}

TEST_CASE("corrected: a count set by hand stays, and the others are corrected around it",
          "[corrected][law]") {
    ring<corrected> ring(node_names(10, 4), scheme_of(128));
    ring.set_vnodes("s4-node-5", 40);
    CHECK(ring.find("s4-node-5")->vnodes() == 40);
    const hashring::ring<schemes::xxh3> alone({node_spec("s4-node-5", {}, {}, 40)});
    std::size_t kept = 0;
    for (std::size_t p = 0; p < alone.point_count(); ++p) {
        const auto owner = ring.owner_at(alone.point_position(p));
        kept += owner->name() == "s4-node-5" ? 1U : 0U;
    }
    CHECK(kept == 40);
    auto shares = ring.shares();
    CHECK(shares[5] < 0.06);
    shares.erase(shares.begin() + 5);
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    CHECK((*most - *least) / *least <= 0.005);

    ring.set_vnodes("s4-node-5", 0);
    CHECK(ring.shares()[5] == 0.0);
    ring.set_weight("s4-node-5", weight{});
    CHECK(ring == hashring::ring<corrected>(node_names(10, 4), scheme_of(128)));
}

TEST_CASE("corrected: lists that leave nothing to correct", "[corrected][edge]") {
    CHECK(ring<corrected>().point_count() == 0);
    ring<corrected> one({node_spec("a")});
    CHECK(one.point_count() == 160);
    one.add("idle", weight{0});
    CHECK(one.point_count() == 160);
    one.set_vnodes("a", 3);
    CHECK(one.point_count() == 3);
    one.set_vnodes("a", 0);
    CHECK(one.point_count() == 0);

    const ring<corrected> everywhere(node_names(3, 1), scheme_of(50, 3)); // all hold everything
    CHECK(everywhere.point_count() == 150);
    const ring<corrected> fewer(node_names(2, 1), scheme_of(50, 3));
    CHECK(fewer.point_count() == 100);
}

TEST_CASE("corrected: a node that should hold everything keeps its plain count",
          "[corrected][edge]") {
    auto nodes = weighted_names(6, 9, 1);
    nodes[2].weight = weight{8}; // 8 · 3 copies > 13
    const ring<corrected> ring(nodes, scheme_of(200, 3));
    CHECK(ring.node(2).vnodes() == 1600);
    auto shares = shares_with_copies(ring, 3);
    CHECK(shares[2] > 0.95);
    shares.erase(shares.begin() + 2);
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    CHECK((*most - *least) / *least <= 0.005);
}

TEST_CASE("corrected: on a small circle full of collisions it does what it can",
          "[corrected][edge]") {
    using narrow = schemes::corrected<test_schemes::narrow<>>;
    narrow scheme;
    scheme.vnodes_per_unit = 200;
    const ring<narrow> ring(weighted_names(20, 2), scheme);
    CHECK(gap_over_weight(ring) <= 0.005);
    narrow one_each;
    one_each.vnodes_per_unit = 1;
    CHECK(hashring::ring<narrow>(node_names(2, 2), one_each).placed_count() == 2);
}

TEST_CASE("corrected: options are set as text", "[corrected][edge]") {
    CHECK(corrected::name == "corrected-xxh3");
    corrected scheme;
    for (const scheme_option& option : corrected::options()) {
        CHECK(scheme.get(option.name) == option.preset);
    }
    scheme.set("corrected-copies", "3");
    scheme.set("tolerance", "10000");
    scheme.set("vnodes", "512");
    CHECK(scheme.copies == 3);
    CHECK(scheme.tolerance == 10'000);
    CHECK(scheme.vnodes_per_unit == 512);
}

TEST_CASE("corrected: options and lists that cannot be", "[corrected][error]") {
    corrected scheme;
    for (const char* value : {"0", "256", "-1", "", "x", "1.5"}) {
        CAPTURE(value);
        CHECK_THROWS_AS(scheme.set("corrected-copies", value), invalid_option);
    }
    CHECK_THROWS_AS(scheme.set("tolerance", "0"), invalid_option);
    CHECK_THROWS_AS(scheme.set("tolerance", "1000001"), invalid_option);
    CHECK_THROWS_AS(scheme.set("seed", "1"), invalid_option);
    CHECK_THROWS_AS(scheme.get("seed"), invalid_option);
    CHECK(scheme == corrected{});

    ring<corrected> ring({"a", "b"});
    const auto before = ring;
    CHECK_THROWS_AS(ring.add("huge", weight{weight::max}), invalid_point_count);
    CHECK_THROWS_AS(ring.set_vnodes("a", max_points + 1), invalid_point_count);
    CHECK_THROWS_AS(ring.assign({node_spec("c", weight{100'000}), node_spec("d", weight{100'000})}),
                    invalid_point_count);
    CHECK(ring == before);
}
