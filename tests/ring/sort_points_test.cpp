// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/skews.hpp"

#include <hashring/ring/sort_points.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using hashring::detail::entry;
using hashring::detail::fresh_points;
using hashring::detail::position_index;

namespace {

template <class Position>
bool by_position_and_owner(const entry<Position>& a, const entry<Position>& b) {
    return a.position != b.position ? a.position < b.position : a.owner < b.owner;
}

// Whether `sorted_points` gives what a plain sort does, and the index of that.
template <class Position>
bool sorts_right(const fresh_points<Position>& fresh) {
    std::vector<entry<Position>> expected;
    for (const auto& run : fresh.runs) {
        for (std::uint32_t j = 0; j < run.count; ++j) {
            expected.push_back({fresh.positions[expected.size()], run.owner});
        }
    }
    std::sort(expected.begin(), expected.end(), by_position_and_owner<Position>);
    const auto bits = std::min(std::numeric_limits<Position>::digits, 32);
    position_index index;
    index.make_room(expected.size(), static_cast<unsigned>(bits));
    position_index filled = index;
    const auto sorted =
        hashring::detail::sorted_points(fresh, index, by_position_and_owner<Position>);
    std::vector<entry<Position>> got;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        got.push_back(sorted[i]);
    }
    filled.fill({sorted.heads(), sorted.size()});
    return got == expected && index == filled;
}

} // namespace

TEMPLATE_TEST_CASE(
    "sort_points: it sorts and counts as one after the other, however positions crowd",
    "[ring][sort][law]", std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
    for (const std::size_t count : {0U, 1U, 2U, 3U, 16U, 63U, 64U, 65U, 1000U, 30000U}) {
        CAPTURE(count);
        for (const std::vector<TestType>& kind : skews<TestType>(count)) {
            dice random(count);
            fresh_points<TestType> fresh{kind, {}};
            random.shuffle(fresh.positions);
            std::size_t left = count;
            for (std::uint32_t owner = 0; left > 0; owner += 3) {
                const auto some = static_cast<std::uint32_t>(
                    std::min<std::size_t>(left, 1 + random.below(1 + count / 4)));
                fresh.runs.push_back({owner, some});
                left -= some;
            }
            CHECK(sorts_right(fresh));
        }
    }
}
