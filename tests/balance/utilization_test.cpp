// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/drawn_stats.hpp"
#include "support/mismatches.hpp"

#include <hashring/balance/utilization.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

using namespace hashring;

namespace {

constexpr std::uint64_t most = 0xffffffffffffffffU;

using nodes = std::vector<node_stats>;

node_stats node(std::uint64_t total, std::uint64_t used, node_state state = {}) {
    node_stats result;
    result.name = "n";
    result.total = total;
    result.used = used;
    result.state = state;
    return result;
}

} // namespace

TEST_CASE("utilization: known values", "[utilization][golden]") {
    CHECK(utilization(400, 100) == fraction64(0.25));
    CHECK(utilization(400, 0) == fraction64());
    CHECK(utilization(400, 400) == fraction64::one());
    CHECK(free_space_factor(400, 100) == 1.25);
    CHECK(free_space_factor(400, 400) == 2.0);
    CHECK(free_space_factor(400, 0) == 1.0);
    CHECK(mean_utilization(nodes{node(100, 50), node(300, 300)}) == fraction64(0.75));
    CHECK(cluster_utilization(nodes{node(100, 50), node(300, 250)}) == fraction64(0.75));
    CHECK(node_stats::with_free("a", 100, 30, 5).used == 70);
    CHECK(node_stats::with_free("a", 100, 30, 5).vnodes == 5);
    CHECK(node(100, 70).free() == 30);
}

TEST_CASE("utilization: the loads of a report are measured", "[utilization][golden]") {
    const load_measures m =
        measure(nodes{node(100, 25), node(200, 100), node(400, 300), node(0, 9)});
    CHECK(m.load_gap == 1.0);
    CHECK(m.peak_to_mean == 1.5);
    CHECK(std::abs(m.coefficient_of_variation - std::sqrt(1.0 / 6.0)) < 1e-12);
}

TEST_CASE("utilization: the printed formula is two less it", "[utilization][law]") {
    constexpr std::uint64_t seed = 221;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 500; ++round) {
        const std::uint64_t total = 1 + d.below(1'000'000'000);
        const std::uint64_t used = d.below(total + 1);
        const double printed = free_space_factor(total, total - used);
        wrong.expect(std::abs(printed - (2.0 - utilization(total, used).value())) < 1e-15, total,
                     used);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("utilization: the cluster's lies between the least and the most", "[utilization][law]") {
    constexpr std::uint64_t seed = 222;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 300; ++round) {
        const nodes drawn = drawn_stats(d, 1 + d.below(12));
        fraction64 least = fraction64::one();
        fraction64 greatest;
        for (const node_stats& n : drawn) {
            least = std::min(least, utilization(n));
            greatest = std::max(greatest, utilization(n));
        }
        for (const fraction64 middle : {cluster_utilization(drawn), mean_utilization(drawn)}) {
            wrong.expect(least <= middle && middle <= greatest, round);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("utilization: numbers that cannot be have a meaning", "[utilization][edge]") {
    CHECK(utilization(0, 0) == fraction64::one());
    CHECK(utilization(100, 101) == fraction64::one());
    CHECK(free_space_factor(0, 0) == 1.0);
    CHECK(free_space_factor(100, 101) == 2.0);
    CHECK(node(100, 101).stored() == 100);
    CHECK(node(100, 101).free() == 0);
    CHECK(node_stats::with_free("a", 100, 101).used == 0);
    CHECK(cluster_utilization(nodes{node(100, 900), node(100, 0)}) == fraction64(0.5));
}

TEST_CASE("utilization: sums beyond 64 bits", "[utilization][edge]") {
    CHECK(cluster_utilization(nodes{node(most, most), node(most, 0), node(most, most),
                                    node(most, 0)}) == fraction64(0.5));
    CHECK(mean_utilization(nodes(5, node(most, most))) == fraction64::one());
    CHECK(cluster_utilization(nodes(5, node(most, most))) == fraction64::one());
    CHECK(utilization(most, most / 2 + 3).bits() == fraction64::one_bits / 2 + 1);
}

TEST_CASE("utilization: who does not take part is left out", "[utilization][edge]") {
    const nodes some{node(100, 50), node(100, 100, node_state::down),
                     node(100, 90, node_state::leaving), node(0, 70)};
    CHECK(mean_utilization(some) == fraction64(0.5));
    CHECK(cluster_utilization(some) == fraction64(0.5));
    CHECK(measure(some).load_gap == 0.0);
    CHECK(mean_utilization(nodes{}) == fraction64());
    CHECK(cluster_utilization(nodes{node(0, 0)}) == fraction64());
}
