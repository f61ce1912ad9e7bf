// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/test_schemes.hpp"

#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace hashring;
using hashring::test::mismatches;

namespace {

using byte_scheme = test_schemes::listed<std::uint8_t>;
using odd_scheme = test_schemes::listed<std::uint8_t, 99>;

template <class Batches>
std::string text_of(const Batches& batches) {
    std::string text;
    for (const auto& batch : batches) {
        text += text.empty() ? "" : " | ";
        for (const auto& a : batch.arcs) {
            text += concat(&a == batch.arcs.data() ? "" : " ", decimal(a.where.first), "-",
                           decimal(a.where.last));
        }
    }
    return text;
}

/// The batches of `moved` say of every position what `moved` says, once.
template <class Scheme>
void check_batches(const ring_diff<Scheme>& moved, std::uint64_t most, mismatches& found) {
    const auto batches = migration_batches(moved, uint128(most));
    for (unsigned p = 0; p <= Scheme::last_position; ++p) {
        const auto position = static_cast<std::uint8_t>(p);
        const auto arc = moved.find_at(position);
        unsigned times = 0;
        for (const auto& batch : batches) {
            for (const auto& a : batch.arcs) {
                if (a.where.contains(position)) {
                    ++times;
                    found.expect(arc && a.from == arc->from && a.to == arc->to, "owners", p, most);
                }
            }
        }
        found.compare(times, arc ? 1U : 0U, "times", p, most);
    }
    for (std::size_t i = 0; i < batches.size(); ++i) {
        uint128 sum;
        for (const auto& a : batches[i].arcs) {
            sum += width(a.where, Scheme::last_position);
        }
        found.expect(sum == batches[i].width && sum > 0 && sum <= most, "width", i, most);
        if (i > 0) { // the next one begins with a whole arc that did not fit, or is a piece
            found.expect(batches[i - 1].width +
                                 width(batches[i].arcs[0].where, Scheme::last_position) >
                             most,
                         "room", i, most);
        }
    }
}

} // namespace

TEST_CASE("migration_batches: arcs by hand", "[migration][golden]") {
    const ring<byte_scheme> before({"a:19,59,99"});
    const ring<byte_scheme> after({"a:19,59,99", "b:9,39,79"});
    const auto moved = diff(before, after); // 100 to 9, 20 to 39, 60 to 79
    REQUIRE(moved.arcs().size() == 3);
    CHECK(text_of(migration_batches(moved, 256)) == "100-9 20-39 60-79");
    CHECK(text_of(migration_batches(moved, 206)) == "100-9 20-39 60-79");
    CHECK(text_of(migration_batches(moved, 205)) == "100-9 20-39 | 60-79");
    CHECK(text_of(migration_batches(moved, 100)) == "100-199 | 200-9 20-39 | 60-79");
    CHECK(text_of(migration_batches(moved, 83)) == "100-182 | 183-9 | 20-39 60-79");
    CHECK(text_of(migration_batches(moved, 160)) == "100-3 | 4-9 20-39 60-79");
    CHECK(text_of(migration_batches(moved, 156)) == "100-255 | 0-9 20-39 60-79");
    CHECK(migration_batches(moved, 0.4).size() == migration_batches(moved, 102).size());
}

TEMPLATE_TEST_CASE("migration_batches: every position that moves is in one batch",
                   "[migration][law]", byte_scheme, odd_scheme) {
    dice random(0xba7c4);
    mismatches found;
    const auto drawn = [&] {
        std::vector<node_spec> nodes;
        for (const char* name : {"a", "b", "c", "d"}) {
            std::vector<std::uint8_t> positions;
            for (std::uint64_t i = random.below(5); i-- > 0;) {
                positions.push_back(
                    static_cast<std::uint8_t>(random.below(1U + TestType::last_position)));
            }
            nodes.emplace_back(test_schemes::listed_node(name, positions));
        }
        return ring<TestType>(nodes);
    };
    for (int round = 0; round < 150; ++round) {
        const auto moved = diff(drawn(), drawn());
        for (const std::uint64_t most : {1U, 2U, 7U, 30U, 99U, 100U, 101U, 256U, 1000U}) {
            check_batches(moved, most, found);
        }
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("migration_batches: the whole circle in parts", "[migration][edge]") {
    const ring<> before({"a"});
    const ring<> after({"b"});
    const auto moved = diff(before, after);
    REQUIRE(moved.moved_fraction() == 1.0);
    const auto quarters = migration_batches(moved, 0.25);
    REQUIRE(quarters.size() == 4);
    CHECK(quarters[3].width == uint128(std::uint64_t{1} << 62U));
    CHECK(migration_batches(moved, 1.0).size() == 1);
    CHECK(migration_batches(moved, uint128(5, 0)).size() == 1);
    CHECK(migration_batches(diff(before, before), 0.25).empty());
}

TEST_CASE("migration_batches: the same for an exact ring", "[migration][edge]") {
    exact_ring<> ring(node_names(10, 1));
    const auto batches = migration_batches(ring.join("fresh"), 0.01);
    CHECK(batches.size() >= 10);
    uint128 sum;
    for (const auto& batch : batches) {
        sum += batch.width;
    }
    CHECK(sum == ring.widths()[ring.index_of("fresh")]);
}

TEST_CASE("migration_batches: a budget that allows nothing", "[migration][error]") {
    const auto moved = diff(ring<>({"a"}), ring<>({"b"}));
    CHECK_THROWS_AS(migration_batches(moved, uint128(0)), invalid_amount);
    CHECK_THROWS_AS(migration_batches(moved, uint128(1000)), invalid_amount);
    for (const double share : {0.0, -0.1, 1.1, 1e-9, std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity()}) {
        CAPTURE(share);
        CHECK_THROWS_AS(migration_batches(moved, share), invalid_amount);
    }
}
