// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/mismatches.hpp"

#include <hashring/compat/weighted_ketama.hpp>

#include <algorithm>
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

using namespace hashring;
using compat::weighted_ketama_counts;
using compat::weighted_ketama_points;

namespace {

std::vector<std::uint64_t> numbers(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::uint64_t> result;
    for (std::uint64_t n = 0; in >> n;) {
        result.push_back(n);
    }
    return result;
}

// The counts of weights of any size, of which the program takes 0 for 1.
std::vector<std::uint64_t> counted(std::vector<std::uint64_t> weights) {
    for (std::uint64_t& w : weights) {
        w = std::max<std::uint64_t>(w, 1);
    }
    const std::uint64_t total = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    std::vector<std::uint64_t> result;
    for (const std::uint64_t w : weights) {
        result.push_back(weighted_ketama_points(w, total, weights.size()));
    }
    return result;
}

// The counts of the same program built for the x87: the sum of the weights is a float, all else has
// 64 digits and is not rounded to one.
std::vector<std::uint64_t> counted_by_x87(std::vector<std::uint64_t> weights) {
    std::uint64_t total = 0;
    for (std::uint64_t& w : weights) {
        w = std::max<std::uint64_t>(w, 1);
        total += w;
    }
    std::vector<std::uint64_t> result;
    for (const std::uint64_t w : weights) {
        const long double part =
            static_cast<long double>(w) / static_cast<long double>(static_cast<float>(total));
        const long double groups = part * 160.0L / 4.0L * static_cast<long double>(weights.size());
        result.push_back(4 * static_cast<std::uint64_t>(groups + static_cast<long double>(1e-10F)));
    }
    return result;
}

std::vector<placed_node> nodes_of(const std::vector<weight>& weights) {
    std::vector<placed_node> nodes;
    for (const weight& w : weights) {
        nodes.push_back({.name = "a", .weight = w});
    }
    return nodes;
}

std::vector<std::uint32_t> counts_of(const std::vector<weight>& weights) {
    return weighted_ketama_counts(nodes_of(weights));
}

} // namespace

TEST_CASE("weighted ketama: the counts are libmemcached's for 1777 lists of weights",
          "[weighted-ketama][golden]") {
    test::mismatches wrong;
    const auto lines = golden::lines("memcached/hashes/libmemcached_weight_points.tsv");
    CHECK(lines.size() == 1777);
    for (const std::string& line : lines) {
        const auto row = golden::fields(line);
        wrong.expect(counted(numbers(row.at(0))) == numbers(row.at(1)), row[0]);
    }
    CHECK(wrong.report() == "");
}

// Exact arithmetic would give 160 to all.
TEST_CASE("weighted ketama: equal servers get 156 points at some sizes",
          "[weighted-ketama][golden]") {
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t n = 1; n <= 163; ++n) {
        const std::uint32_t points = weighted_ketama_points(1, n, n);
        CAPTURE(n);
        CHECK((points == 160 || points == 156));
        if (points == 156) {
            sizes.push_back(n);
        }
    }
    CHECK(sizes == std::vector<std::uint64_t>{25, 47, 50, 55, 61, 71, 94, 100, 107, 109, 110, 115,
                                              122, 142, 159, 163});
    STATIC_REQUIRE(weighted_ketama_points(1, 25, 25) == 156);
    STATIC_REQUIRE(weighted_ketama_points(3, 72, 24) == 160);
}

// On i386 the same list makes another ring: no option offers it.
TEST_CASE("weighted ketama: the x87 gives other counts to some lists",
          "[weighted-ketama][golden]") {
    if (LDBL_MANT_DIG != 64) {
        return;
    }
    for (const std::size_t n : {25U, 47U, 50U, 55U, 61U, 71U, 94U, 100U}) {
        CAPTURE(n);
        const std::vector<std::uint64_t> equal(n, 1);
        CHECK(counted_by_x87(equal) == std::vector<std::uint64_t>(n, 160));
        CHECK(counted(equal) == std::vector<std::uint64_t>(n, 156));
    }
    std::size_t others = 0;
    for (const std::string& line :
         golden::lines("memcached/hashes/libmemcached_weight_points.tsv")) {
        const auto row = golden::fields(line);
        others += counted_by_x87(numbers(row.at(0))) != numbers(row.at(1)) ? 1U : 0U;
    }
    CHECK(others == 61); // of 1777
}

TEST_CASE("weighted ketama: nodes of the whole list are counted", "[weighted-ketama][golden]") {
    CHECK(counts_of({weight{1}, weight{2}, weight{3}, weight{5}, weight{8}}) ==
          std::vector<std::uint32_t>{40, 84, 124, 208, 336});
    CHECK(counts_of({weight{1}, weight{1000}}) == std::vector<std::uint32_t>{0, 316});
    CHECK(counts_of({weight{7}}) == std::vector<std::uint32_t>{160});
}

TEST_CASE("weighted ketama: a weight of 0 is no server", "[weighted-ketama][edge]") {
    CHECK(counts_of({}).empty());
    CHECK(counts_of({weight{0}, weight{0}}) == std::vector<std::uint32_t>{0, 0});
    CHECK(counts_of({weight{0}, weight{3}, weight{0}}) == std::vector<std::uint32_t>{0, 160, 0});
    std::vector<weight> one_ejected(25, weight{1}); // the others go from 156 to 160
    one_ejected[7] = weight{0};
    const auto counts = counts_of(one_ejected);
    CHECK(std::count(counts.begin(), counts.end(), 160U) == 24);
    CHECK(counts[7] == 0);
}

TEST_CASE("weighted ketama: a fraction is no weight", "[weighted-ketama][error]") {
    CHECK_THROWS_AS(counts_of({weight{1}, weight{0.5}}), invalid_weight);
    CHECK_THROWS_AS(counts_of({weight{1.001}}), invalid_weight);
    CHECK(compat::whole_weight("a", weight{3}) == 3);
    CHECK(compat::whole_weight("a", weight{0}) == 0);
    std::string reason;
    try {
        (void)compat::whole_weight("cache-a", weight{2.5});
    } catch (const invalid_weight& error) {
        reason = error.what();
    }
    CHECK(reason == "the weight 2.5 of 'cache-a' is not a whole number");
}
