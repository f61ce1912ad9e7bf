// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/core/uint128.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/arc.hpp>
#include <hashring/ring/ring.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Rings whose positions have 128 bits.

using namespace hashring;

namespace narrow_tops {

constexpr std::uint64_t ones = ~std::uint64_t{0};

// A position of four numbers of few values, so that many share the first 32, 64 or 96 bits, or all.
uint128 position_of(std::string_view text) {
    const std::uint64_t h = hash::murmur64a{}(text);
    const auto few = [&](unsigned at) -> std::uint64_t {
        constexpr std::array<std::uint64_t, 4> values = {0, 1, 0x80000000, 0xffffffff};
        return values[(h >> at) % 4];
    };
    return {few(8) << 32U | few(16), few(24) << 32U | few(32)};
}

struct scheme : scheme_defaults<uint128>, counts_per_weight<160> {
    static constexpr std::string_view name = "narrow-tops";
    static constexpr std::string_view summary = "positions of 128 bits, close to each other";
    static constexpr std::string_view key_rule = "few values";
    static constexpr std::string_view point_rule = "few values";

    [[nodiscard]] static uint128 position(std::string_view key) noexcept {
        return position_of(key);
    }
    static void points(const placed_node& node, std::span<uint128> out) {
        for (std::size_t j = 0; j < out.size(); ++j) {
            out[j] = position_of(label(node, static_cast<std::uint32_t>(j)));
        }
    }
    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return concat(node.name, "/", decimal(j));
    }
    friend bool operator==(const scheme&, const scheme&) = default;
};

} // namespace narrow_tops

namespace {

using narrow_tops::ones;
using wide_ring = ring<narrow_tops::scheme>;

// The owner by a look at all points.
std::uint32_t by_search(const wide_ring& placed, uint128 p) {
    std::uint32_t owner = no_node;
    uint128 best;
    uint128 lowest{ones, ones};
    std::uint32_t first = no_node;
    for (std::uint32_t i = 0; i < placed.size(); ++i) {
        const auto node = placed.node(i);
        std::vector<uint128> points(node.vnodes());
        narrow_tops::scheme::points({.name = node.name()}, points);
        for (const uint128& point : points) {
            if (point >= p && (owner == no_node || point < best)) {
                best = point;
                owner = i;
            }
            if (first == no_node || point < lowest) {
                lowest = point;
                first = i;
            }
        }
    }
    return owner == no_node ? first : owner;
}

wide_ring small_ring(std::size_t nodes, std::uint32_t vnodes) {
    wide_ring placed;
    for (std::size_t i = 0; i < nodes; ++i) {
        placed.add({concat("n", decimal(i)), weight{1}, {}, vnodes});
    }
    return placed;
}

} // namespace

TEST_CASE("wide positions: numbers of 128 bits in decimal", "[uint128][golden]") {
    CHECK(decimal(uint128{}) == "0");
    CHECK(decimal(uint128{10}) == "10");
    CHECK(decimal(uint128{1, 0}) == "18446744073709551616");
    CHECK(decimal(uint128{ones, ones}) == "340282366920938463463374607431768211455");
    STATIC_REQUIRE(std::numeric_limits<uint128>::max() == uint128{ones, ones});
    STATIC_REQUIRE(std::numeric_limits<uint128>::min() == uint128{});
    STATIC_REQUIRE(std::numeric_limits<uint128>::digits == 128);
    STATIC_REQUIRE(position_integer<uint128>);
    STATIC_REQUIRE(position_integer<std::uint16_t>);
    STATIC_REQUIRE_FALSE(position_integer<int>);
}

TEST_CASE("wide positions: widths count multiples of 2^64", "[ring][wide][golden]") {
    const uint128 last{ones, ones};
    const auto width_of = [&](uint128 first, uint128 end) {
        return width(arc<uint128>{first, end}, last);
    };
    CHECK(circle_width(last) == uint128(1, 0));
    CHECK(width_of({1, 1}, {5, 0}) == uint128(4));
    CHECK(width_of({1, 1}, {1, 7}) == uint128(0));
    CHECK(width_of({1, 8}, {1, 7}) == uint128(1, 0)); // the whole circle
    CHECK(width_of({1, 9}, {1, 7}) == uint128(1, 0)); // nearly
    CHECK(width_of({ones, 1}, {2, 0}) == uint128(3));
    CHECK(width_of({}, last) == uint128(1, 0));
}

TEST_CASE("wide positions: a key's owner is the first point at or after it", "[ring][wide][law]") {
    constexpr std::uint64_t seed = 614;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (const std::uint32_t vnodes : {1U, 3U, 40U}) {
        const wide_ring placed = small_ring(5, vnodes);
        for (int i = 0; i < 400; ++i) {
            const uint128 near = narrow_tops::position_of(input.bytes(4));
            for (const uint128& p : {near, near + 1, near - 1}) {
                wrong.compare(placed.owner_index_at(p), by_search(placed, p), vnodes, decimal(p));
            }
        }
        for (const uint128& p : {uint128{}, uint128{ones, ones}, uint128{ones, ones - 1}}) {
            wrong.compare(placed.owner_index_at(p), by_search(placed, p), vnodes, decimal(p));
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("wide positions: rings are the same whatever their history", "[ring][wide][law]") {
    wide_ring changed = small_ring(6, 30);
    changed.remove("n2");
    changed.remove("n5");
    changed.set_vnodes("n1", 7);
    wide_ring made;
    for (const char* name : {"n4", "n3", "n1", "n0"}) {
        made.add({name, weight{1}, {}, name[1] == '1' ? 7U : 30U});
    }
    CHECK(changed == made);
    CHECK(changed.fingerprint() == made.fingerprint());
    CHECK(changed.fingerprint() != small_ring(6, 30).fingerprint());
}

TEST_CASE("wide positions: widths sum up to the circle, and one node has it all",
          "[ring][wide][law]") {
    const wide_ring placed = small_ring(5, 40);
    uint128 sum;
    for (const uint128& w : placed.widths()) {
        sum += w;
    }
    CHECK(sum == uint128(1, 0));
    CHECK(small_ring(1, 1).widths() == std::vector<uint128>{{1, 0}});
    CHECK(small_ring(1, 1).shares() == std::vector<double>{1.0});
}

TEST_CASE("wide positions: a diff names what moves", "[ring][wide][law]") {
    const wide_ring before = small_ring(5, 20);
    const wide_ring after = small_ring(6, 20);
    const auto moved = diff(before, after);
    constexpr std::uint64_t seed = 615;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int i = 0; i < 2000; ++i) {
        const std::string key = input.bytes(5);
        wrong.expect(moved.moves(key) == (before.owner(key) != after.owner(key)), i);
    }
    CHECK(wrong.report() == "");
    CHECK_FALSE(moved.empty());
    CHECK(moved.moved_fraction() <= 1.0);
}

TEST_CASE("wide positions: many look-ups at once are the same", "[ring][wide][law]") {
    const wide_ring placed = small_ring(40, 600); // more than stay in the cache
    std::vector<std::string> keys;
    for (int i = 0; i < 500; ++i) {
        keys.push_back(std::to_string(i));
    }
    std::vector<std::uint32_t> owners(keys.size());
    CHECK(placed.owners(keys, std::span(owners)) == keys.size());
    test::mismatches wrong;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        wrong.compare(owners[i], placed.owner_index_at(placed.position(keys[i])), i);
    }
    CHECK(wrong.report() == "");
}
