// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/hash/bkdr.hpp>
#include <hashring/ring/position_index.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using hashring::detail::position_index;

namespace {

// Sorted positions of every kind of skew: what a hash can do at its worst.
template <class Position>
std::vector<std::vector<Position>> skews(std::size_t count) {
    constexpr int digits = std::numeric_limits<Position>::digits;
    dice random(count);
    std::vector<std::vector<Position>> kinds(7);
    for (std::size_t i = 0; i < count; ++i) {
        const auto any = static_cast<Position>(random.next());
        kinds[0].push_back(any);
        kinds[1].push_back(static_cast<Position>(any >> 12U)); // equal top bits
        kinds[2].push_back(static_cast<Position>(any | (Position{1} << (digits - 1)))); // one half
        kinds[3].push_back(static_cast<Position>(7U + (i % 3)));              // three values
        kinds[4].push_back(static_cast<Position>(i));                         // at the start
        kinds[5].push_back(static_cast<Position>(~static_cast<Position>(i))); // at the end
        kinds[6].push_back(static_cast<Position>(
            hashring::hash::bkdr<131>{}("node-" + std::to_string(i)))); // neighbours
    }
    for (std::vector<Position>& kind : kinds) {
        std::sort(kind.begin(), kind.end());
    }
    return kinds;
}

// Every answer about `positions` at, before and after each of them, at the ends and in between.
template <class Position>
void check_answers(std::vector<Position> positions, std::uint64_t seed) {
    const std::vector<Position> points = positions;
    positions.push_back(std::numeric_limits<Position>::max());
    position_index<Position> index;
    index.build(positions.data(), points.size());
    hashring::test::mismatches found;
    const auto ask = [&](Position p) {
        const auto truth = std::lower_bound(points.begin(), points.end(), p) - points.begin();
        found.expect(index.locate(positions.data(), p) == static_cast<std::size_t>(truth), "at", p);
    };
    dice random(seed);
    for (const Position p : points) {
        ask(p);
        ask(static_cast<Position>(p - 1U));
        ask(static_cast<Position>(p + 1U));
        ask(static_cast<Position>(random.next()));
    }
    ask(0);
    ask(std::numeric_limits<Position>::max());
    CHECK_NO_MISMATCHES(found);
    CHECK(index.longest_scan() <= position_index<Position>::crowd);
}

} // namespace

TEMPLATE_TEST_CASE("index: it answers as a binary search does, however positions crowd",
                   "[ring][index][law]", std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
    for (const std::size_t count : {1U, 2U, 3U, 7U, 100U, 4096U, 20000U}) {
        CAPTURE(count);
        for (const std::vector<TestType>& kind : skews<TestType>(count)) {
            check_answers(kind, count);
        }
    }
}

TEST_CASE("index: no choice of positions makes a search pass many points one by one",
          "[ring][index][law]") {
    position_index<std::uint64_t> index;
    const std::vector<std::uint64_t> same(100'001, 42);
    index.build(same.data(), same.size() - 1);
    CHECK(index.longest_scan() == 0);
    CHECK(index.locate(same.data(), 42) == 0);

    // Eight points in a bucket are passed one by one, nine are halved: 16 points make 64 buckets.
    std::vector<std::uint64_t> edge(17, std::uint64_t{1} << 63U);
    std::fill_n(edge.begin(), 8, std::uint64_t{1});
    index.build(edge.data(), 16);
    CHECK(index.longest_scan() == 8);
    edge[8] = 1;
    index.build(edge.data(), 16);
    CHECK(index.longest_scan() == 7);
    CHECK(index.locate(edge.data(), 2) == 9);
}

TEST_CASE("index: it takes about four bytes a point on large rings", "[ring][index]") {
    position_index<std::uint32_t> index;
    dice random(1);
    std::vector<std::uint32_t> positions(160'000);
    for (std::uint32_t& p : positions) {
        p = static_cast<std::uint32_t>(random.next());
    }
    std::sort(positions.begin(), positions.end());
    positions.push_back(0xffffffffU);
    index.build(positions.data(), 160'000);
    CHECK(index.bytes() <= 8 * positions.size());
    CHECK(index.longest_scan() <= 8);
}
