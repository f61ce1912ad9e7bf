// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/hash/crc32.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/point_rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace hashring;

namespace {

constexpr placed_node group_a{.name = "GroupA"};

std::vector<std::uint32_t> digest_points(std::size_t count) {
    std::vector<std::uint32_t> points(count);
    points_by_digest(labels::joined{}, group_a, points);
    return points;
}

/// The number of different values.
template <class Number>
std::size_t different(std::vector<Number> values) {
    std::sort(values.begin(), values.end());
    return static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

} // namespace

TEST_CASE("point rules: four positions of a digest", "[points][golden]") {
    CHECK(digest_points(5) == std::vector<std::uint32_t>{245117634U, 3903967603U, 3989765375U,
                                                         2676201676U,
                                                         hash::md5::digest("GroupA1").words[0]});
}

TEST_CASE("point rules: a name hashed once gives the outputs of SplitMix64", "[points][golden]") {
    CHECK(hashed_once_position(0, 0) == 0xe220a8397b1dcdafU);
    CHECK(hashed_once_position(0, 1) == 0x6e789e6aa1b965f4U);
    CHECK(hashed_once_position(0, 2) == 0x06c45d188009454fU);
    CHECK(hashed_once_position(1234567, 0) == 6457827717110365317U); // the generator seeded with
    CHECK(hashed_once_position(1234567, 1) == 3203168211198807973U); // 1234567, as published by
    CHECK(hashed_once_position(1234567, 2) == 9817491932198370423U); // Rosetta Code
    STATIC_REQUIRE(hashed_once_position(0, 2) == 0x06c45d188009454fU);
}

TEST_CASE("point rules: by label, each point is the hash of its label", "[points][law]") {
    constexpr std::uint64_t seed = 111;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    const hash::murmur64a murmur{5};
    for (std::size_t count = 0; count < 60; ++count) {
        const std::string name = input.bytes(1 + count % 20);
        const placed_node node{.name = name};
        std::vector<std::uint64_t> points(count);
        points_by_label(murmur, labels::dashed{}, node, points);
        for (std::size_t j = 0; j < count; ++j) {
            wrong.compare(points[j], murmur(name + "-" + std::to_string(j)), count, j);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("point rules: by digest, point j is word j mod 4 of digest j / 4", "[points][law]") {
    test::mismatches wrong;
    for (std::size_t count = 0; count <= 170; ++count) { // [B29]: not only multiples of four
        const std::vector<std::uint32_t> points = digest_points(count);
        for (std::size_t j = 0; j < count; ++j) {
            const auto digest = hash::md5::digest("GroupA" + std::to_string(j / 4));
            wrong.compare(points[j], digest.words[j % 4], count, j);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("point rules: hashed once is SplitMix64 stepped from the name's hash", "[points][law]") {
    constexpr std::uint64_t seed = 112;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int i = 0; i < 200; ++i) {
        const std::uint64_t start = input.number_of_any_width();
        std::uint64_t state = start;
        for (std::uint64_t j = 0; j < 100; ++j) {
            state += 0x9e3779b97f4a7c15U; // Vigna's next(), written out
            std::uint64_t z = state;
            z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
            z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
            wrong.compare(hashed_once_position(start, j), z ^ (z >> 31U), start, j);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("point rules: a million virtual nodes of one name all differ", "[points][law]") {
    const std::uint64_t name_hash = hash::xxh3{}("cache-a"); // [B16]
    std::vector<std::uint64_t> points;
    points.reserve(1'000'000);
    for (std::uint64_t j = 0; j < 1'000'000; ++j) {
        points.push_back(hashed_once_position(name_hash, j));
    }
    CHECK(different(points) == 1'000'000);
}

TEST_CASE("point rules: the index of a label is not cut", "[points][law]") {
    for (const std::size_t count : {257U, 65'537U}) { // [B16]
        std::vector<std::uint64_t> points(count);
        points_by_label(hash::xxh64{}, labels::hashed{}, group_a, points);
        CHECK(different(points) == count);
        CHECK(points[0] != points[count - 1]);
    }
    // Of 65,537 words of 32 bits one pair is equal by chance; Python's hashlib finds the same.
    CHECK(different(digest_points(257)) == 257);
    CHECK(different(digest_points(65'537)) == 65'536);
}

TEST_CASE("point rules: no virtual node asks for no hash", "[points][edge]") {
    CHECK(digest_points(0).empty());
    std::vector<std::uint64_t> none;
    points_by_label(hash::xxh3{}, labels::hashed{}, group_a, none);
    CHECK(none.empty());
}

TEST_CASE("point rules: the largest indices wrap as 64-bit numbers do", "[points][edge]") {
    constexpr std::uint64_t last = ~std::uint64_t{0};
    CHECK(hashed_once_position(7, last) == hash::mix(7));
    CHECK(hashed_once_position(7, last - 1) == hash::mix(7 - 0x9e3779b97f4a7c15U));
    CHECK(hashed_once_position(last, 0) == hash::mix(0x9e3779b97f4a7c14U));
}
