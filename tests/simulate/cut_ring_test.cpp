// SPDX-License-Identifier: MIT
#include "simulate/cut_ring.hpp"
#include "simulate/following_ring.hpp"
#include "simulate/storing.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

using namespace simulate;

namespace {

hashring::ring<> ring_of(const cluster& nodes, std::uint32_t vnodes) {
    return following_ring<hashring::schemes::xxh3>(nodes,
                                                   std::vector<std::uint32_t>(nodes.size(), vnodes))
        .ring();
}

} // namespace

TEST_CASE("cut ring: it begins as the ring that it is made of", "[simulate][cut_ring][law]") {
    const cluster nodes = draw_cluster(10, capacity_rule::mixed, 1);
    const hashring::ring<> start = ring_of(nodes, 50);
    const cut_ring cut(start, nodes);
    dice d(1);
    std::size_t mismatches = 0;
    const auto check = [&](std::uint64_t position) {
        mismatches += cut.owner_at(position) == start.owner_index_at(position) ? 0U : 1U;
    };
    for (int i = 0; i < 5000; ++i) {
        check(d.next());
    }
    for (const auto& point : start.points()) {
        check(point.position);
        check(point.position + 1);
    }
    check(0);
    check(~std::uint64_t{0});
    CHECK(mismatches == 0);
}

TEST_CASE("cut ring: a transfer moves what it says, from whom to whom it says",
          "[simulate][cut_ring][law]") {
    const cluster nodes = draw_cluster(5, capacity_rule::equal, 2);
    cut_ring cut(ring_of(nodes, 20), nodes);
    dice d(2);
    double furthest = 0.0;
    for (int i = 0; i < 200; ++i) {
        const std::size_t from = d.below(5);
        const std::size_t to = (from + 1 + d.below(4)) % 5;
        const std::vector<double> before = cut.shares();
        const std::uint64_t amount = cut.stats()[from].used / (2 + d.below(9));
        const double whole = 5.0 * 5.0 * 0x1p48; // the stats of everything
        const double part = static_cast<double>(amount) / whole;
        const hashring::load_transfer t{nodes.names[from], nodes.names[to], amount};
        const double moved = cut.apply({&t, 1});
        const std::vector<double> after = cut.shares();
        for (std::size_t n = 0; n < 5; ++n) {
            const double change = n == from ? -part : n == to ? part : 0.0;
            furthest = std::max(furthest, std::fabs(after[n] - before[n] - change));
        }
        furthest = std::max(furthest, std::fabs(moved - part));
    }
    CHECK(furthest < 1e-12);
    const std::vector<std::uint64_t> widths = cut.widths();
    CHECK(std::accumulate(widths.begin(), widths.end(), std::uint64_t{0}) == ~std::uint64_t{0});
    CHECK(cut.arcs().size() > 5);
}

TEST_CASE("cut ring: one plan of transfers makes unequal nodes even", "[simulate][cut_ring][law]") {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        CAPTURE(seed);
        const cluster nodes = draw_cluster(10, capacity_rule::mixed, seed);
        cut_ring cut(ring_of(nodes, 160), nodes);
        CHECK(cut.load_gap() > 0.9);
        const double moved = cut.apply(hashring::plan_transfers(cut.stats(), {}).transfers);
        CHECK(cut.load_gap() < 1e-9);
        CHECK(moved > 0.2);
        CHECK(moved < 0.5);
        CHECK(hashring::plan_transfers(cut.stats(), {}).empty());
    }
}
