// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/following_ring.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

// Rebalancers in a closed loop with a ring whose data follow it at once.

using namespace hashring;
using namespace closed_loop;

namespace {

std::vector<std::uint64_t> equal_capacities(std::size_t count) {
    return std::vector<std::uint64_t>(count, 1);
}

// 1 : 2 : 4, over and over.
std::vector<std::uint64_t> mixed_capacities(std::size_t count) {
    std::vector<std::uint64_t> result;
    for (std::size_t i = 0; i < count; ++i) {
        result.push_back(std::uint64_t{1} << (i % 3));
    }
    return result;
}

// `count` nodes with `vnodes` virtual nodes each, whatever their capacity.
following_ring mixed(std::size_t count, std::uint32_t vnodes, std::uint64_t seed) {
    return {node_names(count, seed), mixed_capacities(count), vnodes};
}
following_ring equal(std::size_t count, std::uint32_t vnodes, std::uint64_t seed) {
    return {node_names(count, seed), equal_capacities(count), vnodes};
}

thresholds limit(std::string_view text, std::uint32_t cooldown = 0) {
    thresholds result;
    result.limit = threshold::parse(text);
    result.cooldown = cooldown;
    return result;
}

template <class T>
T median(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// What runs from many seeds came to.
struct runs {
    std::size_t at_rest = 0;
    std::size_t last_plan = 0;   // of all
    double final_gap = 0.0;      // the greatest
    double moved_to_least = 0.0; // the greatest
    std::size_t warned = 0;      // at the end
    std::vector<std::size_t> below_8_percent{};
    std::vector<std::size_t> below_5_percent{};

    void take(following_ring ring, const thresholds& settings, std::size_t periods,
              std::size_t late = 0) {
        const double least = ring.least_to_move();
        const course c = damped(ring, settings, periods, late);
        at_rest += c.at_rest ? 1U : 0U;
        last_plan = std::max(last_plan, c.last_plan);
        final_gap = std::max(final_gap, c.final_gap());
        moved_to_least = std::max(moved_to_least, c.moved_in_all() / least);
        warned += rebalance(ring.stats(), settings).warnings.empty() ? 0U : 1U;
        below_8_percent.push_back(c.settled_below(0.08));
        below_5_percent.push_back(c.settled_below(0.05));
    }
};

// Requests of one period, each to the owner of a random place.
void count_requests(std::vector<node_stats>& stats, const std::vector<double>& shares,
                    std::size_t requests, dice& d) {
    std::vector<double> ends;
    double end = 0.0;
    for (const double share : shares) {
        ends.push_back(end += share * 0x1p64);
    }
    std::vector<std::uint64_t> counts(shares.size(), 0);
    for (std::size_t i = 0; i < requests; ++i) {
        const auto place = static_cast<double>(d.next());
        const auto found = std::lower_bound(ends.begin(), ends.end() - 1, place);
        ++counts[static_cast<std::size_t>(found - ends.begin())];
    }
    for (std::size_t i = 0; i < stats.size(); ++i) {
        stats[i].requests = counts[i];
    }
}

// The part of all data that a rule which follows the requests of each period moves per period, once
// it has had a hundred to settle; counts the rounds with a warning.
double moved_by_noise(const thresholds& settings, std::uint64_t seed, std::size_t& warned) {
    constexpr int settling = 100;
    constexpr int periods = 500;
    following_ring ring = equal(10, 160, seed);
    dice d(seed);
    rebalance_state state;
    double moved = 0.0;
    for (int period = 0; period < settling + periods; ++period) {
        std::vector<node_stats> stats = ring.stats();
        count_requests(stats, ring.shares(), 10'000, d);
        const weights_plan plan = rebalance(stats, settings, state);
        state = plan.state;
        warned += plan.warnings.empty() ? 0U : 1U;
        const double now = ring.apply(plan.changes);
        moved += period < settling ? 0.0 : now;
    }
    return moved / periods;
}

} // namespace

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
          "[closed_loop]") {
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
          "[closed_loop]") {
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
    thresholds settings = limit("5%", 3);
    settings.load = load_kind::requests;
    settings.smoothing = fraction64(0.3);
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        CAPTURE(seed);
        std::size_t warned = 0;
        CHECK(moved_by_noise(settings, seed, warned) <= 0.0005);
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
TEST_CASE("closed loop: noise does not make the counts grow", "[closed_loop]") {
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
    const double late_moves = std::accumulate(c.moved.end() - 100, c.moved.end(), 0.0) / 100;
    CHECK(late_moves > 0.01); // of all data, in every period
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

// All periods, one by one, where the tests above stop once nothing can change any more.
TEST_CASE("closed loop: ten thousand periods without a plan after the hundredth",
          "[closed_loop][.long]") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        CAPTURE(seed);
        following_ring ring = mixed(10, 160, seed);
        const std::size_t late = seed % 3;
        const thresholds settings =
            limit("9%", static_cast<std::uint32_t>(late == 0 ? 0 : late + 1));
        late_stats window(late);
        rebalance_state state;
        std::size_t last_plan = 0;
        for (std::size_t period = 1; period <= 10'000; ++period) {
            const weights_plan plan = rebalance(window.show(ring.stats()), settings, state);
            state = plan.state;
            ring.apply(plan.changes);
            last_plan = plan.empty() ? last_plan : period;
        }
        CHECK(last_plan <= 100);
    }
}

TEST_CASE("closed loop: a hundred and a thousand unequal nodes", "[closed_loop][.long]") {
    for (const std::size_t count : {100U, 1000U}) {
        CAPTURE(count);
        following_ring ring = mixed(count, 500, 1);
        const double least = ring.least_to_move();
        const course c = damped(ring, limit("2.5%"), 100);
        CHECK(c.at_rest);
        CHECK(c.final_gap() < 0.05);
        CHECK(c.moved_in_all() / least < 2.2);
    }
}
