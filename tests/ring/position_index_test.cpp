// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/skews.hpp"

#include <hashring/ring/position_index.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

using hashring::detail::point_head;
using hashring::detail::position_index;

namespace {

template <class Top>
constexpr unsigned bits_of = std::numeric_limits<Top>::digits;

template <class Top>
std::vector<point_head> heads_at(const std::vector<Top>& tops) {
    std::vector<point_head> heads;
    for (const Top top : tops) {
        heads.push_back({top, 0});
    }
    return heads;
}

// The table for points with those sorted tops.
template <class Top>
position_index index_of(const std::vector<Top>& tops) {
    position_index index;
    index.make_room(tops.size(), bits_of<Top>);
    index.fill(heads_at(tops));
    return index;
}

// Whether a search for `top` begins near the first point at or after it.
template <class Top>
bool starts_right(const position_index& index, const std::vector<Top>& tops, Top top) {
    const auto truth =
        static_cast<std::size_t>(std::lower_bound(tops.begin(), tops.end(), top) - tops.begin());
    const auto [first, last] = index.group(top);
    if (first > truth || truth > last) {
        return false;
    }
    const std::size_t start = index.start(top);
    return index.crowds(top) ||
           (first <= start && start <= truth && truth - start <= position_index::crowd);
}

} // namespace

TEMPLATE_TEST_CASE("index: a search begins at most eight points before its end or is halved",
                   "[ring][index][law]", std::uint8_t, std::uint16_t, std::uint32_t) {
    for (const std::size_t count : {1U, 2U, 3U, 7U, 100U, 4096U, 20000U}) {
        CAPTURE(count);
        for (const std::vector<TestType>& tops : skews<TestType>(count)) {
            const position_index index = index_of(tops);
            hashring::test::mismatches found;
            dice random(count);
            for (const TestType top : tops) {
                for (const unsigned off : {0U, 1U, ~0U}) {
                    const auto near = static_cast<TestType>(top + off);
                    found.expect(starts_right(index, tops, near), "near", top, off);
                }
                const auto any = static_cast<TestType>(random.next());
                found.expect(starts_right(index, tops, any), "any", any);
            }
            found.expect(starts_right(index, tops, TestType{0}), "at 0");
            found.expect(starts_right(index, tops, std::numeric_limits<TestType>::max()), "last");
            CHECK_NO_MISMATCHES(found);
            CHECK(index.longest_scan() <= position_index::crowd);
        }
    }
}

TEMPLATE_TEST_CASE("index: repairing it makes the table of the points as they are then",
                   "[ring][index][law]", std::uint8_t, std::uint32_t) {
    std::size_t repaired = 0;
    for (const std::size_t count : {5U, 60U, 200U, 3000U}) {
        CAPTURE(count);
        const auto comers = skews<TestType>(count / 5);
        std::size_t kind = 0;
        for (std::vector<TestType> tops : skews<TestType>(count)) {
            dice random(count + kind);
            position_index index = index_of(tops);
            std::vector<std::uint32_t> gone;
            for (std::size_t k = 0; k < count / 7; ++k) {
                const auto at = static_cast<std::ptrdiff_t>(random.below(tops.size()));
                gone.push_back(tops[static_cast<std::size_t>(at)]);
                tops.erase(tops.begin() + at);
            }
            std::sort(gone.begin(), gone.end());
            const std::vector<TestType>& come = comers[kind++];
            tops.insert(tops.end(), come.begin(), come.end());
            std::sort(tops.begin(), tops.end());
            if (index.fits(tops.size(), bits_of<TestType>)) {
                index.repair(gone, std::vector<std::uint32_t>(come.begin(), come.end()),
                             heads_at(tops));
                CHECK(index == index_of(tops));
                ++repaired;
            }
        }
    }
    CHECK(repaired >= 20);
}

TEST_CASE("index: eight points in a bucket are passed one by one, nine are halved",
          "[ring][index][edge]") {
    constexpr std::uint32_t middle = 1U << 31U;
    std::vector<std::uint32_t> tops(16, middle); // 16 points make 64 buckets
    std::fill_n(tops.begin(), 8, 1U);
    CHECK(index_of(tops).longest_scan() == 8);
    CHECK(index_of(tops).start(2) == 0);
    CHECK(index_of(tops).start(middle) == 8);
    tops[8] = 1;
    CHECK(index_of(tops).crowds(2));
    CHECK(index_of(tops).group(2).first == 0);
    CHECK(index_of(tops).group(2).second == 9);
    CHECK(index_of(tops).start(middle) == 9);
}

TEST_CASE("index: what a byte cannot count is halved", "[ring][index][edge]") {
    // Eight points in each of the first 32 of 1,024 buckets.
    std::vector<std::uint32_t> tops;
    for (std::uint32_t b = 0; b < 32; ++b) {
        tops.insert(tops.end(), 8, b << 22U);
    }
    const position_index index = index_of(tops);
    CHECK(index.start(30U << 22U) == 240);
    CHECK(index.start(31U << 22U) == 248);
    CHECK(index.start(32U << 22U) == 256); // the next group counts from 0

    std::fill_n(tops.begin() + 249, 7, 12U << 22U); // a crowd of 15 in bucket 12, one in 31
    std::sort(tops.begin(), tops.end());
    const position_index more = index_of(tops);
    CHECK(more.crowds(12U << 22U));
    CHECK(more.start(30U << 22U) == 247);
    CHECK(more.crowds(31U << 22U)); // 255 stand before it
    CHECK(more.start(32U << 22U) == 256);
}

TEST_CASE("index: no choice of positions makes a search pass many points one by one",
          "[ring][index][law]") {
    const std::vector<std::uint32_t> same(100'000, 42);
    const position_index index = index_of(same);
    CHECK(index.longest_scan() == 0);
    CHECK(index.crowds(42));
    CHECK(index.group(42).second == 100'000);
}

TEST_CASE("index: it takes at most two and a half bytes a point on large rings", "[ring][index]") {
    for (const std::size_t count : {20'000U, 160'000U, 131'073U}) {
        CAPTURE(count);
        const position_index index = index_of(skews<std::uint32_t>(count)[0]);
        CHECK(index.bytes() <= 5 * count / 2);
        CHECK(index.bytes() >= count);
    }
}
