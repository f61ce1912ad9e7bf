// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <hashring/ring/sort_points.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace {

template <class Position>
bool by_position_and_owner(const hashring::detail::entry<Position>& a,
                           const hashring::detail::entry<Position>& b) {
    return a.position() != b.position() ? a.position() < b.position() : a.owner() < b.owner();
}

// Whether `sort_points` leaves `points` as a plain sort does.
template <class Position>
bool sorts_right(std::vector<hashring::detail::entry<Position>> points) {
    auto expected = points;
    std::sort(expected.begin(), expected.end(), by_position_and_owner<Position>);
    hashring::detail::sort_points(std::span(points), by_position_and_owner<Position>);
    return points == expected;
}

} // namespace

TEMPLATE_TEST_CASE("sort_points: it sorts as a plain sort does, however positions crowd",
                   "[ring][sort][law]", std::uint16_t, std::uint32_t, std::uint64_t) {
    for (const std::size_t count : {0U, 1U, 2U, 16U, 17U, 63U, 64U, 65U, 1000U, 30000U}) {
        CAPTURE(count);
        dice random(count);
        std::vector<hashring::detail::entry<TestType>> spread;
        std::vector<hashring::detail::entry<TestType>> crowded;
        std::vector<hashring::detail::entry<TestType>> equal;
        for (std::size_t i = 0; i < count; ++i) {
            const auto position = static_cast<TestType>(random.next());
            const auto owner = static_cast<std::uint32_t>(random.below(100));
            spread.push_back({position, owner});
            crowded.push_back({static_cast<TestType>(position >> 9U), owner});
            equal.push_back({static_cast<TestType>(random.below(2) - 1U), owner});
        }
        CHECK(sorts_right(spread));
        CHECK(sorts_right(crowded));
        CHECK(sorts_right(equal));
    }
}
