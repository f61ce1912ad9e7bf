// SPDX-License-Identifier: MIT
#include "simulate/experiments.hpp"
#include "simulate/failing_node.hpp"
#include "support/catch.hpp"
#include "support/spreads.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace simulate;
using support::off;
using support::percent_at;

namespace {

experiment run(std::uint32_t seeds, std::uint64_t seed = 1) {
    settings asked;
    asked.seed = seed;
    asked.seeds = seeds;
    return cascade(asked, [] {});
}

/// Four nodes; in the order of the circle 0 1 2 0 3 1, each arc twice as long as the one before.
load_function four_nodes() {
    return clockwise({{1.0, 0}, {2.0, 1}, {4.0, 2}, {8.0, 0}, {16.0, 3}, {32.0, 1}}, 4);
}

} // namespace

TEST_CASE("failing node: clients go on clockwise to the first that is up", "[simulate][cascade]") {
    const load_function loads = four_nodes();
    using up = std::vector<bool>;
    using expected = std::vector<double>;
    CHECK(loads(up{true, true, true, true}) == expected{9.0, 34.0, 4.0, 16.0});
    CHECK(loads(up{false, true, true, true}) == expected{0.0, 35.0, 4.0, 24.0});
    CHECK(loads(up{true, false, true, true}) == expected{41.0, 0.0, 6.0, 16.0});
    CHECK(loads(up{false, false, true, true}) == expected{0.0, 0.0, 39.0, 24.0});
    CHECK(loads(up{false, false, true, false}) == expected{0.0, 0.0, 63.0, 0.0});
    CHECK(loads(up{false, false, false, false}) == expected{0.0, 0.0, 0.0, 0.0});
}

TEST_CASE("failing node: readers spread over the replicas that are up", "[simulate][cascade]") {
    const load_function loads = by_replicas({{0, 1}, {1, 2}}, 3);
    using up = std::vector<bool>;
    using expected = std::vector<double>;
    CHECK(loads(up{true, true, true}) == expected{0.25, 0.5, 0.25});
    CHECK(loads(up{true, false, true}) == expected{0.5, 0.0, 0.5});
    CHECK(loads(up{true, false, false}) == expected{0.5, 0.0, 0.0}); // a block is lost
}

TEST_CASE("failing node: who is hit, by how many it is shared, who dies of it",
          "[simulate][cascade]") {
    // Node 0 dies: 1 of 9 to node 1, 8 of 9 to node 3, which goes from 16 to 24.
    const aftermath calm = kill(four_nodes(), 4, 0, 0.5);
    CHECK(std::fabs(calm.most_hit - 8.0 / 9.0) < 1e-12);
    CHECK(std::fabs(calm.receivers - 81.0 / 65.0) < 1e-12);
    CHECK(calm.lost == 0.25);
    // With less headroom node 3 dies, then node 1 (from 34 to 59), then node 2.
    CHECK(kill(four_nodes(), 4, 0, 0.49).lost == 1.0);
    // Without another replica nobody is hit.
    const aftermath none = kill(by_replicas({{0}, {1}}, 2), 2, 0, 0.25);
    CHECK(none.most_hit == 0.0);
    CHECK(none.receivers == 0.0);
    CHECK(none.lost == 0.5);
}

TEST_CASE("cascade: one trial", "[simulate][golden]") {
    const experiment e = run(1);
    CHECK(e.xs == std::vector<std::uint64_t>{5, 10, 25, 100});
    CHECK(support::thousandths(e, 0) ==
          "256 118 48 29 | 0 0 0 0 | 256 121 50 21 | 1000 1000 1000 1000 | 416 556 170 425 | "
          "337 170 86 49 | 270 134 60 22 | 1000 1000 1000 1000 | 1000 1000 1000 1000 | "
          "297 163 100 53 | 341 154 86 55 | 298 184 80 46 | 264 171 79 47 | 273 194 79 46 | ");
    CHECK(support::thousandths(e, 1) ==
          "3999 8982 23772 78563 | 0 0 0 0 | 3999 8978 23751 82464 | 1000 1000 1000 1000 | "
          "3142 2601 6609 4153 | 3826 7875 17238 43811 | 3991 8801 22827 85671 | "
          "1000 1000 1000 1000 | 1000 1000 1000 1000 | 3918 8261 17846 38304 | "
          "3823 8164 18705 44504 | 3853 7547 18124 44405 | 3994 7744 18108 45543 | "
          "3976 7939 17671 44942 | ");
    CHECK(support::thousandths(e, 2) ==
          "200 100 40 10 | 200 100 40 10 | 1000 100 40 10 | 1000 1000 160 1000 | "
          "1000 1000 1000 40 | 1000 100 40 10 | 1000 100 40 10 | 200 1000 120 1000 | "
          "1000 1000 40 1000 | 1000 100 40 10 | 1000 100 40 10 | 1000 100 40 10 | "
          "1000 100 40 10 | 1000 100 40 10 | ");
}

TEST_CASE("cascade: the parts that theory and other simulations give", "[simulate][figures]") {
    const experiment e = run(20);
    for (const std::uint64_t nodes : {5U, 10U, 25U, 100U}) {
        CAPTURE(nodes);
        // one survivor takes it all, also with 160 virtual nodes of formula (1)
        CHECK(off(percent_at(e, "one-point", nodes), 99.9999, 100.0001) == "");
        CHECK(off(percent_at(e, "formula-1", nodes), 99.9, 100.0001) == "");
        CHECK(off(percent_at(e, "as-printed", nodes), 99.9, 100.0001) == "");
        CHECK(percent_at(e, "hdfs-default-1", nodes).p95 == 0.0); // the data are gone
    }
    // 38, 19, 17 and 13 % at ten nodes; 11.1 % would be even
    CHECK(off(percent_at(e, "ten-points", 10), 30.0, 46.0) == "");
    CHECK(off(percent_at(e, "murmur-shard-named", 10), 16.5, 22.0) == "");
    CHECK(off(percent_at(e, "ketama-group", 10), 15.3, 19.0) == "");
    CHECK(off(percent_at(e, "plain-vnodes", 10), 15.3, 19.0) == "");
    CHECK(off(percent_at(e, "thousand-points", 10), 12.4, 14.0) == "");
    CHECK(off(percent_at(e, "hdfs-default-3", 10), 11.1, 12.5) == "");
    // evening shares out keeps what many points are for
    CHECK(off(percent_at(e, "corrected", 10), 15.3, 19.5) == "");
    CHECK(off(percent_at(e, "damped", 10), 15.3, 19.5) == "");
    CHECK(off(percent_at(e, "transfers", 10), 15.3, 19.5) == "");
    // 7 and 5 % at a hundred
    CHECK(off(percent_at(e, "murmur-shard-named", 100), 5.8, 8.2) == "");
    CHECK(off(percent_at(e, "plain-vnodes", 100), 4.6, 6.4) == "");
    // 3.8, 7.8, 8.2 and 8.9 receivers of nine
    CHECK(off(percent_at(e, "ten-points", 10, "receivers"), 300.0, 470.0) == "");
    CHECK(off(percent_at(e, "murmur-shard-named", 10, "receivers"), 710.0, 830.0) == "");
    CHECK(off(percent_at(e, "plain-vnodes", 10, "receivers"), 760.0, 850.0) == "");
    CHECK(off(percent_at(e, "thousand-points", 10, "receivers"), 870.0, 900.0) == "");
    // the whole cluster goes, or only the first
    CHECK(percent_at(e, "one-point", 10, "lost").median == 100.0);
    CHECK(percent_at(e, "ten-points", 10, "lost").median == 100.0);
    CHECK(percent_at(e, "plain-vnodes", 10, "lost").median == 10.0);
    CHECK(percent_at(e, "plain-vnodes", 5, "lost").median == 100.0); // no ring could be better
    CHECK(percent_at(e, "hdfs-default-1", 10, "lost").p95 == 10.0);
}

TEST_CASE("cascade: the same seeds give the same, others do not", "[simulate][law][heavy]") {
    CHECK(run(1, 3).measures[0].values == run(1, 3).measures[0].values);
    CHECK(run(1, 3).measures[0].values != run(1, 4).measures[0].values);
}
