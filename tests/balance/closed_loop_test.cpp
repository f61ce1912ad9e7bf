// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/closed_loops.hpp"
#include "support/dice.hpp"
#include "support/following_ring.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// Rebalancers in a closed loop with a ring whose data follow it at once.

using namespace hashring;
using namespace closed_loop;

TEST_CASE("closed loop: the damped rule comes to rest and stays there", "[closed_loop]") {
    runs all;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        all.take(mixed(10, 160, seed), limit("9%"), 100);
    }
    CHECK(all.at_rest == 100); // no plan from then on
    CHECK(all.warned == 0);    // the threshold was worth five virtual nodes to the end
    CHECK(all.final_gap < 0.18);
}

TEST_CASE("closed loop: unequal nodes with equal counts, 160 and a threshold of 5 %",
          "[closed_loop][heavy]") {
    runs all;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        all.take(mixed(10, 160, seed), limit("5%"), 100);
    }
    CHECK(median(all.below_8_percent) <= 12);
    CHECK(all.final_gap <= 0.10);
    CHECK(all.at_rest == 100);
    CHECK(all.last_plan <= 30);
}

TEST_CASE("closed loop: unequal nodes with equal counts, 500 and a threshold of 2.5 %",
          "[closed_loop][heavy]") {
    runs all;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        all.take(mixed(10, 500, seed), limit("2.5%"), 100);
    }
    CHECK(*std::max_element(all.below_5_percent.begin(), all.below_5_percent.end()) <= 12);
    CHECK(all.moved_to_least <= 2.2);
    CHECK(all.at_rest == 30);
}

TEST_CASE("closed loop: with late loads and a cooldown it still comes to rest", "[closed_loop]") {
    const std::uint32_t late = GENERATE(1U, 2U);
    CAPTURE(late);
    runs all;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        all.take(mixed(10, 160, seed), limit("8%", late + 1), 200, late);
    }
    CHECK(all.at_rest == 40);
    CHECK(all.last_plan <= 60);
    CHECK(all.final_gap < 0.16);
    CHECK(all.moved_to_least <= 2.2);
}

TEST_CASE("closed loop: smoothing, late loads and a cooldown together", "[closed_loop]") {
    thresholds settings = limit("8%", 3);
    settings.smoothing = fraction64(0.3);
    runs all;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        all.take(mixed(10, 160, seed), settings, 300, 2);
    }
    CHECK(all.at_rest == 20);
    CHECK(all.last_plan <= 100);
    CHECK(all.final_gap < 0.16);
}

TEST_CASE("closed loop: counting noise moves next to nothing if it is smoothed", "[closed_loop]") {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        CAPTURE(seed);
        std::size_t warned = 0;
        CHECK(moved_by_noise(smoothed_requests(), seed, warned) <= 0.0005);
        CHECK(warned == 0);
    }
}

TEST_CASE("closed loop: unsmoothed noise moves data for ever, and is warned of", "[closed_loop]") {
    thresholds settings = limit("5%");
    settings.load = load_kind::requests;
    std::size_t warned = 0;
    CHECK(moved_by_noise(settings, 0, warned) > 0.001);
    CHECK(warned == 600);
}

// Noise moves counts up and down: they must not creep up to their ceilings.
TEST_CASE("closed loop: noise does not make the counts grow", "[closed_loop][heavy]") {
    thresholds settings = limit("5%");
    settings.load = load_kind::requests;
    following_ring ring = equal(6, 160, 1);
    dice d(1);
    rebalance_state state;
    for (int period = 0; period < 2000; ++period) {
        std::vector<node_stats> stats = ring.stats();
        count_requests(stats, ring.shares(), 600, d);
        const weights_plan plan = rebalance(stats, settings, state);
        state = plan.state;
        ring.apply(plan.changes);
    }
    CHECK(ring.points() < 3 * 6 * 160);
    CHECK(ring.points() > 6 * 160 / 2);
}

TEST_CASE("closed loop: the literal rule plays ping-pong where virtual nodes are few",
          "[closed_loop]") {
    following_ring ring = equal(10, 10, 3);
    following_ring same = ring;
    const course c = literal(ring, limit("5%"), 400);
    CHECK(c.last_plan == 400);
    CHECK(moved_lately(c) > 0.01);
    CHECK(damped(same, limit("5%"), 400).at_rest);
}

TEST_CASE("closed loop: the literal rule crawls where virtual nodes are many", "[closed_loop]") {
    following_ring ring = mixed(10, 500, 3);
    following_ring same = ring;
    const course c = literal(ring, limit("5%"), 200);
    CHECK(c.last_plan == 200);
    CHECK(c.final_gap() > 0.8);
    CHECK(damped(same, limit("5%"), 200).settled_below(0.11) <= 12);
}

TEST_CASE("closed loop: the literal rule settles where a virtual node fits its threshold",
          "[closed_loop]") {
    following_ring ring = equal(10, 100, 3);
    const course c = literal(ring, limit("5%"), 400);
    CHECK(c.at_rest);
    CHECK(c.final_gap() < 0.105);
}

TEST_CASE("closed loop: a saved state continues as if nothing had happened", "[closed_loop]") {
    thresholds settings = limit("5%", 1);
    settings.smoothing = fraction64(0.5);
    following_ring ring = mixed(10, 160, 5);
    rebalance_state state;
    for (int period = 0; period < 30; ++period) {
        const weights_plan plan = rebalance(ring.stats(), settings, state);
        rebalance_state saved; // field by field, as a file would have it
        saved.vnodes = plan.state.vnodes;
        for (const node_memory& m : plan.state.nodes) {
            saved.nodes.push_back({m.name, relative_load{m.load.bits},
                                   fraction64::from_bits(m.gain.bits()), m.last, m.cooldown,
                                   m.active});
        }
        CHECK(saved == plan.state);
        ring.apply(plan.changes);
        CHECK(rebalance(ring.stats(), settings, saved) ==
              rebalance(ring.stats(), settings, plan.state));
        state = saved;
    }
}
