// SPDX-License-Identifier: MIT
#include "simulate/storing.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

using namespace simulate;

namespace {

using amounts = std::vector<std::uint64_t>;

constexpr strategy all_strategies[] = {
    strategy::hdfs_default_3, strategy::hdfs_default_1, strategy::hdfs_available_space,
    strategy::plain_vnodes,   strategy::formula_1,      strategy::capability_vnodes,
    strategy::as_printed,     strategy::round_robin,    strategy::damped,
    strategy::transfers};

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
    CHECK(store(strategy::as_printed, t) == amounts{144, 284, 572});
    CHECK(store(strategy::round_robin, t) == amounts{136, 271, 593});
    CHECK(store(strategy::damped, t) == amounts{145, 299, 556});
    CHECK(store(strategy::transfers, t) == amounts{143, 301, 556});
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
        const std::uint64_t batch = 20'000 * refresh_thousandths / (10 * fill_percent);
        const double level = 20'000.0 / static_cast<double>(t.nodes.capacity());
        double ahead = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            ahead = std::max(ahead, static_cast<double>(held[i]) -
                                        level * static_cast<double>(t.nodes.capacities[i]));
        }
        CHECK(ahead <= static_cast<double>(batch));
    }
}

TEST_CASE("storing: counts by capacity have the mean that was asked for", "[simulate][storing]") {
    const cluster nodes{{"a", "b", "c"}, {1, 2, 4}};
    CHECK(vnodes_by_capacity(nodes, 160) == std::vector<std::uint32_t>{69, 137, 274});
    CHECK(vnodes_by_capacity(nodes, 1) == std::vector<std::uint32_t>{1, 1, 2});
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
