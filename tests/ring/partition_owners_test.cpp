// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace hashring;

namespace {

// Partition by partition, node by node of the walk.
std::vector<std::uint32_t> by_walk(const ring<>& r, std::size_t partitions,
                                   std::vector<std::size_t> room) {
    std::vector<std::uint32_t> owners;
    for (std::uint64_t p = 0; p < partitions; ++p) {
        auto walk = r.walk_from(p);
        while (room[walk.current()] == 0) {
            walk.advance();
        }
        --room[walk.current()];
        owners.push_back(walk.current());
    }
    return owners;
}

} // namespace

TEST_CASE("partition_owners: it succeeds exactly if there is room, and keeps every cap",
          "[ring][partitions][law]") {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U);
    CAPTURE(seed);
    dice random(seed);
    ring<> r(node_names(1 + random.below(7), seed));
    r.add("weightless", weight{0});
    std::vector<std::size_t> caps;
    for (std::uint32_t i = 0; i < r.size(); ++i) {
        caps.push_back(random.below(9));
    }
    std::size_t room = 0;
    for (std::uint32_t i = 0; i < r.size(); ++i) {
        room += r.node(i).vnodes() > 0 ? caps[i] : 0;
    }
    for (std::size_t partitions = 0; partitions <= room; ++partitions) {
        CHECK(partition_owners(r, partitions, caps) == by_walk(r, partitions, caps));
    }
    CHECK_THROWS_AS(partition_owners(r, room + 1, caps), invalid_amount);
}

TEST_CASE("partition_owners: with equal caps, nodes times cap is what they take",
          "[ring][partitions][law]") {
    const ring<> r(node_names(5, 2));
    CHECK(partition_owners(r, 20, 4).size() == 20);
    CHECK_THROWS_AS(partition_owners(r, 21, 4), invalid_amount);
    const std::vector<std::uint32_t> full = partition_owners(r, 20, 4);
    for (std::uint32_t i = 0; i < 5; ++i) {
        CHECK(std::count(full.begin(), full.end(), i) == 4);
    }
    const std::vector<std::uint32_t> loose = partition_owners(r, 1000, 1000);
    std::size_t others = 0;
    for (std::uint64_t p = 0; p < 1000; ++p) {
        others += loose[p] != r.owner_index_at(r.position(p)) ? 1U : 0U;
    }
    CHECK(others == 0); // with room for all each has its owner
}

TEST_CASE("partition_owners: none, and nobody to take any", "[ring][partitions][edge]") {
    CHECK(partition_owners(ring<>(), 0, 1).empty());
    CHECK_THROWS_AS(partition_owners(ring<>(), 1, 1), invalid_amount);
    CHECK(partition_owners(ring<>{"a"}, 3, ~std::size_t{0}).size() == 3);
}

TEST_CASE("partition_owners: caps of more or fewer nodes than there are, are refused",
          "[ring][partitions][error]") {
    const ring<> r{"a", "b"};
    for (const std::size_t caps : {0U, 1U, 3U}) {
        CAPTURE(caps);
        CHECK_THROWS_AS(partition_owners(r, 1, std::vector<std::size_t>(caps, 9)), invalid_amount);
        CHECK_THROWS_AS(partition_owners(r, 0, std::vector<std::size_t>(caps, 9)), invalid_amount);
    }
}
