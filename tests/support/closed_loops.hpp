// SPDX-License-Identifier: MIT
#pragma once

#include "support/dice.hpp"
#include "support/following_ring.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

// Clusters for closed loops, and what many runs of them come to.
namespace closed_loop {

using namespace hashring;

inline std::vector<std::uint64_t> equal_capacities(std::size_t count) {
    return std::vector<std::uint64_t>(count, 1);
}

// 1 : 2 : 4, over and over.
inline std::vector<std::uint64_t> mixed_capacities(std::size_t count) {
    std::vector<std::uint64_t> result;
    for (std::size_t i = 0; i < count; ++i) {
        result.push_back(std::uint64_t{1} << (i % 3));
    }
    return result;
}

// `count` nodes with `vnodes` virtual nodes each, whatever their capacity.
inline following_ring mixed(std::size_t count, std::uint32_t vnodes, std::uint64_t seed) {
    return {node_names(count, seed), mixed_capacities(count), vnodes};
}
inline following_ring equal(std::size_t count, std::uint32_t vnodes, std::uint64_t seed) {
    return {node_names(count, seed), equal_capacities(count), vnodes};
}

inline thresholds limit(std::string_view text, std::uint32_t cooldown = 0) {
    thresholds result;
    result.limit = threshold::parse(text);
    result.cooldown = cooldown;
    return result;
}

// Loads are the requests of a period, smoothed, with time to settle after each change.
inline thresholds smoothed_requests() {
    thresholds result = limit("5%", 3);
    result.load = load_kind::requests;
    result.smoothing = fraction64(0.3);
    return result;
}

// The part of all data that moved in each of the last hundred periods, on average.
inline double moved_lately(const course& c) {
    return std::accumulate(c.moved.end() - 100, c.moved.end(), 0.0) / 100;
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
inline void count_requests(std::vector<node_stats>& stats, const std::vector<double>& shares,
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
inline double moved_by_noise(const thresholds& settings, std::uint64_t seed, std::size_t& warned) {
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

} // namespace closed_loop
