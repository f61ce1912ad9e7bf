// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/closed_loops.hpp"
#include "support/exact_rings.hpp"
#include "support/following_ring.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The closed loops over many seeds and at large sizes, and transfers on an exact ring.

using namespace hashring;
using namespace closed_loop;

namespace {

// What two plans of transfers on an exact ring come to, its nodes beginning with equal shares and
// having capacities of 1, 2 and 4.
struct transferred {
    double gap_before = 0.0;
    double gap_after = 0.0;
    double moved_to_least = 0.0;
    bool is_second_empty = false;
};

std::vector<node_stats> stats_of(const exact_ring<>& ring) {
    constexpr std::uint64_t terabyte = 1'000'000'000'000;
    std::uint64_t capacity = 0;
    std::vector<node_stats> stats;
    const std::vector<double> shares = ring.shares();
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        node_stats node;
        node.name = std::string(ring.node(i).name());
        node.total = (std::uint64_t{1} << (i % 3)) * terabyte;
        capacity += node.total;
        stats.push_back(std::move(node));
    }
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        stats[i].used = static_cast<std::uint64_t>(shares[i] * 0.4 * static_cast<double>(capacity));
    }
    return stats;
}

transferred transfer_twice(std::size_t nodes, std::uint64_t seed) {
    exact_ring<> ring(node_names(nodes, seed));
    transferred result;
    std::vector<node_stats> stats = stats_of(ring);
    result.gap_before = measure(stats).load_gap;
    double least = 0.0;
    for (const node_stats& n : stats) {
        const double due = 0.4 * static_cast<double>(n.total);
        least += std::max(0.0, static_cast<double>(n.used) - due);
    }
    double held = 0.0;
    for (const node_stats& n : stats) {
        held += static_cast<double>(n.used);
    }
    const transfer_plan plan = plan_transfers(stats, limit("2%"));
    const auto moved =
        ring.apply(plan, [&](std::string_view name) { return stats[ring.index_of(name)].used; });
    result.moved_to_least = moved.moved_fraction() * held / least;
    stats = stats_of(ring);
    result.gap_after = measure(stats).load_gap;
    result.is_second_empty = plan_transfers(stats, limit("2%"), plan.state).empty();
    return result;
}

void check_transfers(std::size_t nodes, std::uint64_t seeds) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const transferred t = transfer_twice(nodes, seed);
        CAPTURE(nodes, seed);
        CHECK(t.gap_before > 1.0);
        CHECK(t.gap_after < 0.001);
        CHECK(t.moved_to_least >= 0.95);
        CHECK(t.moved_to_least <= 1.05);
        CHECK(t.is_second_empty);
    }
}

} // namespace

TEST_CASE("closed loop: transfers make an exact ring even at once, and move the least",
          "[closed_loop]") {
    check_transfers(10, 10);
    check_transfers(100, 1);
}

TEST_CASE("closed loop: the same over many seeds and at 1,000 nodes", "[closed_loop][.long]") {
    check_transfers(10, 100);
    check_transfers(100, 10);
    check_transfers(1000, 1);
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

TEST_CASE("closed loop: 500 virtual nodes and a threshold of 2.5 % over 100 seeds",
          "[closed_loop][.long]") {
    runs all;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        all.take(mixed(10, 500, seed), limit("2.5%"), 10'000);
    }
    CHECK(all.at_rest == 100);
    CHECK(all.last_plan <= 100);
    CHECK(*std::max_element(all.below_5_percent.begin(), all.below_5_percent.end()) <= 12);
    CHECK(all.moved_to_least <= 2.2);
}

TEST_CASE("closed loop: late loads over 100 seeds", "[closed_loop][.long]") {
    for (const std::uint32_t late : {1U, 2U}) {
        CAPTURE(late);
        runs all;
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            all.take(mixed(10, 160, seed), limit("8%", late + 1), 10'000, late);
        }
        CHECK(all.at_rest == 100);
        CHECK(all.last_plan <= 100);
        CHECK(all.final_gap < 0.16);
    }
}

TEST_CASE("closed loop: counting noise over 50 seeds", "[closed_loop][.long]") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        CAPTURE(seed);
        std::size_t warned = 0;
        CHECK(moved_by_noise(smoothed_requests(), seed, warned) <= 0.0005);
        CHECK(warned == 0);
    }
}

TEST_CASE("closed loop: the literal rule's ping-pong and its crawl over 30 seeds",
          "[closed_loop][.long]") {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        CAPTURE(seed);
        following_ring few = equal(10, 10, seed);
        const course c = literal(few, limit("5%"), 400);
        CHECK_FALSE(c.at_rest);
        CHECK(moved_lately(c) > 0.01);
        following_ring many = mixed(10, 500, seed);
        const course slow = literal(many, limit("5%"), 400);
        CHECK(slow.last_plan == 400);
        CHECK(slow.final_gap() > 0.4);
    }
}
