// SPDX-License-Identifier: MIT
#include "simulate/experiments.hpp"
#include "simulate/operations.hpp"
#include "support/catch.hpp"
#include "support/spreads.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace simulate;
using support::off;
using support::percent_at;

namespace {

experiment run(std::uint32_t seeds, std::uint32_t periods, capacity_rule capacities,
               std::uint64_t seed = 1) {
    dynamic_settings asked;
    asked.common.seed = seed;
    asked.common.seeds = seeds;
    asked.periods = periods;
    asked.capacities = capacities;
    return dynamic(asked, [] {});
}

} // namespace

TEST_CASE("dynamic: one trial of three periods", "[simulate][golden]") {
    const experiment e = run(1, 3, capacity_rule::equal);
    CHECK(e.xs == std::vector<std::uint64_t>{0, 1, 2, 3});
    CHECK(support::thousandths(e, 0) ==
          "61 61 61 61 | 116 116 116 116 | 51 51 51 51 | 470 470 470 470 | "
          "3149 3149 3149 3149 | 2954 2277 1138 654 | 470 461 428 421 | 2 2 2 2 | "
          "470 208 125 67 | 470 0 0 0 | ");
    CHECK(support::thousandths(e, 1) ==
          "0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 302 614 881 | 0 1 4 5 | "
          "0 0 0 0 | 0 52 69 82 | 0 58 58 58 | ");
    CHECK(support::thousandths(e, 2) ==
          "129 129 129 129 | 177 177 177 177 | 107 107 107 107 | 461 461 461 461 | "
          "3090 3090 3090 3090 | 2980 2219 1205 648 | 461 454 424 425 | 90 90 90 90 | "
          "461 220 179 105 | 461 90 90 90 | ");
}

TEST_CASE("dynamic: equal nodes, as theory and other simulations have it", "[simulate][figures]") {
    const experiment e = run(20, 100, capacity_rule::equal);
    // 160 points: 24 % at first and for ever, which the paper has as 23 %
    CHECK(off(percent_at(e, "plain-vnodes", 0), 20.0, 28.0) == "");
    CHECK(percent_at(e, "plain-vnodes", 100) == percent_at(e, "plain-vnodes", 0));
    // the paper's rule: 8 to 9 %, at most 10, which the paper has as 8 %; the threshold does it
    CHECK(percent_at(e, "literal", 0) == percent_at(e, "plain-vnodes", 0));
    CHECK(off(percent_at(e, "literal", 100), 7.5, 9.9) == "");
    // with formula (1) it never comes to rest and moves a fifth of the data each period
    CHECK(off(percent_at(e, "as-printed", 100), 40.0, 130.0) == "");
    CHECK(off(percent_at(e, "as-printed", 100, "moved"), 2000.0, 3500.0) == "");
    // damped: 3 periods to 8 %, 6.9 % in the end
    CHECK(percent_at(e, "damped", 3).median < 8.0);
    CHECK(off(percent_at(e, "damped", 100), 4.5, 7.5) == "");
    CHECK(percent_at(e, "damped", 100).p95 <= 10.0);
    CHECK(percent_at(e, "damped", 100) == percent_at(e, "damped", 15)); // at rest
    // corrected counts: within 0.2 % of every share
    CHECK(off(percent_at(e, "corrected", 0), 0.1, 0.4) == "");
    CHECK(percent_at(e, "corrected", 0).p95 <= 0.5);
    CHECK(percent_at(e, "transfers", 0) == percent_at(e, "plain-vnodes", 0));
    CHECK(off(percent_at(e, "transfers", 1), 0.0, 1e-6) == "");
    CHECK(percent_at(e, "transfers", 1, "moved").median <
          percent_at(e, "damped", 100, "moved").median);
    // 10,000 operations on even data have a gap of 9.7 %
    CHECK(off(percent_at(e, "transfers", 100, "operations_gap"), 8.3, 11.0) == "");
    CHECK(off(percent_at(e, "plain-vnodes", 100, "operations_gap"), 21.0, 31.0) == "");
}

TEST_CASE("dynamic: nodes of 1 : 2 : 4 that begin with equal counts", "[simulate][figures]") {
    const experiment e = run(20, 100, capacity_rule::mixed);
    CHECK(off(percent_at(e, "plain-vnodes", 0), 125.0, 150.0) == ""); // 132 to 141 %
    CHECK(off(percent_at(e, "literal", 100), 85.0, 105.0) == "");     // it crawls
    CHECK(off(percent_at(e, "damped", 7), 6.0, 9.5) == "");           // 7 periods to 8 %
    CHECK(off(percent_at(e, "damped", 100), 4.3, 7.3) == "");         // 5.8 %
    const double least = percent_at(e, "transfers", 100, "moved").median;
    CHECK(least > 20.0);
    CHECK(least < 30.0);
    const double ratio = percent_at(e, "damped", 100, "moved").median / least;
    CHECK(ratio > 1.6); // 1.76
    CHECK(ratio < 1.95);
    CHECK(off(percent_at(e, "transfers", 1), 0.0, 1e-6) == "");
    CHECK(off(percent_at(e, "corrected", 0), 0.1, 0.4) == ""); // it is told the capacities
    CHECK(percent_at(e, "hdfs-available-space", 0).median <
          percent_at(e, "hdfs-default-3", 0).median);
}

TEST_CASE("dynamic: the same seeds give the same, others do not", "[simulate][law]") {
    const experiment e = run(1, 2, capacity_rule::mixed, 5);
    const experiment again = run(1, 2, capacity_rule::mixed, 5);
    const experiment other = run(1, 2, capacity_rule::mixed, 6);
    for (std::size_t m = 0; m < e.measures.size(); ++m) {
        CHECK(e.measures[m].values == again.measures[m].values);
        CHECK(e.measures[m].values != other.measures[m].values);
    }
}

TEST_CASE("dynamic: the periods that are looked at end with the last", "[simulate][edges]") {
    CHECK(run(1, 1, capacity_rule::equal).xs == std::vector<std::uint64_t>{0, 1});
    CHECK(run(1, 6, capacity_rule::equal).xs == std::vector<std::uint64_t>{0, 1, 2, 3, 5, 6});
}

TEST_CASE("operations: each reaches a node in proportion to its share", "[simulate][law]") {
    const std::vector<double> shares = {0.5, 0.0, 0.3, 0.2};
    const std::vector<std::uint64_t> counts = count_operations(shares, 100'000, 3);
    CHECK(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == 100'000);
    CHECK(counts[1] == 0);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        CAPTURE(i);
        // six standard deviations, at most 0.0016 each
        CHECK(std::fabs(static_cast<double>(counts[i]) / 100'000.0 - shares[i]) < 0.0095);
    }
}
