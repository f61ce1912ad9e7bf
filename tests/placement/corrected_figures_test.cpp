// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/corrected_rings.hpp"

#include <cstddef>
#include <cstdint>

// How even corrected rings are and what they move, over many lists of names. All of it is exact
// arithmetic on seeded names.

using namespace corrected_rings;

namespace {

constexpr std::size_t sizes[] = {2, 3, 5, 8, 10, 25, 100};
constexpr std::size_t equal = 1; // kinds of weights
constexpr std::size_t one_two_four = 3;

} // namespace

TEST_CASE("corrected: the load gap is at most 0.5 %", "[corrected][law]") {
    for (const std::uint32_t vnodes : {64U, 128U}) {
        for (const std::size_t nodes : sizes) {
            for (const std::size_t kinds : {equal, one_two_four}) {
                CAPTURE(vnodes, nodes, kinds);
                CHECK(worst_gap(scheme_of(vnodes), nodes, kinds, nodes == 100 ? 1 : 3) <= 0.005);
            }
        }
    }
}

TEST_CASE("corrected: a wider tolerance is kept too", "[corrected][law]") {
    corrected scheme = scheme_of(128);
    scheme.tolerance = 25'000;
    for (const std::size_t nodes : sizes) {
        const double gap = worst_gap(scheme, nodes, equal, nodes == 100 ? 1 : 6);
        CAPTURE(nodes, gap);
        CHECK(gap <= 0.05);
        CHECK(gap > 0.01); // and not more is done than is asked for
    }
}

TEST_CASE("corrected: with 3 copies their gap is at most 0.5 %", "[corrected][law][heavy]") {
    for (const std::size_t nodes : {5U, 10U, 25U}) {
        CAPTURE(nodes);
        CHECK(worst_gap(scheme_of(512, 3), nodes, equal, 3) <= 0.005);
        CHECK(worst_gap(scheme_of(128, 3), nodes, equal, 3) <= 0.005);
    }
    CHECK(worst_gap(scheme_of(512, 3), 100, equal, 1) <= 0.005);
    CHECK(worst_gap(scheme_of(128, 3), 25, one_two_four, 3) <= 0.005);
    CHECK(worst_gap(scheme_of(128, 2), 10, one_two_four, 3) <= 0.005);
}

TEST_CASE("corrected: a change moves little more than the least", "[corrected][law]") {
    const movement few = mean_movement(128, 10, 20);
    CHECK(few.of_joining <= 1.5);
    CHECK(few.of_leaving <= 1.5);
    const movement many = mean_movement(512, 10, 10);
    CHECK(many.of_joining <= 1.25);
    CHECK(many.of_leaving <= 1.25);
    CHECK(many.of_joining >= 1.0);
}

TEST_CASE("corrected: the gap over 100 seeds, and at 1,000 nodes", "[corrected][law][.long]") {
    corrected wide = scheme_of(128);
    wide.tolerance = 25'000;
    for (const std::size_t nodes : sizes) {
        const std::uint64_t seeds = nodes == 100 ? 12 : 100;
        for (const std::size_t kinds : {equal, one_two_four}) {
            CAPTURE(nodes, kinds);
            CHECK(worst_gap(scheme_of(64), nodes, kinds, seeds) <= 0.005);
            CHECK(worst_gap(scheme_of(128), nodes, kinds, seeds) <= 0.005);
            CHECK(worst_gap(wide, nodes, kinds, seeds) <= 0.05);
        }
    }
    for (const std::size_t kinds : {equal, one_two_four}) {
        CAPTURE(kinds);
        CHECK(worst_gap(scheme_of(128), 1000, kinds, 3) <= 0.005);
    }
}

TEST_CASE("corrected: with 3 copies over 100 seeds, and at 1,000 nodes",
          "[corrected][law][.long]") {
    for (const std::size_t nodes : {5U, 10U, 25U, 100U}) {
        CAPTURE(nodes);
        CHECK(worst_gap(scheme_of(512, 3), nodes, equal, nodes == 100 ? 12 : 100) <= 0.005);
    }
    CHECK(worst_gap(scheme_of(512, 3), 100, one_two_four, 12) <= 0.005);
    CHECK(worst_gap(scheme_of(512, 3), 1000, equal, 1) <= 0.005);
}

TEST_CASE("corrected: what changes move over 100 seeds, and at 100 nodes",
          "[corrected][law][.long]") {
    const movement few = mean_movement(128, 10, 100);
    CHECK(few.of_joining <= 1.5);
    CHECK(few.of_leaving <= 1.5);
    const movement many = mean_movement(512, 10, 100);
    CHECK(many.of_joining <= 1.25);
    CHECK(many.of_leaving <= 1.25);
    const movement most = mean_movement(512, 100, 12);
    CHECK(most.of_joining <= 2.1);
    CHECK(most.of_leaving <= 2.1);
}
