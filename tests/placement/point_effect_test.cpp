// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/test_schemes.hpp"

#include <hashring/placement/point_effect.hpp>
#include <hashring/placement/share_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace hashring;
using hashring::test::mismatches;

namespace {

using byte_scheme = test_schemes::listed<std::uint8_t>;
using last_scheme = test_schemes::listed<std::uint8_t, 99, tie_rule::last>;

template <class Scheme>
using points = std::vector<typename detail::measured_circle<Scheme>::point>;
using sums = std::vector<std::uint64_t>;

template <class Scheme>
sums sums_of(const points<Scheme>& list, std::uint32_t copies) {
    return detail::measured_circle<Scheme>::sums(list, 5, copies);
}

/// Sums as the definition has them: at each position the first `copies` owners clockwise.
template <class Scheme>
sums sums_by_position(const points<Scheme>& list, std::uint32_t copies) {
    sums result(5);
    for (unsigned p = 0; p <= Scheme::last_position; ++p) {
        std::size_t first = 0;
        while (first < list.size() && list[first].position < p) {
            ++first;
        }
        std::vector<std::uint32_t> holders;
        for (std::size_t k = 0; k < list.size() && holders.size() < copies; ++k) {
            const std::uint32_t owner = list[(first + k) % list.size()].owner;
            if (std::find(holders.begin(), holders.end(), owner) == holders.end()) {
                holders.push_back(owner);
                ++result[owner];
            }
        }
    }
    return result;
}

/// A sorted list in which each of five nodes has at least one point.
template <class Scheme>
points<Scheme> drawn(dice& random) {
    points<Scheme> list;
    const std::uint64_t bound = 1 + Scheme::last_position;
    for (std::uint32_t i = 0; i < 5 + random.below(20); ++i) {
        list.push_back({static_cast<std::uint8_t>(random.below(bound)),
                        i < 5 ? i : static_cast<std::uint32_t>(random.below(5))});
    }
    std::sort(list.begin(), list.end(), detail::stands_before<Scheme>);
    return list;
}

/// Whether `effect` says of one point what sums over both lists say.
template <class Scheme>
void compare_at(const points<Scheme>& with, std::size_t at, std::uint32_t copies,
                mismatches& found) {
    const std::uint32_t owner = with[at].owner;
    points<Scheme> without(with);
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(at));
    if (std::none_of(without.begin(), without.end(),
                     [&](const auto& p) { return p.owner == owner; })) {
        return; // a node is not to lose its last point
    }
    const auto before = sums_of<Scheme>(without, copies);
    const auto after = sums_of<Scheme>(with, copies);
    const auto check = [&](detail::point_effect<Scheme>& effect) {
        sums got(before);
        for (const auto& [other, width] : effect.exchanged()) {
            got[other] -= width;
            got[owner] += width;
        }
        found.expect(got == after, at, copies, with.size());
    };
    detail::point_effect<Scheme> dropped(copies);
    found.expect(dropped.find(with, at == 0 ? with.size() - 1 : at - 1, (at + 1) % with.size(),
                              with[at].position, owner),
                 "drop");
    check(dropped);
    detail::point_effect<Scheme> added(copies);
    found.expect(added.find(without, at == 0 ? without.size() - 1 : at - 1, at % without.size(),
                            with[at].position, owner),
                 "add");
    check(added);
}

} // namespace

TEST_CASE("share sums: three nodes on 256 positions by hand", "[corrected][golden]") {
    const points<byte_scheme> list{{9, 0}, {99, 1}, {109, 0}, {255, 2}};
    CHECK(sums_of<byte_scheme>(list, 1) == sums{20, 90, 146, 0, 0});
    CHECK(sums_of<byte_scheme>(list, 2) == sums{256, 100, 156, 0, 0});
    CHECK(sums_of<byte_scheme>(list, 3) == sums{256, 256, 256, 0, 0});
}

TEMPLATE_TEST_CASE("share sums: what the walk from every position says", "[corrected][law]",
                   byte_scheme, last_scheme) {
    dice random(0x5eed);
    mismatches found;
    for (int round = 0; round < 300; ++round) {
        const auto list = drawn<TestType>(random);
        if (std::adjacent_find(list.begin(), list.end(),
                               [](const auto& a, const auto& b) {
                                   return a.position == b.position;
                               }) != list.end() &&
            list.front().position == list.back().position) {
            continue;
        }
        for (std::uint32_t copies = 1; copies <= 6; ++copies) {
            found.expect(sums_of<TestType>(list, copies) ==
                             sums_by_position<TestType>(list, copies),
                         round, copies);
        }
    }
    CHECK_NO_MISMATCHES(found);
}

TEMPLATE_TEST_CASE("point effect: what all sums say with the point and without it",
                   "[corrected][law]", byte_scheme, last_scheme) {
    dice random(0xeffec7);
    mismatches found;
    for (int round = 0; round < 200; ++round) {
        const auto list = drawn<TestType>(random);
        for (std::size_t at = 0; at < list.size(); ++at) {
            for (const std::uint32_t copies : {1U, 2U, 3U}) {
                compare_at<TestType>(list, at, copies, found);
            }
        }
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("point effect: gives up where one node owns hundreds of points in a row",
          "[corrected][edge]") {
    points<byte_scheme> list;
    for (unsigned p = 0; p < 250; ++p) {
        list.push_back({static_cast<std::uint8_t>(p), 0});
    }
    list.push_back({250, 1});
    detail::point_effect<byte_scheme> effect(2);
    CHECK_FALSE(effect.find(list, 10, 11, 11, 2));
    detail::point_effect<byte_scheme> owner_only(1);
    CHECK(owner_only.find(list, 10, 11, 11, 2));
}
