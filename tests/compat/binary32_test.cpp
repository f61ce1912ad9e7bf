// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/compat/binary32.hpp>

#include <cfloat>
#include <cstdint>
#include <limits>

using namespace hashring;
using compat::binary32;

namespace {

constexpr std::uint64_t floor_of(std::uint64_t integer) {
    return binary32::nearest(integer).floor();
}

// An integer of any width, of which every second has few digits, so that ties are met.
std::uint64_t operand(test::seeded_input& input) {
    const std::uint64_t any = input.number_of_any_width() >> 2U;
    return any % 2 == 0 ? (any & ~(any >> 20U)) + 1 : any + 1;
}

bool same(binary32 ours, float theirs) {
    return ours.floor() == static_cast<std::uint64_t>(theirs);
}

} // namespace

TEST_CASE("binary32: integers are rounded to 24 digits, ties to even", "[binary32][golden]") {
    STATIC_REQUIRE(floor_of(0) == 0);
    STATIC_REQUIRE(floor_of(1) == 1);
    STATIC_REQUIRE(floor_of(16777215) == 16777215);
    STATIC_REQUIRE(floor_of(16777216) == 16777216);
    STATIC_REQUIRE(floor_of(16777217) == 16777216); // a tie
    STATIC_REQUIRE(floor_of(16777218) == 16777218);
    STATIC_REQUIRE(floor_of(16777219) == 16777220); // a tie
    STATIC_REQUIRE(floor_of(33554431) == 33554432); // up to the next power of two
    STATIC_REQUIRE(floor_of(33554435) == 33554436);
    STATIC_REQUIRE(floor_of(33554434) == 33554432); // a tie
    STATIC_REQUIRE(floor_of(33554433) == 33554432); // below a tie
    STATIC_REQUIRE(floor_of(33554438) == 33554440); // a tie
}

TEST_CASE("binary32: a quotient is rounded once", "[binary32][golden]") {
    const auto divided = [](std::uint64_t a, std::uint64_t b, std::uint64_t unit) {
        return (binary32::nearest(a) / binary32::nearest(b) * binary32::nearest(unit)).floor();
    };
    // The units are powers of two, which round nothing.
    CHECK(divided(1, 3, std::uint64_t{1} << 25U) == 11184811);  // 0x1.555556p-2
    CHECK(divided(2, 3, std::uint64_t{1} << 24U) == 11184811);  // 0x1.555556p-1
    CHECK(divided(1, 10, std::uint64_t{1} << 27U) == 13421773); // 0x1.99999ap-4
    CHECK(divided(1, 25, std::uint64_t{1} << 28U) == 10737418); // 0x1.47ae14p-5
    // A hair above a tie, far behind the digits that a tie is told by.
    CHECK(divided(11842570, 14403835, std::uint64_t{1} << 24U) == 13793921);
    CHECK(divided(13178615, 16200459, std::uint64_t{1} << 24U) == 13647791);
    CHECK(divided(7, 7, 1) == 1);
    CHECK(divided(0, 7, 1) == 0);
    CHECK(divided(6, 4, 2) == 3);
}

TEST_CASE("binary32: the floor drops what is behind the point", "[binary32][golden]") {
    const auto halves = [](std::uint64_t a) {
        return (binary32::nearest(a) / binary32::nearest(2)).floor();
    };
    CHECK(halves(1) == 0);
    CHECK(halves(2) == 1);
    CHECK(halves(3) == 1);
    CHECK(halves(16777215) == 8388607);
    CHECK((binary32::nearest(1) / binary32::nearest(std::uint64_t{1} << 40U)).floor() == 0);
    CHECK((binary32::nearest(16777215) / binary32::nearest(16777216)).floor() == 0);
    CHECK(floor_of(std::uint64_t{1} << 62U) == std::uint64_t{1} << 62U);
}

// Where the machine rounds each step to float, it is the same float.
TEST_CASE("binary32: it is the machine's float where that rounds each step", "[binary32][law]") {
    STATIC_REQUIRE(std::numeric_limits<float>::is_iec559);
    if (FLT_EVAL_METHOD != 0) {
        return;
    }
    constexpr std::uint64_t seed = 93;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int i = 0; i < 50'000; ++i) {
        const std::uint64_t a = operand(input);
        const std::uint64_t b = operand(input) >> (a % 60);
        const std::uint64_t divisor = b + 1;
        wrong.expect(floor_of(a) == static_cast<std::uint64_t>(static_cast<float>(a)), a);
        const float quotient = static_cast<float>(a) / static_cast<float>(divisor);
        const binary32 ours = binary32::nearest(a) / binary32::nearest(divisor);
        wrong.expect(same(ours, quotient), a, "/", divisor);
        // Scaled up by a power of two, so that no digit is behind the point.
        if (quotient < 1e6F) {
            constexpr std::uint64_t scale = std::uint64_t{1} << 40U;
            const binary32 scaled = ours * binary32::nearest(scale);
            wrong.expect(same(scaled, quotient * static_cast<float>(scale)), a, "/", divisor);
            const float product = quotient * static_cast<float>(a % 100'000);
            wrong.expect(same(ours * binary32::nearest(a % 100'000), product), a, divisor);
        }
    }
    CHECK(wrong.report() == "");
}
