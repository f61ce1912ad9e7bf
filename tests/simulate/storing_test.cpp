// SPDX-License-Identifier: MIT
#include "simulate/round_robin_storing.hpp"
#include "simulate/storing.hpp"
#include "support/catch.hpp"

#include <hashring/balance/round_robin.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace simulate;

namespace {

using amounts = std::vector<std::uint64_t>;

constexpr strategy all_strategies[] = {
    strategy::hdfs_default_3, strategy::hdfs_default_1, strategy::hdfs_available_space,
    strategy::plain_vnodes,   strategy::formula_1,      strategy::capability_vnodes,
    strategy::as_printed,     strategy::round_robin,    strategy::corrected,
    strategy::damped,         strategy::transfers};

std::uint64_t sum(const amounts& values) {
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

} // namespace

TEST_CASE("storing: what a small cluster holds", "[simulate][storing][golden]") {
    const settings asked;
    const hashed_numbers numbers = hash_numbers(1, 1000);
    const trial t{draw_cluster(3, capacity_rule::mixed, 1), numbers, 1, asked};
    CHECK(t.nodes.names ==
          std::vector<std::string>{"10.164.41.176", "10.24.64.172", "10.246.99.47"});
    CHECK(store(strategy::plain_vnodes, t) == amounts{348, 322, 330});
    CHECK(store(strategy::formula_1, t) == amounts{358, 100, 542});
    CHECK(store(strategy::capability_vnodes, t) == amounts{158, 299, 543});
    CHECK(store(strategy::as_printed, t) == amounts{183, 268, 549});
    CHECK(store(strategy::round_robin, t) == amounts{152, 301, 547});
    CHECK(store(strategy::corrected, t) == amounts{153, 305, 542});
    CHECK(store(strategy::damped, t) == amounts{145, 299, 556});
    CHECK(store(strategy::transfers, t) == amounts{149, 301, 550});
}

TEST_CASE("storing: everything is stored once, or three times", "[simulate][storing][law]") {
    const settings asked;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const hashed_numbers numbers = hash_numbers(seed, 2000);
        const trial t{draw_cluster(6, capacity_rule::mixed, seed), numbers, seed, asked};
        for (const strategy s : all_strategies) {
            CAPTURE(seed, name_of(s).name);
            const bool is_hdfs = name_of(s).name.starts_with("hdfs");
            const std::uint64_t copies = s == strategy::hdfs_default_1 ? 1 : 3;
            CHECK(sum(store(s, t)) == (is_hdfs ? hdfs_blocks * copies : 2000));
            CHECK(store(s, t) == store(s, t));
        }
    }
}

TEST_CASE("storing: a round robin never lets a full node overtake", "[simulate][storing][law]") {
    // What is written between two refreshes is the most by which anyone can be ahead.
    const settings asked;
    const hashed_numbers numbers = hash_numbers(4, 20'000);
    for (const std::size_t count : {3U, 7U, 10U}) {
        CAPTURE(count);
        const trial t{draw_cluster(count, capacity_rule::mixed, 4), numbers, 4, asked};
        const amounts held = store(strategy::round_robin, t);
        const std::uint64_t batch = 20'000 * most_refresh_thousandths / (10 * fill_percent);
        const double level = 20'000.0 / static_cast<double>(t.nodes.capacity());
        double ahead = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            ahead = std::max(ahead, static_cast<double>(held[i]) -
                                        level * static_cast<double>(t.nodes.capacities[i]));
        }
        CHECK(ahead <= static_cast<double>(batch));
    }
}

TEST_CASE("round robin: factors are collected again after 2 to 3 % of the capacity",
          "[simulate][storing][law]") {
    static std::vector<std::uint64_t> seen; // how many records were stored then
    seen.clear();
    const settings asked;
    const hashed_numbers numbers = hash_numbers(1, 4000); // 40 %, so 200 to 300 of them
    const trial t{draw_cluster(2, capacity_rule::equal, 1), numbers, 1, asked};
    refreshed_order order(t, [](std::span<const hashring::node_stats> nodes) {
        seen.push_back(nodes[0].used / (2 * fill_percent)); // capacity 2: see `stats_of`
        return hashring::round_robin_weights(nodes).nodes;
    });
    amounts held{0, 0};
    for (int record = 0; record < 4000; ++record) {
        order.step(held);
        ++held[0];
    }
    REQUIRE(seen.size() > 13);
    CHECK(seen[0] == 0);
    std::set<std::uint64_t> between;
    for (std::size_t i = 1; i < seen.size(); ++i) {
        between.insert(seen[i] - seen[i - 1]);
    }
    CHECK(*between.begin() >= 200);
    CHECK(*between.rbegin() <= 300);
    CHECK(between.size() > 4);
    CHECK_FALSE(order.takes(0)); // it holds everything
    CHECK(order.takes(1));
    CHECK(order.next(0) == 1);
}

TEST_CASE("round robin: the printed factor feeds who has more room than the mean",
          "[simulate][storing]") {
    std::vector<hashring::node_stats> nodes(3);
    const std::uint64_t used[] = {10, 41, 70}; // the mean of 2 - used / total is 1.597
    for (std::size_t i = 0; i < 3; ++i) {
        nodes[i].name = std::string(1, static_cast<char>('a' + i));
        nodes[i].total = 100;
        nodes[i].used = used[i];
    }
    const auto weights = printed_weights(nodes);
    CHECK(weights[0].name == "a");
    CHECK(weights[0].weight == 1'992'294); // 1.9 times 2^20
    CHECK(weights[1].weight == 0);
    CHECK(weights[2].weight == 0);
    for (hashring::node_stats& node : nodes) {
        node.used = 50;
    }
    for (const hashring::store_weight& w : printed_weights(nodes)) {
        CHECK(w.weight == 0); // nobody is above the mean
    }
}

TEST_CASE("storing: names of strategies differ", "[simulate][storing]") {
    std::vector<std::string_view> names;
    for (const strategy s : all_strategies) {
        names.push_back(name_of(s).name);
        CHECK_FALSE(name_of(s).label.empty());
    }
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}
