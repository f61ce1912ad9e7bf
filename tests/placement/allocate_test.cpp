// SPDX-License-Identifier: MIT
#include "support/budget_by_search.hpp"
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/core/error.hpp>
#include <hashring/placement/allocate.hpp>
#include <hashring/placement/per_weight.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <vector>

using namespace hashring;

namespace {

using counts = std::vector<std::uint32_t>;
using weights = std::vector<weight>;

weights of_thousandths(const std::vector<std::uint64_t>& values) {
    weights result;
    for (const std::uint64_t value : values) {
        result.push_back(weight::from_thousandths(value));
    }
    return result;
}

std::uint64_t sum(const counts& values) {
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

/// Weights of a few kinds: of any size, close together, and equal, with zeros among them.
weights drawn_weights(test::seeded_input& input, std::size_t nodes) {
    const std::uint64_t kind = input.below(3);
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < nodes; ++i) {
        const std::uint64_t any = input.number_of_any_width() % (1000 * weight::max + 1);
        values.push_back(input.below(8) == 0 ? 0
                         : kind == 0         ? any
                                             : 1 + input.below(2 + 50 * kind));
    }
    return of_thousandths(values);
}

counts by_capability(const std::vector<std::uint64_t>& capabilities, std::uint32_t k) {
    return allocate_by_capability(capabilities, k);
}

} // namespace

TEST_CASE("vnodes_for: the nearest whole number", "[allocate][golden][small]") {
    CHECK(vnodes_for(weight{}, 160) == 160);
    CHECK(vnodes_for(weight{0.503}, 160) == 80); // 80.48
    CHECK(vnodes_for(weight{0.507}, 160) == 81); // 81.12
    CHECK(vnodes_for(weight{0.075}, 20) == 2);   // 1.5
    CHECK(vnodes_for(weight{0.074}, 20) == 1);   // 1.48
    CHECK(vnodes_for(weight{2.5}, 100) == 250);
    STATIC_REQUIRE(vnodes_for(weight{3}, 160) == 480);
}

TEST_CASE("vnodes_for: at least 1 above weight 0, and 0 for it", "[allocate][edge][small]") {
    CHECK(vnodes_for(weight{0}, 160) == 0);
    CHECK(vnodes_for(weight{0.001}, 160) == 1);
    CHECK(vnodes_for(weight{0.001}, 1) == 1);
    CHECK(vnodes_for(weight{0.004}, 100) == 1); // [B25]: never a silent 0
    CHECK(vnodes_for(weight{0}, max_points) == 0);
}

TEST_CASE("vnodes_for: more points than a ring holds are a typed error",
          "[allocate][error][small]") {
    CHECK(vnodes_for(weight{1}, max_points) == max_points);
    CHECK(vnodes_for(weight{16777.216}, 1000) == max_points);
    CHECK_THROWS_AS(vnodes_for(weight{1}, max_points + 1), invalid_point_count);
    CHECK_THROWS_AS(vnodes_for(weight{16777.217}, 1000), invalid_point_count);
    CHECK_THROWS_AS(vnodes_for(weight{1'000'000}, 160), invalid_point_count); // [B26]
    CHECK_THROWS_AS(vnodes_for(weight{1'000'000}, 4294967295U), invalid_point_count);
    STATIC_REQUIRE(std::is_base_of_v<std::invalid_argument, invalid_point_count>);
}

TEST_CASE("budget: known allocations", "[allocate][golden]") {
    CHECK(allocate_budget(weights{weight{1024}, weight{1024}, weight{5}}, 118) ==
          counts{59, 58, 1}); // [B23]
    CHECK(allocate_budget(weights{weight{1}, weight{1000}}, 316) == counts{1, 315});
    CHECK(allocate_budget(weights{weight{1}, weight{2}, weight{3}}, 12) == counts{2, 4, 6});
    CHECK(allocate_budget(weights{weight{1}, weight{1}, weight{1}}, 5) == counts{2, 2, 1});
    CHECK(allocate_budget(weights{weight{5}, weight{3}, weight{2}}, 7) ==
          counts{4, 2, 1}); // 3.5, 2.1
    CHECK(allocate_budget(weights{weight{0}, weight{2}, weight{0}}, 9) == counts{0, 9, 0});
}

TEST_CASE("budget: n equal nodes get an equal part of n times 160", "[allocate][golden]") {
    test::mismatches wrong; // [B24]: floating point fails for 7, 14, 25, 28, 47, 49, 50, 55, …
    for (std::uint32_t n = 1; n <= 5000; n += n < 200 ? 1 : 37) {
        wrong.expect(allocate_budget(weights(n, weight{0.7}), n * 160) == counts(n, 160), n);
    }
    wrong.expect(allocate_budget(weights(5000, weight{}), 800'000) == counts(5000, 160), 5000);
    CHECK(wrong.report() == "");
}

TEST_CASE("budget: the sum is exact and only weight 0 gets nothing", "[allocate][law]") {
    constexpr std::uint64_t seed = 131;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 500; ++round) {
        const weights w = drawn_weights(input, 1 + input.below(40));
        const auto total = static_cast<std::uint32_t>(w.size() + input.below(5000));
        const counts got = allocate_budget(w, total);
        const bool any = std::any_of(w.begin(), w.end(), [](weight x) { return x > weight{0}; });
        wrong.compare(sum(got), any ? total : 0U, round);
        for (std::size_t i = 0; i < w.size(); ++i) {
            wrong.compare(got[i] == 0, w[i] == weight{0}, round, i);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("budget: the counts are those of the rule followed by search", "[allocate][law]") {
    constexpr std::uint64_t seed = 132;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 1000; ++round) {
        const weights w = drawn_weights(input, 1 + input.below(12));
        const auto total =
            static_cast<std::uint32_t>(w.size() + input.below(round % 2 == 0 ? 10 : 500));
        const counts got = allocate_budget(w, total);
        const test::budget_by_search want(w, total);
        wrong.expect(got == want.count, round);
        for (std::size_t i = 0; i < w.size(); ++i) { // within 1 of its part of the rest, or lifted
            const std::uint64_t quota = want.thousandths[i] * want.left;
            const std::uint64_t given = got[i] * want.sum;
            wrong.expect(want.lifted[i] || (quota < given + want.sum && given < quota + want.sum) ||
                             want.sum == 0,
                         round, i);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("budget: all small cases are those of the rule followed by search", "[allocate][law]") {
    constexpr std::uint64_t sizes[] = {0, 1, 2, 3, 7, 1000};
    test::mismatches wrong;
    for (std::uint32_t code = 0; code < 6 * 6 * 6 * 6; ++code) {
        const weights w = of_thousandths(
            {sizes[code % 6], sizes[code / 6 % 6], sizes[code / 36 % 6], sizes[code / 216]});
        for (std::uint32_t total = 4; total <= 14; ++total) {
            wrong.expect(allocate_budget(w, total) == test::budget_by_search(w, total).count, code,
                         total);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE(
    "budget: more weight never gets fewer, and equal weights differ by at most 1, the earlier "
    "first",
    "[allocate][law]") {
    constexpr std::uint64_t seed = 133;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 300; ++round) {
        const weights w = drawn_weights(input, 1 + input.below(30));
        const counts got = allocate_budget(w, static_cast<std::uint32_t>(30 + input.below(3000)));
        for (std::size_t i = 0; i < w.size(); ++i) {
            for (std::size_t j = i + 1; j < w.size(); ++j) {
                wrong.expect(!(w[i] < w[j]) || got[i] <= got[j], round, i, j);
                wrong.expect(!(w[i] > w[j]) || got[i] >= got[j], round, i, j);
                wrong.expect(w[i] != w[j] || got[i] == got[j] || got[i] == got[j] + 1, round, i, j);
            }
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("budget: the order of different weights does not matter", "[allocate][law]") {
    constexpr std::uint64_t seed = 134;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 200; ++round) {
        std::vector<std::uint64_t> values;
        for (std::uint64_t i = 1 + input.below(20); i > 0; --i) {
            values.push_back((values.empty() ? 0 : values.back()) + 1 + input.below(500));
        }
        const auto total = static_cast<std::uint32_t>(values.size() + input.below(400));
        const counts straight = allocate_budget(of_thousandths(values), total);
        std::reverse(values.begin(), values.end());
        counts turned = allocate_budget(of_thousandths(values), total);
        std::reverse(turned.begin(), turned.end());
        wrong.expect(straight == turned, round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("budget: the smallest and the largest total", "[allocate][edge]") {
    CHECK(allocate_budget(weights{}, 0).empty());
    CHECK(allocate_budget(weights{}, 100).empty());
    CHECK(allocate_budget(weights(3, weight{0}), 100) == counts{0, 0, 0});
    CHECK(allocate_budget(weights(2, weight{0}), 0) == counts{0, 0});
    CHECK(allocate_budget(weights{weight{9}, weight{1}, weight{5}}, 3) == counts{1, 1, 1});
    CHECK(allocate_budget(weights{weight{}}, max_points) == counts{max_points});
    CHECK(allocate_budget(weights(2, weight{1'000'000}), max_points) ==
          counts{max_points / 2, max_points / 2});
    CHECK(allocate_budget(weights{weight{1'000'000}, weight{0.001}}, max_points) ==
          counts{max_points - 1, 1});
}

TEST_CASE("budget: a total out of range is a typed error", "[allocate][error]") {
    CHECK_THROWS_AS(allocate_budget(weights(3, weight{}), 2), invalid_point_count);
    CHECK_THROWS_AS(allocate_budget(weights{weight{}, weight{0}, weight{0.001}}, 1),
                    invalid_point_count);
    CHECK_THROWS_AS(allocate_budget(weights{weight{}}, 0), invalid_point_count);
    CHECK_THROWS_AS(allocate_budget(weights{weight{}}, max_points + 1), invalid_point_count);
    CHECK_THROWS_AS(allocate_budget(weights{}, max_points + 1), invalid_point_count);
}

TEST_CASE("logarithm: known values", "[allocate][golden]") {
    CHECK(detail::natural_log_q32(1) == 0);
    CHECK(detail::natural_log_q32(2) == 2977044472U); // ln 2 · 2^32 = 2977044471.82
    CHECK(detail::natural_log_q32(10) == 9889527671U);
    STATIC_REQUIRE(detail::natural_log_q32(3) == 4718503851U);
}

TEST_CASE("logarithm: it is exact to 2^-31", "[allocate][law]") {
    constexpr std::uint64_t seed = 135;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    const auto check = [&](std::uint64_t n) {
        const long double exact = std::log(static_cast<long double>(n)) * 4294967296.0L;
        const auto got = static_cast<long double>(detail::natural_log_q32(n));
        wrong.expect(std::fabs(got - exact) <= 2.0L, n);
    };
    for (std::uint64_t n = 1; n <= 5000; ++n) {
        check(n);
        check(input.number_of_any_width() | 1U);
    }
    for (unsigned bit = 0; bit < 64; ++bit) {
        check(std::uint64_t{1} << bit);
        check(~std::uint64_t{0} >> bit);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("capability: known allocations", "[allocate][golden]") {
    CHECK(by_capability({1, 2, 4}, 10) == counts{11, 22, 44});
    CHECK(by_capability({7, 7}, 160) == counts{111, 111}); // 160 ln 2 = 110.9
    CHECK(by_capability(std::vector<std::uint64_t>(10, 1), 100) == counts(10, 230));
    CHECK(by_capability({4, 6}, 100) == counts{69, 104}); // 69.3 and 103.97
    CHECK(by_capability({0, 1, 2, 0, 4}, 10) == counts{0, 11, 22, 0, 44});
}

TEST_CASE("capability: the counts are those of the formula", "[allocate][law]") {
    constexpr std::uint64_t seed = 136;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    int near_a_tie = 0;
    int compared = 0;
    for (int round = 0; round < 400; ++round) {
        std::vector<std::uint64_t> a;
        const std::uint64_t unit = (input.number_of_any_width() >> 10U) + 1;
        for (std::uint64_t i = 1 + input.below(100); i > 0; --i) {
            a.push_back(unit + input.below(63) * (input.below(unit) + 1));
        }
        const auto k = static_cast<std::uint32_t>(1 + input.below(2000));
        const counts got = allocate_by_capability(a, k);
        const auto least = static_cast<long double>(*std::min_element(a.begin(), a.end()));
        const long double log = std::log(static_cast<long double>(a.size()));
        for (std::size_t i = 0; i < a.size(); ++i) {
            const long double exact = static_cast<long double>(a[i]) / least * k * log;
            if (std::fabs(exact - std::floor(exact) - 0.5L) < 0.001L) {
                ++near_a_tie;
                continue;
            }
            ++compared;
            wrong.compare(got[i], std::max(1.0L, std::floor(exact + 0.5L)), round, i);
        }
    }
    CHECK(wrong.report() == "");
    CHECK(near_a_tie * 100 < compared);
}

TEST_CASE("capability: one node, none, and nodes that can do nothing", "[allocate][edge]") {
    CHECK(by_capability({}, 10).empty());
    CHECK(by_capability({5}, 10) == counts{1}); // ln 1 = 0
    CHECK(by_capability({0, 0}, 10) == counts{0, 0});
    CHECK(by_capability({0, 9, 0}, max_points) == counts{0, 1, 0});
    CHECK(by_capability({3, 3}, 1) == counts{1, 1}); // 0.69
}

TEST_CASE("capability: the largest capabilities and counts", "[allocate][edge]") {
    constexpr std::uint64_t half = std::uint64_t{1} << 63U;
    CHECK(by_capability({half, half}, 100) == counts{69, 69});
    CHECK(by_capability({half, ~std::uint64_t{0}}, 100) == counts{69, 139});
    CHECK(by_capability({half - 1, half}, 160) == counts{111, 111});
    CHECK(by_capability({1, 1}, max_points) == counts{11629080, 11629080});
    CHECK(by_capability({1, 24204407}, 1) == counts{1, max_points}); // 16777216.47
}

TEST_CASE("capability: too many points are a typed error", "[allocate][error]") {
    constexpr std::uint64_t half = std::uint64_t{1} << 63U;
    CHECK_THROWS_AS(by_capability({1, 1}, 0), invalid_point_count);
    CHECK_THROWS_AS(by_capability({1, 1}, max_points + 1), invalid_point_count);
    CHECK_THROWS_AS(by_capability({1, 24204408}, 1), invalid_point_count); // 16777217.16
    CHECK_THROWS_AS(by_capability({1, half}, 1), invalid_point_count);
    CHECK_THROWS_AS(by_capability({1, ~std::uint64_t{0}}, max_points), invalid_point_count);
    // 2 ln 2 times this is hardly more than 2^64, so that only the bits above tell it from nothing.
    CHECK_THROWS_AS(by_capability({1, 13306513097037862724U}, 2), invalid_point_count);
}
