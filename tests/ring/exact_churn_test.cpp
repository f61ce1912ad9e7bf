// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/exact_churn.hpp"
#include "support/exact_rings.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>

// Exact rings after many changes: even, and not in shreds.

using namespace exact_churn;
using hashring::test::mismatches;

namespace {

constexpr std::uint64_t seed = 0x7a11;

} // namespace

TEST_CASE("exact_ring: 1,500 pairs of changes leave the shares exact", "[exact][law]") {
    CAPTURE(seed);
    for (const std::size_t kinds : {1U, 3U}) { // equal weights, and 1, 2, 4
        for (const std::size_t nodes : {2U, 3U, 10U}) {
            CAPTURE(nodes, kinds);
            exact_ring<> ring(weighted_names(nodes, seed, kinds));
            mismatches found;
            churn(ring, 1500, kinds, seed, found);
            CHECK_NO_MISMATCHES(found);
            CHECK(gap_over_weight(ring) <= 1e-15);
            CHECK(ring.point_count() <= 120 * nodes);
        }
    }
}

TEST_CASE("exact_ring: the same at up to 100 nodes", "[exact][law][.long]") {
    CAPTURE(seed);
    for (const std::size_t kinds : {1U, 3U}) {
        for (const std::size_t nodes : {5U, 8U, 25U, 50U, 100U}) {
            CAPTURE(nodes, kinds);
            exact_ring<> ring(weighted_names(nodes, seed, kinds));
            CHECK(gap_over_weight(ring) <= 1e-15);
            mismatches found;
            churn(ring, 1500, kinds, seed, found);
            CHECK_NO_MISMATCHES(found);
            CHECK(gap_over_weight(ring) <= 1e-15);
            CHECK(ring.point_count() <= 120 * nodes);
        }
    }
}

TEST_CASE("exact_ring: 1,000 nodes that trade with 128 each stay within 1 %, weighted within 2",
          "[exact][law][.long]") {
    CAPTURE(seed);
    for (const std::size_t kinds : {1U, 3U}) {
        CAPTURE(kinds);
        const double bound = kinds == 1 ? 0.01 : 0.02;
        exact_ring<> ring(weighted_names(1000, seed, kinds));
        CHECK(gap_over_weight(ring) <= bound);
        mismatches found;
        churn(ring, 500, kinds, seed, found);
        CHECK_NO_MISMATCHES(found);
        CHECK(gap_over_weight(ring) <= bound);
        CHECK(ring.point_count() <= 250 * ring.size());
    }
}
