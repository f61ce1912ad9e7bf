// SPDX-License-Identifier: MIT
#include "simulate/balanced_rings.hpp"
#include "simulate/following_ring.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace simulate;
using hashring::schemes::xxh3;

namespace {

/// The greatest difference between two rows of numbers.
double furthest(const std::vector<double>& a, const std::vector<double>& b) {
    double result = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        result = std::max(result, std::fabs(a[i] - b[i]));
    }
    return result;
}

} // namespace

TEST_CASE("balanced rings: counts by capacity have the mean that was asked for",
          "[simulate][rings]") {
    const cluster nodes{{"a", "b", "c"}, {1, 2, 4}};
    CHECK(vnodes_by_capacity(nodes, 160) == std::vector<std::uint32_t>{69, 137, 274});
    CHECK(vnodes_by_capacity(nodes, 1) == std::vector<std::uint32_t>{1, 1, 2});
}

TEST_CASE("balanced rings: ours are as even as they say", "[simulate][rings][law]") {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        CAPTURE(seed);
        const cluster nodes = draw_cluster(10, capacity_rule::mixed, seed);
        CHECK(gap_of(ring_with<xxh3>(nodes, vnodes_by_capacity(nodes, 160)).shares(), nodes) > 0.1);
        CHECK(gap_of(corrected_ring(nodes, 160).shares(), nodes) < 0.005);
        CHECK(gap_of(settled_ring(nodes, 160).shares(), nodes) < 0.1);
        CHECK(gap_of(dealt_ring(nodes, 160).shares(), nodes) < 1e-9);
    }
}

TEST_CASE("following ring: its loads are its shares, its counts those of its nodes",
          "[simulate][rings]") {
    const cluster nodes{{"a", "b", "c"}, {1, 2, 4}};
    const std::vector<std::uint32_t> counts = {7, 5, 9};
    const following_ring placed(nodes, ring_with<xxh3>(nodes, counts));
    const auto stats = placed.stats();
    std::vector<double> parts;
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(stats[i].name == nodes.names[i]);
        CHECK(stats[i].vnodes == counts[i]);
        CHECK(stats[i].total == nodes.capacities[i] * stats[0].total);
        // 5 % of the capacity of 7 are filled
        parts.push_back(static_cast<double>(stats[i].used) /
                        (static_cast<double>(stats[0].total) * 0.35));
    }
    CHECK(furthest(parts, placed.ring().shares()) < 1e-11);
}

TEST_CASE("following ring: it does what a plan says, and the data follow",
          "[simulate][rings][law]") {
    const cluster nodes = draw_cluster(5, capacity_rule::equal, 2);
    following_ring counted(nodes, ring_with<xxh3>(nodes, std::vector<std::uint32_t>(5, 20)));
    const hashring::ring<> before = counted.ring();
    hashring::weights_plan plan;
    CHECK(counted.apply(plan) == 0.0);
    plan.changes.resize(1);
    plan.changes[0].name = nodes.names[3];
    plan.changes[0].vnodes = 33;
    const double moved = counted.apply(plan);
    CHECK(moved > 0.02);
    CHECK(moved == before.changes_to(counted.ring()).moved_fraction());
    CHECK(counted.ring().node(3).vnodes() == 33);
    CHECK(counted.shares() == counted.ring().shares());
}

TEST_CASE("following ring: a transfer moves what it says, from whom to whom it says",
          "[simulate][rings][law]") {
    const cluster nodes = draw_cluster(5, capacity_rule::mixed, 2);
    const auto start = ring_with<xxh3>(nodes, std::vector<std::uint32_t>(5, 20));
    following_ring exact(nodes, hashring::exact_ring<>(start));
    CHECK(exact.shares() == start.shares());
    const std::vector<double> before = exact.shares();
    hashring::transfer_plan plan;
    plan.transfers.resize(1);
    plan.transfers[0].from = nodes.names[1];
    plan.transfers[0].to = nodes.names[4];
    plan.transfers[0].amount = exact.stats()[1].used / 3;
    CHECK(std::fabs(exact.apply(plan) - before[1] / 3) < 1e-9);
    std::vector<double> after = before;
    after[1] -= before[1] / 3;
    after[4] += before[1] / 3;
    CHECK(furthest(exact.shares(), after) < 1e-9);
}
