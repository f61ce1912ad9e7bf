// SPDX-License-Identifier: MIT
#include "simulate/hdfs_placement.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

using namespace simulate;

namespace {

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

/// A node of capacity 9 and one of capacity 1, then blocks: how many of them the larger one got,
/// from when its load is 5 points below the other's.
double part_of_emptier(hdfs_policy policy, std::uint64_t seed) {
    const cluster nodes{{"a", "b"}, {9, 1}};
    constexpr std::uint64_t blocks = 20'000;
    name_node master(nodes, policy, blocks, 1, seed);
    std::uint64_t to_emptier = 0;
    std::uint64_t counted = 0;
    for (std::uint64_t i = 0; i < blocks; ++i) {
        const std::vector<std::uint64_t>& held = master.replicas();
        // 10 % of 50,000 replicas fit on b, 90 % on a
        const double used_a = static_cast<double>(held[0]) / 45'000.0;
        const double used_b = static_cast<double>(held[1]) / 5'000.0;
        const std::size_t chosen = master.place_block().front();
        if (used_b - used_a >= 0.05 && held[1] < 5'000 - 1) {
            ++counted;
            to_emptier += chosen == 0 ? 1U : 0U;
        }
    }
    return static_cast<double>(to_emptier) / static_cast<double>(counted);
}

} // namespace

TEST_CASE("hdfs: the replicas of a small cluster", "[simulate][hdfs][golden]") {
    const cluster nodes = draw_cluster(4, capacity_rule::equal, 1);
    CHECK(place_blocks(nodes, hdfs_policy::random, 100, 3, 1) ==
          std::vector<std::uint64_t>{72, 80, 70, 78});
    CHECK(place_blocks(nodes, hdfs_policy::available_space, 100, 1, 1) ==
          std::vector<std::uint64_t>{23, 27, 24, 26});
}

TEST_CASE("hdfs: the replicas of a block are on different nodes", "[simulate][hdfs][law]") {
    for (const hdfs_policy policy : {hdfs_policy::random, hdfs_policy::available_space}) {
        const cluster nodes = draw_cluster(7, capacity_rule::mixed, 3);
        name_node master(nodes, policy, 2000, 3, 3);
        std::size_t mismatches = 0;
        for (int block = 0; block < 2000; ++block) {
            const std::vector<std::size_t> chosen = master.place_block();
            mismatches += std::set<std::size_t>(chosen.begin(), chosen.end()).size() == 3 ? 0U : 1U;
        }
        CHECK(mismatches == 0);
        CHECK(sum(master.replicas()) == 6000);
    }
}

TEST_CASE("hdfs: the emptier of two nodes is taken in 60 of 100 cases", "[simulate][hdfs][law]") {
    // Two draws name both nodes in half of the cases: 1/4 + 1/2 · 0.6 = 0.55.
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        CAPTURE(seed);
        const double emptier = part_of_emptier(hdfs_policy::available_space, seed);
        CHECK(emptier > 0.53);
        CHECK(emptier < 0.57);
        const double random = part_of_emptier(hdfs_policy::random, seed);
        CHECK(random > 0.48);
        CHECK(random < 0.52);
    }
}

TEST_CASE("hdfs: a full node gets nothing more", "[simulate][hdfs][edges]") {
    const cluster nodes{{"a", "b", "c"}, {100, 100, 1}};
    const std::vector<std::uint64_t> held = place_blocks(nodes, hdfs_policy::random, 1020, 1, 5);
    CHECK(held[2] == 12); // 2550 replicas fit, one of 201 parts of them on c: 12.7
    CHECK(sum(held) == 1020);
}

TEST_CASE("hdfs: no more replicas than nodes", "[simulate][hdfs][edges]") {
    const cluster nodes = draw_cluster(2, capacity_rule::equal, 1);
    CHECK(place_blocks(nodes, hdfs_policy::random, 50, 3, 1) == std::vector<std::uint64_t>{50, 50});
}
