// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/balance/measures.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace hashring;

namespace {

using loads = std::vector<double>;

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b));
}

bool same(const load_measures& a, const load_measures& b) {
    return near(a.load_gap, b.load_gap) && near(a.peak_to_mean, b.peak_to_mean) &&
           near(a.coefficient_of_variation, b.coefficient_of_variation);
}

loads drawn_loads(test::seeded_input& input) {
    loads result;
    for (std::uint64_t i = 1 + input.below(30); i > 0; --i) {
        result.push_back(static_cast<double>(input.below(1000)));
    }
    return result;
}

} // namespace

TEST_CASE("measures: known sets of loads", "[measures][golden]") {
    CHECK(same(measure(loads{1, 1, 1}), {0.0, 1.0, 0.0}));
    CHECK(same(measure(loads{1, 2, 3}), {1.0, 1.5, std::sqrt(2.0 / 3.0) / 2.0}));
    CHECK(same(measure(loads{2, 4, 4, 4, 5, 5, 7, 9}), {7.0 / 5.0, 9.0 / 5.0, 2.0 / 5.0}));
    CHECK(same(measure(loads{0.51, 0.49}), {0.04, 1.02, 0.02})); // the Redis paper's two groups
}

TEST_CASE("measures: everything on one of n is a gap and a peak of n", "[measures][golden]") {
    for (const std::size_t n : {2U, 3U, 10U, 1000U}) {
        loads l(n, 0.0);
        l[n / 2] = 3.0;
        const auto count = static_cast<double>(n);
        CAPTURE(n);
        CHECK(same(measure(l), {count, count, std::sqrt(count - 1.0)}));
    }
}

TEST_CASE("measures: neither the unit nor the order of loads matters", "[measures][law]") {
    constexpr std::uint64_t seed = 141;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 500; ++round) {
        loads l = drawn_loads(input);
        const load_measures before = measure(l);
        for (double& load : l) {
            load *= 1e9;
        }
        std::rotate(l.begin(), l.begin() + static_cast<std::ptrdiff_t>(l.size() / 2), l.end());
        wrong.expect(same(measure(l), before), round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("measures: loads listed twice measure the same", "[measures][law]") {
    constexpr std::uint64_t seed = 142; // of the whole set, not of a sample
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 500; ++round) {
        const loads once = drawn_loads(input);
        loads twice = once;
        twice.insert(twice.end(), once.begin(), once.end());
        wrong.expect(same(measure(twice), measure(once)), round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("measures: each stays in its range", "[measures][law]") {
    constexpr std::uint64_t seed = 143;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 500; ++round) {
        const loads l = drawn_loads(input);
        const load_measures m = measure(l);
        const auto n = static_cast<double>(l.size());
        wrong.expect(m.load_gap >= 0.0 && m.load_gap <= n + 1e-9, round, m.load_gap);
        wrong.expect(m.peak_to_mean >= 1.0 - 1e-9 && m.peak_to_mean <= n + 1e-9, round);
        wrong.expect(m.coefficient_of_variation <= std::sqrt(n) + 1e-9, round);
        wrong.expect(m.load_gap >= m.peak_to_mean - 1.0 - 1e-9,
                     round); // the least is no more than the mean
        wrong.expect(m.load_gap >= m.coefficient_of_variation - 1e-9, round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("measures: nothing to compare is perfectly even", "[measures][edge]") {
    CHECK(same(measure(loads{}), {0.0, 1.0, 0.0}));
    CHECK(same(measure(loads{0.0, 0.0}), {0.0, 1.0, 0.0}));
    CHECK(same(measure(loads{5.0}), {0.0, 1.0, 0.0}));
    CHECK(same(measure(loads{1e-300, 1e-300}), {0.0, 1.0, 0.0}));
}
