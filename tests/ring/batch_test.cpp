// SPDX-License-Identifier: MIT
#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/schemes.hpp"

#include <hashring/ring/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using hashring::no_node;

namespace {

std::vector<std::string> some_keys(std::size_t count) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i) {
        keys.push_back("user:" + std::to_string(i * 7919));
    }
    return keys;
}

template <class Ring>
Ring ring_of(std::size_t nodes) {
    Ring ring;
    ring.add(node_names(nodes, 5));
    return ring;
}

// Whether both forms of a batch answer as the ring does one by one, for so many keys.
template <class Ring>
void check_batch(const Ring& ring, std::size_t count) {
    const std::vector<std::string> keys = some_keys(count);
    std::vector<std::uint32_t> indices(count, 77);
    std::vector<typename Ring::node_type> nodes(count);
    std::vector<typename Ring::position_type> positions;
    for (const std::string& k : keys) {
        positions.push_back(ring.position(k));
    }
    std::vector<std::uint32_t> by_position(count, 77);
    REQUIRE(ring.owners(keys, std::span(indices)) == count);
    REQUIRE(ring.owners(keys, std::span(nodes)) == count);
    REQUIRE(ring.owners_at(positions, std::span(by_position)) == count);
    std::vector<typename Ring::node_type> nodes_at(count);
    REQUIRE(ring.owners_at(positions, std::span(nodes_at)) == count);
    hashring::test::mismatches found;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view truth = ring.owner(keys[i])->name();
        found.compare(ring.node(indices[i]).name(), truth, i);
        found.compare(nodes[i].name(), truth, i);
        found.compare(by_position[i], indices[i], i);
        found.compare(nodes_at[i].name(), truth, i);
    }
    CHECK_NO_MISMATCHES(found);
}

} // namespace

TEMPLATE_TEST_CASE("batch: it answers as the ring does one by one", "[ring][batch][law]",
                   HASHRING_KINDS_OF_SCHEMES) {
    const auto few = ring_of<hashring::ring<TestType>>(3);
    const auto many = ring_of<hashring::ring<TestType>>(300); // long enough to fetch ahead
    for (const std::size_t count : {0U, 1U, 23U, 24U, 25U, 39U, 40U, 41U, 256U, 257U, 3000U}) {
        CAPTURE(count);
        check_batch(few, count);
        check_batch(many, count);
    }
}

TEST_CASE("batch: it ends where the room ends", "[ring][batch][edge][small]") {
    const auto ring = ring_of<hashring::ring<>>(10);
    const std::vector<std::string> keys = some_keys(600);
    for (const std::size_t room : {0U, 1U, 256U, 257U, 599U}) {
        CAPTURE(room);
        std::vector<std::uint32_t> out(600, 77);
        CHECK(ring.owners(keys, std::span(out).first(room)) == room);
        const auto untouched = static_cast<std::size_t>(std::count(out.begin(), out.end(), 77U));
        CHECK(untouched == 600 - room);
        std::vector<hashring::node_ref<>> nodes(room);
        CHECK(ring.owners(keys, std::span(nodes)) == room);
    }
}

TEST_CASE("batch: without points there is no owner", "[ring][batch][edge][small]") {
    const std::vector<std::string> keys = some_keys(300);
    hashring::ring<> ring;
    std::vector<std::uint32_t> out(300, 77);
    CHECK(ring.owners(keys, std::span(out)) == 300);
    CHECK(std::count(out.begin(), out.end(), no_node) == 300);
    std::vector<hashring::node_ref<>> nodes(300);
    CHECK(ring.owners(keys, std::span(nodes)) == 0);
    ring.add("idle", hashring::weight{0});
    CHECK(ring.owners(keys, std::span(nodes)) == 0);
    CHECK(ring.owners_at(std::vector<std::uint64_t>{1, 2}, std::span(nodes)) == 0);
}

TEST_CASE("batch: any range of keys will do, and none allocates", "[ring][batch]") {
    const auto ring = ring_of<hashring::ring<>>(300);
    const std::vector<std::uint64_t> numbers = {1, 2, 3, 0xffffffffffffffffU};
    const std::forward_list<std::string_view> texts = {"a", "b", "", "a"};
    std::vector<std::uint32_t> out(4);
    std::vector<hashring::node_ref<>> nodes(4);
    const allocations used = allocations_of([&] {
        ring.owners(numbers, std::span(out));
        ring.owners(texts, std::span(nodes));
    });
    CHECK(used.count == 0);
    CHECK(ring.node(out[3]) == *ring.owner(0xffffffffffffffffU));
    CHECK(nodes[0] == nodes[3]);
    CHECK(nodes[2] == *ring.owner(""));
    STATIC_REQUIRE_FALSE(hashring::key_range<std::string>); // a key, not keys
    STATIC_REQUIRE_FALSE(hashring::key_range<std::vector<std::uint8_t>>);
    STATIC_REQUIRE(hashring::key_range<std::vector<std::string>>);
}
