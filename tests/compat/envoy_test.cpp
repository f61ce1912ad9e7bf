// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"
#include "support/vnodes_of.hpp"

#include <hashring/compat/envoy.hpp>
#include <hashring/compat/envoy_key.hpp>
#include <hashring/compat/envoy_maglev.hpp>
#include <hashring/compat/grpc.hpp>
#include <hashring/ring/attempt.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::envoy;
using compat::envoy_localities;
using compat::envoy_maglev;
using compat::envoy_maglev_1_26;
using compat::grpc;
using compat::grpc_core;
using support::vnodes_of;

namespace {

using counts = std::vector<std::uint32_t>;

// 127.0.0.1:14401 and so on with these weights.
std::vector<node_spec> hosts(const std::vector<int>& weights) {
    std::vector<node_spec> nodes;
    for (const int w : weights) {
        nodes.emplace_back("127.0.0.1:" + std::to_string(14401 + nodes.size()), weight{w});
    }
    return nodes;
}

template <class Scheme>
Scheme sized(std::uint32_t min, std::uint32_t max) {
    Scheme scheme;
    scheme.min_size = min;
    scheme.max_size = max;
    return scheme;
}

template <class Scheme>
void check_presets() {
    Scheme scheme;
    for (const scheme_option& option : Scheme::options()) {
        CHECK(scheme.get(option.name) == option.preset);
        scheme.set(option.name, scheme.get(option.name));
    }
    CHECK(scheme == Scheme());
    CHECK_THROWS_AS(scheme.set("vnodes", "3"), invalid_option);
    CHECK_THROWS_AS(scheme.get("vnodes"), invalid_option);
}

} // namespace

TEST_CASE("envoy: points are the hash of name_i", "[envoy][golden]") {
    std::vector<std::uint64_t> points(1);
    const placed_node first{"127.0.0.1:14401", "", weight{1}, 0};
    envoy scheme;
    scheme.points(first, points);
    CHECK(points[0] == 14057009639816338335U);
    scheme.set("hash", "murmur2");
    scheme.points(first, points);
    CHECK(points[0] == 13635424089176569003U);
    CHECK(envoy::label(first, 3) == "127.0.0.1:14401_3");
    CHECK(scheme.position("apple") == envoy().position("apple")); // keys are XXH64
}

TEST_CASE("envoy: a ring is as large as its sizes and weights ask for", "[envoy][golden]") {
    CHECK(vnodes_of(ring<envoy>(hosts({1, 1, 1}))) == counts{342, 342, 342});
    CHECK(vnodes_of(ring<envoy>(hosts({1, 2, 3, 5, 8}))) == counts{54, 108, 162, 270, 432});
    CHECK(vnodes_of(ring<envoy>(hosts({1, 2}), sized<envoy>(7, 9))) == counts{3, 6});
    CHECK(vnodes_of(ring<envoy>(hosts({1, 2}), sized<envoy>(7, 8))) == counts{3, 5});
    CHECK(vnodes_of(ring<envoy>(hosts({2, 1}), sized<envoy>(7, 8))) == counts{6, 2});
    CHECK(vnodes_of(ring<envoy>(hosts({1, 0, 1}), sized<envoy>(1, 9))) == counts{1, 0, 1});
    CHECK(vnodes_of(ring<envoy>(hosts({1, 1}), sized<envoy>(1, 1))) == counts{1, 0});
    // One more than the ring may have, out of rounding.
    CHECK(ring<envoy>(hosts(std::vector<int>(25, 1)), sized<envoy>(1, 20)).point_count() == 21);
    CHECK(ring<envoy>().owner("k") == std::nullopt);
}

TEST_CASE("envoy: each host has its scaled share, within one", "[envoy][law]") {
    constexpr std::uint64_t seed = 77;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 300; ++round) {
        std::vector<double> shares(1 + input.number_of_any_width() % 20);
        std::vector<std::uint64_t> weights;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            weights.push_back(1 + input.number_of_any_width() % 100);
        }
        const auto sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
        std::transform(weights.begin(), weights.end(), shares.begin(), [&](std::uint64_t w) {
            return static_cast<double>(w) / static_cast<double>(sum);
        });
        const auto min = static_cast<std::uint32_t>(1 + input.number_of_any_width() % 2000);
        const auto max = static_cast<std::uint32_t>(min + input.number_of_any_width() % 2000);
        const double scale = compat::ring_scale(shares, min, max);
        wrong.expect(scale > min - 1e-6 && scale <= max, min, max, scale);
        const counts made = compat::running_counts(shares, scale);
        for (std::size_t i = 0; i < made.size(); ++i) {
            wrong.expect(std::abs(made[i] - scale * shares[i]) < 1 + 1e-6, i, scale);
        }
        const auto total = std::accumulate(made.begin(), made.end(), 0.0);
        wrong.expect(total >= scale - 1e-6 && total < scale + 1 + 1e-6, scale, total);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("envoy: localities share out first, then hosts", "[envoy][golden]") {
    envoy scheme = sized<envoy>(8, 8);
    scheme.set("locality-weights", "east=1,west=3,gone=0");
    const ring<envoy> r({{"a", weight{9}, "east"},
                         {"b", weight{1}, "west"},
                         {"c", weight{2}, "west"},
                         {"d", weight{1}, "gone"}},
                        scheme);
    CHECK(vnodes_of(r) == counts{2, 2, 4, 0});
    // The order is that of the localities, whatever the list's: 25/8 3 and 25/12 · 2 …
    scheme.max_size = 25;
    scheme.min_size = 25;
    const std::vector<node_spec> mixed = {
        {"b", weight{1}, "west"}, {"a", weight{1}, "east"}, {"c", weight{2}, "west"}};
    const std::vector<node_spec> sorted = {
        {"a", weight{1}, "east"}, {"b", weight{1}, "west"}, {"c", weight{2}, "west"}};
    const ring<envoy> from_mixed(mixed, scheme);
    const ring<envoy> from_sorted(sorted, scheme);
    CHECK(from_sorted.node(0).vnodes() == 7);  // 6.25
    CHECK(from_sorted.node(1).vnodes() == 6);  // up to 12.5
    CHECK(from_sorted.node(2).vnodes() == 12); // up to 25
    CHECK(vnodes_of(from_mixed) == counts{6, 7, 12});
    CHECK(envoy::address_of({"1.2.3.4:5", "east", "g", 7}) == "east");
}

// Divided first, all three would be another double: 3 · (1/3 / 11) is 0x1.745d1745d1745p-4.
TEST_CASE("envoy: a share is multiplied first and divided then", "[envoy][golden]") {
    const auto share = [](const char* localities, int weight, int rest) {
        const std::vector<placed_node> nodes = {{"a", "x", hashring::weight{weight}, 0},
                                                {"b", "x", hashring::weight{rest}, 1}};
        return compat::share_out(nodes, envoy_localities::parse(localities)).of.at(0);
    };
    CHECK(share("x=1,y=2", 3, 8) == 0x1.745d1745d1746p-4);
    CHECK(share("x=1,y=6", 3, 10) == 0x1.0e10e10e10e11p-5);
    CHECK(share("x=3,y=7", 3, 6) == 0x1.9999999999999p-4);
}

TEST_CASE("envoy: a retry goes on by one point", "[envoy][law]") {
    const ring<envoy> r(hosts({1, 2}), sized<envoy>(7, 9));
    for (std::size_t p = 0; p < r.point_count(); ++p) {
        for (std::size_t attempt = 0; attempt < 20; ++attempt) {
            CHECK(owner_at_attempt(r, r.point_position(p), attempt) ==
                  r.point_owner((p + attempt) % r.point_count()));
        }
    }
    CHECK(owner_at_attempt(ring<envoy>(), 5, 1) == no_node);
}

TEST_CASE("envoy: several values and policies make one hash", "[envoy][golden]") {
    const std::vector<std::string_view> one = {"apple"};
    const std::vector<std::string_view> two = {"pear", "apple"};
    CHECK(compat::envoy_header_hash(one) == hash::xxh64{}("apple"));
    CHECK(compat::envoy_header_hash(two) == hash::xxh64{hash::xxh64{}("apple")}("pear"));
    STATIC_REQUIRE(compat::combined_request_hash(0x8000000000000001U, 4) == 7);
}

TEST_CASE("envoy maglev: hosts have about their shares of the table", "[envoy_maglev][golden]") {
    CHECK(vnodes_of(table<envoy_maglev>(hosts({1, 2, 3, 5, 8}))) ==
          counts{3450, 6899, 10348, 17247, 27593});
    CHECK(table<envoy_maglev>().owner("k") == std::nullopt);
    CHECK(table<envoy_maglev>(hosts({0, 0})).owner("k") == std::nullopt);
    CHECK(vnodes_of(table<envoy_maglev>(hosts({0, 1}))) == counts{0, 65537});
}

TEST_CASE("envoy maglev: since 1.27 the order of the list does not matter", "[envoy_maglev][law]") {
    std::vector<node_spec> nodes = hosts({1, 2, 3, 5, 8});
    envoy_maglev now;
    envoy_maglev_1_26 before;
    now.table_size = before.table_size = 17;
    const table<envoy_maglev> sorted(nodes, now);
    const table<envoy_maglev_1_26> listed(nodes, before);
    std::reverse(nodes.begin(), nodes.end());
    CHECK(table<envoy_maglev>(nodes, now) == sorted);
    const table<envoy_maglev_1_26> reversed(nodes, before);
    std::size_t same = 0;
    std::size_t moved = 0;
    for (std::size_t i = 0; i < 17; ++i) {
        const auto name = [&](const auto& t) {
            return std::string(t.node(t.slot_owner(i)).name());
        };
        same += name(listed) == name(sorted) ? 1U : 0U; // the list was in order
        moved += name(reversed) != name(sorted) ? 1U : 0U;
    }
    CHECK(same == 17);
    CHECK(moved > 0);
}

TEST_CASE("envoy maglev: localities and retries", "[envoy_maglev][golden]") {
    envoy_maglev scheme;
    scheme.set("table-size", "101");
    scheme.set("locality-weights", "a=1,b=9");
    const table<envoy_maglev> t({{"x", weight{1}, "b"}, {"y", weight{7}, "a"}}, scheme);
    CHECK(vnodes_of(t) == counts{91, 10});
    STATIC_REQUIRE(envoy_maglev::at_attempt(77, 0) == 77);
    STATIC_REQUIRE(envoy_maglev::at_attempt(0, 1) == 0xffffffffffffffffU);
    STATIC_REQUIRE(envoy_maglev::at_attempt(1, 2) == 0xffffffffffffffffU);
}

TEST_CASE("grpc: Go sorts endpoints, and sizes have a cap", "[grpc][golden]") {
    std::vector<node_spec> nodes = hosts({1, 2, 3});
    const ring<grpc> sorted(nodes, sized<grpc>(1, 7));
    CHECK(vnodes_of(sorted) == counts{1, 2, 3});
    CHECK(vnodes_of(ring<grpc>(hosts({2, 1}), sized<grpc>(7, 8))) == counts{6, 2});
    std::reverse(nodes.begin(), nodes.end());
    CHECK(ring<grpc>(nodes, sized<grpc>(1, 7)) == sorted);
    CHECK(vnodes_of(ring<grpc_core>({"b", {"a", weight{2}}}, sized<grpc_core>(7, 8))) ==
          counts{3, 5});
    CHECK(vnodes_of(ring<grpc>({"b", {"a", weight{2}}}, sized<grpc>(7, 8))) == counts{6, 2});
    const auto capped = ring<grpc>(hosts({1, 1, 1}), sized<grpc>(65537, 8'388'608));
    CHECK(capped.point_count() == 4096);
    grpc raised = sized<grpc>(65537, 8'388'608);
    raised.set("ring-size-cap", "8388608");
    CHECK(ring<grpc>(hosts({1, 1, 1}), raised).point_count() == 65538);
}

TEST_CASE("envoy and grpc: what they do not take is refused", "[envoy][grpc][error]") {
    CHECK_THROWS_AS(ring<envoy>({{"a", weight{0.5}}}), invalid_weight);
    CHECK_THROWS_AS(ring<grpc>({{"a", weight{0.5}}}), invalid_weight);
    CHECK_THROWS_AS(table<envoy_maglev>({{"a", weight{0.5}}}), invalid_weight);
    CHECK_THROWS_AS(ring<envoy>({"a"}, sized<envoy>(9, 8)), invalid_option);
    CHECK_THROWS_AS(ring<grpc>({"a"}, sized<grpc>(9, 8)), invalid_option);
    for (const char* bad : {"0", "8388609", "x", "-1", ""}) {
        CHECK_THROWS_AS(envoy().set("min-ring-size", bad), invalid_option);
        CHECK_THROWS_AS(grpc().set("ring-size-cap", bad), invalid_option);
    }
    for (const char* bad : {"0", "1", "4", "65536", "5000077", "x"}) {
        CHECK_THROWS_AS(envoy_maglev().set("table-size", bad), invalid_option);
    }
    for (const char* bad : {"a", "a=", "=1", "a=x", "a=1,a=2", "a=1,,b=2", ",", "a=-1"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(envoy_localities::parse(bad), invalid_option);
    }
    CHECK(envoy_localities::parse("x=y=2,b=0").text() == "x=y=2,b=0");
    envoy scheme;
    CHECK_THROWS_AS(scheme.set("hash", "md5"), invalid_option);
    scheme.set("locality-weights", "a=1");
    CHECK_THROWS_AS(ring<envoy>({{"n", weight{1}, "b"}}, scheme), invalid_node);
    check_presets<envoy>();
    check_presets<envoy_maglev>();
    check_presets<envoy_maglev_1_26>();
    check_presets<grpc>();
    check_presets<grpc_core>();
}
