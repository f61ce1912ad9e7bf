// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/schemes.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

// How even rings are. Everything here is exact arithmetic on seeded names, so that the bounds are
// exact and not those of a sample of keys.

using namespace hashring;

namespace {

constexpr std::uint64_t seeds = 100;

struct spread {
    double mean = 0.0;
    double most = 0.0;
};

// The load gap of ten equal nodes over a hundred sets of names.
spread load_gap_of_ten(std::uint32_t vnodes) {
    spread result;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const ring<> nodes(node_names(10, seed), with_vnodes<schemes::xxh3>(vnodes));
        const double gap = measure(nodes.shares()).load_gap;
        result.mean += gap / static_cast<double>(seeds);
        result.most = std::max(result.most, gap);
    }
    return result;
}

// Of a dead node's load the part that its most-hit heir gets, for a hundred sets of ten names, in
// ascending order.
template <class Scheme>
std::vector<double> most_hit_heirs(std::uint32_t vnodes) {
    std::vector<double> parts;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const auto names = node_names(10, seed);
        const ring<Scheme> all(names, with_vnodes<Scheme>(vnodes));
        ring<Scheme> rest = all;
        rest.remove(names[seed % 10]);
        const auto moved = diff(all, rest);
        uint128 most;
        for (const transfer& t : moved.transfers()) {
            most = std::max(most, t.width);
        }
        parts.push_back(fraction(most, moved.moved_width()));
    }
    std::sort(parts.begin(), parts.end());
    return parts;
}

double median(const std::vector<double>& sorted) {
    return sorted[sorted.size() / 2];
}

// The shares of one point a node on a circle of 2^32 − 1 positions.
std::vector<double> shares_of_single_points(const std::vector<std::uint64_t>& points) {
    constexpr std::uint64_t circle = 0xffffffffU;
    std::vector<double> shares;
    for (const std::uint64_t own : points) {
        std::uint64_t gap = circle;
        for (const std::uint64_t other : points) {
            if (other != own) {
                gap = std::min(gap, (own + circle - other) % circle);
            }
        }
        shares.push_back(static_cast<double>(gap) / static_cast<double>(circle));
    }
    return shares;
}

} // namespace

TEST_CASE("balance: ten nodes of 160 points have a load gap of about a quarter",
          "[ring][balance]") {
    const spread gap = load_gap_of_ten(160);
    CHECK(gap.mean >= 0.20);
    CHECK(gap.mean <= 0.28);
    CHECK(gap.most <= 0.55);
}

TEST_CASE("balance: a hundred times the points give a tenth of the load gap", "[ring][balance]") {
    const double ratio = load_gap_of_ten(1000).mean / load_gap_of_ten(10).mean;
    CHECK(ratio >= 0.07);
    CHECK(ratio <= 0.13);
}

TEST_CASE("balance: the expected load gap is the one that rings have", "[ring][balance]") {
    const std::vector<std::uint32_t> counts(10, 160);
    CHECK(std::abs(load_gap_of_ten(160).mean - expected_load_gap(counts)) < 0.03);
}

TEST_CASE("balance: a dead node's load is spread with 160 points and not with one",
          "[ring][balance]") {
    CHECK(median(most_hit_heirs<schemes::xxh3>(160)) <= 0.20);
    CHECK(most_hit_heirs<schemes::xxh3>(1).front() == 1.0);
}

// Node i's points are P_i + k · T with T = circle / count, so modulo T each node has
// one point, and the ring is that of one point a node at P_i · count modulo the circle.
TEST_CASE("balance: evenly spaced points of equal counts even nothing out", "[ring][balance]") {
    const std::uint32_t count = GENERATE(1U, 10U, 160U, 1000U);
    CAPTURE(count);
    const std::vector<std::string> names = node_names(10, 21);
    const ring<schemes::bkdr_spaced> nodes(names, with_vnodes<schemes::bkdr_spaced>(count));
    std::vector<std::uint64_t> single;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const std::uint64_t origin = nodes.position(std::string(nodes.node(i).name()));
        single.push_back(origin * count % 0xffffffffU);
    }
    const std::vector<double> expected = shares_of_single_points(single);
    const std::vector<double> shares = nodes.shares();
    for (std::size_t i = 0; i < shares.size(); ++i) {
        CAPTURE(i);
        CHECK(std::abs(shares[i] - expected[i]) < 1e-6);
    }
}

TEST_CASE("balance: of evenly spaced nodes one heir takes all of a dead node's load",
          "[ring][balance]") {
    const std::vector<double> parts = most_hit_heirs<schemes::bkdr_spaced>(160);
    CHECK(parts.front() == 1.0);
    CHECK(parts.size() == seeds);
}
