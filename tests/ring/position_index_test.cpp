// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/sanitizers.hpp"

#include <hashring/hash/bkdr.hpp>
#include <hashring/ring/position_index.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

using hashring::detail::entry;
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

// Points on those positions, and behind them the one that ends searches.
template <class Position>
std::vector<entry<Position>> points_on(const std::vector<Position>& positions) {
    std::vector<entry<Position>> points;
    for (const Position p : positions) {
        points.emplace_back(p, 0U);
    }
    points.emplace_back(std::numeric_limits<Position>::max(), 0U);
    return points;
}

// The table for the points on those positions.
template <class Position>
position_index<Position> index_of(const std::vector<Position>& positions) {
    const std::vector<entry<Position>> points = points_on(positions);
    position_index<Position> index;
    index.build(std::span(points).first(positions.size()));
    return index;
}

// Every answer about `positions` at, before and after each of them, at the ends and in between.
template <class Position>
void check_answers(const std::vector<Position>& positions, std::uint64_t seed) {
    const std::vector<entry<Position>> points = points_on(positions);
    const position_index<Position> index = index_of(positions);
    hashring::test::mismatches found;
    const auto ask = [&](Position p) {
        const auto truth =
            std::lower_bound(positions.begin(), positions.end(), p) - positions.begin();
        found.expect(index.locate(points.data(), p) == points.data() + truth, "at", p);
        const std::size_t first = index.first_of(p); // where a batch looks ahead
        found.expect(first <= static_cast<std::size_t>(truth), "first of", p);
    };
    dice random(seed);
    for (const Position p : positions) {
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

// Ten million in all: 2 widths, 7 kinds, and half of them at most one off a point.
TEMPLATE_TEST_CASE("index: ten million positions are answered as without it", "[ring][index][law]",
                   std::uint32_t, std::uint64_t) {
    constexpr std::size_t questions = 10'000'000 / 14 / exhaustive_stride;
    for (const std::vector<TestType>& positions : skews<TestType>(16'000)) {
        const std::vector<entry<TestType>> points = points_on(positions);
        const position_index<TestType> index = index_of(positions);
        dice random(questions);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < questions; ++i) {
            auto p = static_cast<TestType>(random.next());
            if (i % 2 == 0) {
                p = static_cast<TestType>(random.pick(positions) + random.below(3) - 1U);
            }
            const auto truth =
                std::lower_bound(positions.begin(), positions.end(), p) - positions.begin();
            wrong += index.locate(points.data(), p) == points.data() + truth ? 0U : 1U;
        }
        CHECK(wrong == 0);
    }
}

TEMPLATE_TEST_CASE("index: dealing unsorted positions makes the table of the sorted ones",
                   "[ring][index][law]", std::uint8_t, std::uint32_t, std::uint64_t) {
    for (const std::size_t count : {1U, 2U, 9U, 300U, 20000U}) {
        CAPTURE(count);
        for (const std::vector<TestType>& sorted : skews<TestType>(count)) {
            std::vector<TestType> shuffled = sorted;
            dice(count).shuffle(shuffled);
            position_index<TestType> dealt;
            dealt.make_room(count);
            dealt.begin_dealing(shuffled);
            std::vector<TestType> places(count);
            for (const TestType p : shuffled) {
                places[dealt.deal(p)] = p;
            }
            dealt.mark_crowded();
            CHECK(dealt == index_of(sorted));
            std::sort(places.begin(), places.end()); // each place was taken once
            CHECK(places == sorted);
        }
    }
}

TEMPLATE_TEST_CASE("index: repairing it makes the table of the points as they are then",
                   "[ring][index][law]", std::uint8_t, std::uint32_t, std::uint64_t) {
    std::size_t repaired = 0;
    for (const std::size_t count : {5U, 60U, 200U, 3000U}) {
        CAPTURE(count);
        const auto comers = skews<TestType>(count / 5);
        std::size_t kind = 0;
        for (std::vector<TestType> points : skews<TestType>(count)) {
            dice random(count + kind);
            position_index<TestType> index = index_of(points);
            std::vector<TestType> gone;
            for (std::size_t k = 0; k < count / 7; ++k) {
                const auto at = static_cast<std::ptrdiff_t>(random.below(points.size()));
                gone.push_back(points[static_cast<std::size_t>(at)]);
                points.erase(points.begin() + at);
            }
            std::sort(gone.begin(), gone.end());
            const std::vector<TestType>& come = comers[kind++];
            points.insert(points.end(), come.begin(), come.end());
            std::sort(points.begin(), points.end());
            if (index.fits(points.size())) {
                index.repair(gone, come);
                CHECK(index == index_of(points));
                ++repaired;
            }
        }
    }
    CHECK(repaired >= 20);
}

TEST_CASE("index: no choice of positions makes a search pass many points one by one",
          "[ring][index][law]") {
    const std::vector<std::uint64_t> same(100'000, 42);
    CHECK(index_of(same).longest_scan() == 0);
    const auto points = points_on(same);
    CHECK(index_of(same).locate(points.data(), 42) == points.data());

    // Eight points in a bucket are passed one by one, nine are halved: 16 points make 64 buckets.
    std::vector<std::uint64_t> edge(16, std::uint64_t{1} << 63U);
    std::fill_n(edge.begin(), 8, std::uint64_t{1});
    CHECK(index_of(edge).longest_scan() == 8);
    edge[8] = 1;
    CHECK(index_of(edge).longest_scan() == 7);
    const auto crowd = points_on(edge);
    CHECK(index_of(edge).locate(crowd.data(), 2) == crowd.data() + 9);
}

TEST_CASE("index: it takes about four bytes a point on large rings", "[ring][index]") {
    dice random(1);
    std::vector<std::uint32_t> positions(160'000);
    for (std::uint32_t& p : positions) {
        p = static_cast<std::uint32_t>(random.next());
    }
    std::sort(positions.begin(), positions.end());
    const position_index<std::uint32_t> index = index_of(positions);
    CHECK(index.bytes() <= 8 * positions.size());
    CHECK(index.longest_scan() <= 8);
}
