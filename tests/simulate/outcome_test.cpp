// SPDX-License-Identifier: MIT
#include "simulate/cluster.hpp"
#include "simulate/outcome.hpp"
#include "support/catch.hpp"

#include <hashring/balance/utilization.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace simulate;

TEST_CASE("outcome: median and percentiles, between two values in proportion",
          "[simulate][outcome]") {
    CHECK(spread_of({3.0}) == spread{3.0, 3.0, 3.0});
    CHECK(spread_of({4.0, 2.0}) == spread{3.0, 2.1, 3.9});
    std::vector<double> hundred_and_one;
    for (int i = 100; i >= 0; --i) {
        hundred_and_one.push_back(i);
    }
    CHECK(spread_of(hundred_and_one) == spread{50.0, 5.0, 95.0});
}

TEST_CASE("outcome: what is collected comes out where it was put", "[simulate][outcome]") {
    experiment e;
    e.measures = {{"a", "A"}, {"b", "B"}};
    collector c(2, 3, 2);
    for (std::size_t m = 0; m < 2; ++m) {
        for (std::size_t s = 0; s < 3; ++s) {
            for (std::size_t x = 0; x < 2; ++x) {
                c.add(m, s, x, static_cast<double>(100 * m + 10 * s + x));
            }
        }
    }
    c.finish(e);
    CHECK(e.measures[0].values.size() == 3);
    CHECK(e.measures[1].values[2][1].median == 121.0);
    CHECK(e.measures[0].values[1][0].median == 10.0);
}

TEST_CASE("outcome: numbers as text, rounded to the nearest tenth", "[simulate][outcome]") {
    CHECK(tenths_text(0.0) == "0.0");
    CHECK(tenths_text(12.34) == "12.3");
    CHECK(tenths_text(0.96) == "1.0");
    CHECK(tenths_text(-2.56) == "-2.6");
    CHECK(short_text(12.0) == "12");
    CHECK(short_text(-0.51) == "-0.5");
    CHECK(percent_text(0.05) == "5 %");
    CHECK(percent_text(0.001) == "0.1 %");
}

TEST_CASE("outcome: what a paper says, and whose a strategy is", "[simulate][outcome]") {
    CHECK(published_figure{"both", 0.05, 0.08}.percent_text() == "5-8 %");
    CHECK(published_figure{"plain", 0.23, 0.23}.percent_text() == "23 %");
    CHECK(strategy_name{"a", "ours", "exact"}.full_label() == "ours: exact");
}

TEST_CASE("cluster: names differ and are in order, capacities go round", "[simulate][cluster]") {
    const cluster nodes = draw_cluster(100, capacity_rule::mixed, 5);
    CHECK(std::set<std::string>(nodes.names.begin(), nodes.names.end()).size() == 100);
    CHECK(std::is_sorted(nodes.names.begin(), nodes.names.end()));
    CHECK(nodes.capacity() == 33 * 7 + 1);
    CHECK(draw_cluster(100, capacity_rule::equal, 5).capacity() == 100);
    CHECK(draw_cluster(100, capacity_rule::equal, 5).names == nodes.names);
    CHECK(draw_cluster(100, capacity_rule::equal, 6).names != nodes.names);
}

TEST_CASE("cluster: loads are relative to capacity, their mean weighted by it is 1",
          "[simulate][cluster]") {
    const cluster nodes{{"a", "b"}, {1, 3}};
    const std::vector<std::uint64_t> held = {10, 10};
    CHECK(relative_loads(held, nodes) == std::vector<double>{2.0, 2.0 / 3.0});
    CHECK(std::fabs(gap_of(held, nodes) - 1.0) < 1e-12);
    const auto stats = stats_of(held, 20, 40, nodes);
    CHECK(hashring::cluster_utilization(stats).value() == 0.4);
    CHECK(hashring::utilization(stats[0]).value() == 0.8);
    CHECK(stats[1].name == "b");
}
