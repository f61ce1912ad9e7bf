// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/hash/bkdr.hpp>
#include <hashring/hash/concept.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/hash/xxhash.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

using namespace hashring;
using hash::mix;

namespace {

/// The inverse of z ^ (z >> shift).
constexpr std::uint64_t unshift(std::uint64_t z, unsigned shift) {
    std::uint64_t result = z;
    for (unsigned known = shift; known < 64; known += shift) {
        result = z ^ (result >> shift);
    }
    return result;
}

/// The inverse of an odd number modulo 2^64: each step of Newton's method doubles its right bits.
constexpr std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t x = odd;
    for (int step = 0; step < 6; ++step) {
        x *= 2 - odd * x;
    }
    return x;
}

constexpr std::uint64_t unmix(std::uint64_t z) {
    z = unshift(z, 31) * inverse(0x94d049bb133111ebU);
    z = unshift(z, 27) * inverse(0xbf58476d1ce4e5b9U);
    return unshift(z, 30);
}

/// The greatest distance from one half of how often an output bit follows an input bit, over
/// `samples` inputs that `input(i)` gives.
template <class Input>
double worst_avalanche(int samples, Input input) {
    std::array<std::array<int, 64>, 64> flips{};
    for (int i = 0; i < samples; ++i) {
        const std::uint64_t z = input(i);
        for (std::size_t in = 0; in < 64; ++in) {
            const std::uint64_t changed = mix(z) ^ mix(z ^ (std::uint64_t{1} << in));
            for (std::size_t out = 0; out < 64; ++out) {
                flips[in][out] += static_cast<int>((changed >> out) & 1U);
            }
        }
    }
    double worst = 0.0;
    for (const auto& row : flips) {
        for (const int count : row) {
            worst = std::max(worst, std::abs(static_cast<double>(count) / samples - 0.5));
        }
    }
    return worst;
}

} // namespace

namespace near_miss {

/// A hash that does all it must; those below lack one thing each.
struct good_hash {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "good";
    static constexpr bool avalanches = true;
    constexpr std::uint32_t operator()(std::string_view) const noexcept { return 1; }
    friend bool operator==(const good_hash&, const good_hash&) = default;
};
struct signed_result : good_hash {
    using result_type = std::int32_t;
    constexpr std::int32_t operator()(std::string_view) const noexcept { return 1; }
};
struct other_result : good_hash {
    constexpr std::uint64_t operator()(std::string_view) const noexcept { return 1; }
};
struct may_throw : good_hash {
    constexpr std::uint32_t operator()(std::string_view) const { return 1; }
};
struct not_const : good_hash {
    constexpr std::uint32_t operator()(std::string_view) noexcept { return 1; }
};
struct incomparable : good_hash {
    friend bool operator==(const incomparable&, const incomparable&) = delete;
};
struct nameless {
    using result_type = std::uint32_t;
    static constexpr bool avalanches = true;
    constexpr std::uint32_t operator()(std::string_view) const noexcept { return 1; }
    friend bool operator==(const nameless&, const nameless&) = default;
};
struct unjudged {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "unjudged";
    constexpr std::uint32_t operator()(std::string_view) const noexcept { return 1; }
    friend bool operator==(const unjudged&, const unjudged&) = default;
};

} // namespace near_miss

TEST_CASE("mix: the first outputs of SplitMix64 with seed 0", "[mix][golden]") {
    constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
    CHECK(mix(1 * step) == 0xe220a8397b1dcdafU);
    CHECK(mix(2 * step) == 0x6e789e6aa1b965f4U);
    CHECK(mix(3 * step) == 0x06c45d188009454fU);
    CHECK(mix(0) == 0);
    STATIC_REQUIRE(mix(step) == 0xe220a8397b1dcdafU);
}

TEST_CASE("mix: a finalised hash is the mix of its value", "[mix][golden]") {
    CHECK(hash::finalised<hash::crc32>{}("123456789") == mix(0xcbf43926U));
    CHECK(hash::finalised<hash::bkdr<31>>{}("192.168.1.10") == mix(2036017769U));
    CHECK(hash::finalised<hash::murmur64a>{{hash::jedis_seed}}("SHARD-0-NODE-0") ==
          mix(0xbd32a55c5369ab7cU));
    CHECK(hash::raw<hash::crc32>{}("123456789") == 0xcbf43926U);
    CHECK(hash::raw<hash::murmur64a>{{hash::jedis_seed}}("SHARD-0-NODE-0") == 0xbd32a55c5369ab7cU);
    STATIC_REQUIRE(hash::finalised<hash::crc32>{}("123456789") == mix(0xcbf43926U));
    STATIC_REQUIRE(std::is_same_v<hash::finalised<hash::crc32>::result_type, std::uint64_t>);
    STATIC_REQUIRE(std::is_same_v<hash::raw<hash::crc32>::result_type, std::uint32_t>);
}

TEST_CASE("mix: the adapters have names of their own", "[mix][golden]") {
    CHECK(hash::finalised<hash::crc32>::name == "mix-crc32");
    CHECK(hash::finalised<hash::bkdr_printed<1313>>::name == "mix-bkdr-printed-1313");
    CHECK(hash::raw<hash::bkdr<131>>::name == "raw-bkdr-131");
    CHECK(hash::finalised<hash::raw<hash::md5>>::name == "mix-raw-md5");
}

TEST_CASE("mix: it is a bijection", "[mix][law]") {
    constexpr std::uint64_t seed = 101;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::uint64_t i = 0; i < 20000; ++i) {
        for (const std::uint64_t z : {i, ~i, i << 40U, input.number()}) {
            wrong.compare(unmix(mix(z)), z, z);
            wrong.compare(mix(unmix(z)), z, z);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("mix: every input bit reaches every output bit", "[mix][law]") {
    constexpr std::uint64_t seed = 102;
    CAPTURE(seed);
    test::seeded_input input(seed);
    // 4096 frequencies of 10,000 fair coins: a distance of 0.025 is five standard deviations.
    CHECK(worst_avalanche(10000, [&](int) { return input.number(); }) < 0.025);
}

TEST_CASE("mix: neighbouring numbers part nearly as well as random ones", "[mix][law]") {
    CHECK(worst_avalanche(10000, [](int i) { return static_cast<std::uint64_t>(i); }) < 0.03);
}

TEMPLATE_TEST_CASE("hash: the same bytes give the same value from any copy", "[mix][law]",
                   hash::bkdr<31>, hash::bkdr_printed<131313>, hash::crc32, hash::murmur64a,
                   hash::md5, hash::xxh3, hash::xxh64, hash::finalised<hash::bkdr<131>>,
                   hash::raw<hash::crc32>) {
    constexpr std::uint64_t seed = 103; // [B51]
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    const TestType first{};
    for (std::size_t length = 0; length < 100; ++length) {
        const std::string text = input.bytes(length);
        const auto value = first(text);
        const TestType second = first;
        wrong.compare(first(text), value, length);
        wrong.compare(second(text), value, length);
    }
    CHECK(wrong.report() == "");
    CHECK(first == TestType{});
    STATIC_REQUIRE(hash_function<TestType>);
}

TEST_CASE("hash: what may be a position as it is", "[mix][edge]") {
    STATIC_REQUIRE(position_hash<hash::murmur64a>);
    STATIC_REQUIRE(position_hash<hash::md5>);
    STATIC_REQUIRE(position_hash<hash::xxh3>);
    STATIC_REQUIRE(position_hash<hash::xxh64>);
    STATIC_REQUIRE_FALSE(position_hash<hash::bkdr<131>>);
    STATIC_REQUIRE_FALSE(position_hash<hash::bkdr_printed<31>>);
    STATIC_REQUIRE_FALSE(position_hash<hash::crc32>);
    STATIC_REQUIRE(position_hash<hash::finalised<hash::bkdr<131>>>);
    STATIC_REQUIRE(position_hash<hash::finalised<hash::crc32>>);
    STATIC_REQUIRE(position_hash<hash::raw<hash::bkdr<131>>>);
}

TEST_CASE("hash: what lacks a part is no hash", "[mix][error]") {
    STATIC_REQUIRE(hash_function<near_miss::good_hash>);
    STATIC_REQUIRE_FALSE(hash_function<near_miss::signed_result>);
    STATIC_REQUIRE_FALSE(hash_function<near_miss::other_result>);
    STATIC_REQUIRE_FALSE(hash_function<near_miss::may_throw>);
    STATIC_REQUIRE_FALSE(hash_function<near_miss::not_const>);
    STATIC_REQUIRE_FALSE(hash_function<near_miss::incomparable>);
    STATIC_REQUIRE_FALSE(hash_function<near_miss::nameless>);
    STATIC_REQUIRE_FALSE(hash_function<near_miss::unjudged>);
    STATIC_REQUIRE_FALSE(hash_function<std::uint64_t (*)(std::string_view) noexcept>);
}
