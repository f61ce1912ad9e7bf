// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <hashring/balance/expected_gap.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace hashring;

namespace {

using counts = std::vector<std::uint32_t>;

double gap(std::size_t nodes, std::uint32_t vnodes) {
    return expected_load_gap(counts(nodes, vnodes));
}

/// How far `got` is from `want`, as a part of it.
double off(double got, double want) {
    return std::abs(got - want) / want;
}

/// The chance that the sum of `v` exponential variables is at most `y`: fewer than `v` events of a
/// Poisson process have not happened by then. Exact, unlike the approximation under test.
double erlang_below(std::uint32_t v, double y) {
    double term = std::exp(-y);
    double fewer = 0.0;
    for (std::uint32_t k = 0; k < v; ++k) {
        fewer += term;
        term *= y / (k + 1.0);
    }
    return 1.0 - fewer;
}

/// The mean gap of nodes with these counts from the exact distribution, by the trapezoid rule.
double exact_gap(const counts& vnodes) {
    constexpr int steps = 1500;
    const double least = *std::min_element(vnodes.begin(), vnodes.end());
    const double to = 1.0 + 12.0 / std::sqrt(least) + 24.0 / least;
    double sum = 0.0;
    for (int i = 1; i < steps; ++i) {
        double below = 1.0;
        double above = 1.0;
        for (const std::uint32_t v : vnodes) {
            const double p = erlang_below(v, v * to * i / steps);
            below *= p;
            above *= 1.0 - p;
        }
        sum += 1.0 - below - above;
    }
    return sum * to / steps;
}

} // namespace

TEST_CASE("expected gap: one virtual node each gives H(n) - 1/n", "[expected_gap][golden]") {
    for (const std::size_t n : {2U, 3U, 5U, 10U, 100U, 1000U}) {
        double harmonic = 0.0;
        for (std::size_t i = 1; i <= n; ++i) {
            harmonic += 1.0 / static_cast<double>(i);
        }
        CAPTURE(n);
        CHECK(off(gap(n, 1), harmonic - 1.0 / static_cast<double>(n)) < 0.0005);
    }
}

TEST_CASE("expected gap: it is near simulated gaps", "[expected_gap][golden]") {
    struct row {
        std::size_t nodes;
        std::uint32_t vnodes;
        double median;
    };
    // Medians of simulations, in whole percents or tenths; from five nodes on the mean lies up to 4
    // percent above them.
    const row rows[] = {{5, 100, 0.23},   {5, 160, 0.18},    {5, 1000, 0.071},  {8, 10, 0.87},
                        {8, 160, 0.22},   {8, 1000, 0.087},  {10, 100, 0.30},   {10, 160, 0.24},
                        {10, 500, 0.136}, {25, 10, 1.22},    {25, 160, 0.31},   {25, 1000, 0.122},
                        {100, 10, 1.57},  {100, 100, 0.50},  {100, 160, 0.39},  {100, 1000, 0.157},
                        {1000, 10, 2.04}, {1000, 100, 0.64}, {1000, 160, 0.51}, {1000, 500, 0.29}};
    for (const row& r : rows) {
        CAPTURE(r.nodes, r.vnodes, gap(r.nodes, r.vnodes));
        CHECK(gap(r.nodes, r.vnodes) > 0.999 * r.median);
        CHECK(gap(r.nodes, r.vnodes) < 1.04 * r.median);
    }
}

TEST_CASE("expected gap: it is near the exact one", "[expected_gap][law]") {
    for (const std::uint32_t v : {2U, 5U, 10U, 40U, 160U}) {
        for (const std::size_t n : {2U, 3U, 10U, 50U}) {
            CAPTURE(v, n);
            CHECK(off(gap(n, v), exact_gap(counts(n, v))) < (v < 10 ? 0.008 : 0.003));
        }
    }
}

TEST_CASE("expected gap: many virtual nodes give d2 / sqrt(v)", "[expected_gap][law]") {
    // d2: the mean range of n normal variables, as tables of control charts have it.
    CHECK(off(gap(2, 1'000'000) * 1000, 1.128) < 0.002);
    CHECK(off(gap(5, 1'000'000) * 1000, 2.326) < 0.002);
    CHECK(off(gap(10, 1'000'000) * 1000, 3.078) < 0.002);
    CHECK(off(gap(25, 1'000'000) * 1000, 3.931) < 0.002);
}

TEST_CASE("expected gap: more virtual nodes lower it, more nodes raise it", "[expected_gap][law]") {
    for (const std::size_t n : {2U, 10U, 100U}) {
        for (std::uint32_t v = 1; v < 100'000; v *= 3) {
            CAPTURE(n, v);
            CHECK(gap(n, v) > gap(n, 3 * v));
            CHECK(gap(n, v) < gap(n + 1, v));
        }
    }
}

TEST_CASE("expected gap: classes of weights", "[expected_gap][law]") {
    const counts mixed = {40, 40, 40, 80, 80, 160};
    CHECK(off(expected_load_gap(mixed), exact_gap(mixed)) < 0.0005);
    CHECK(expected_load_gap(counts{160, 40, 80, 40, 80, 40}) == expected_load_gap(mixed));
    CHECK(expected_load_gap(mixed) < gap(6, 40));
    CHECK(expected_load_gap(mixed) > gap(6, 160));
    const counts far_apart = {1, 1, 160, 160};
    CHECK(off(expected_load_gap(far_apart), exact_gap(far_apart)) < 0.0005);
}

TEST_CASE("expected gap: nodes without points are left out", "[expected_gap][edge]") {
    CHECK(expected_load_gap(counts{0, 160, 0, 160, 80, 0}) ==
          expected_load_gap(counts{160, 160, 80}));
    CHECK(expected_load_gap(counts{0, 160, 0}) == 0.0);
}

TEST_CASE("expected gap: fewer than two nodes have none", "[expected_gap][edge]") {
    CHECK(expected_load_gap(counts{}) == 0.0);
    CHECK(expected_load_gap(counts{160}) == 0.0);
    CHECK(expected_load_gap(counts{0, 0, 0}) == 0.0);
    CHECK(expected_load_gap(counts{1}) == 0.0);
}

TEST_CASE("expected gap: the largest counts", "[expected_gap][edge]") {
    CHECK(off(gap(2, 4294967295U) * 65536, 1.128) < 0.002);
}
