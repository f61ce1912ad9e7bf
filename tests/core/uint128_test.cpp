// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/core/uint128.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

using namespace hashring;

namespace {

constexpr std::uint64_t top = 0x8000000000000000U;
constexpr std::uint64_t ones = 0xffffffffffffffffU;

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 native128;

constexpr native128 native(const uint128& x) {
    return (native128{x.high} << 64U) | x.low;
}

constexpr uint128 ours(native128 x) {
    return {static_cast<std::uint64_t>(x >> 64U), static_cast<std::uint64_t>(x)};
}

/// Random halves of every width, and every pair of halves around the places where carries happen.
std::vector<uint128> operands() {
    constexpr std::array<std::uint64_t, 8> edges = {0,   1,        2,   0xffffffffU, 0x100000000U,
                                                    top, ones - 1, ones};
    std::vector<uint128> result;
    for (const std::uint64_t high : edges) {
        for (const std::uint64_t low : edges) {
            result.emplace_back(high, low);
        }
    }
    test::seeded_input input(31);
    for (int i = 0; i < 100; ++i) {
        result.emplace_back(input.number_of_any_width(), input.number_of_any_width());
    }
    return result;
}
#endif

} // namespace

TEST_CASE("uint128: values at the seam of the halves", "[uint128][golden]") {
    CHECK(uint128(ones) + 1 == uint128(1, 0));
    CHECK(uint128(1, 0) - 1 == uint128(ones));
    CHECK(uint128(ones, ones) + 1 == uint128(0));
    CHECK(uint128(0) - 1 == uint128(ones, ones));
    CHECK(multiply(ones, ones) == uint128(ones - 1, 1));
    CHECK(multiply(0x100000000U, 0x100000000U) == uint128(1, 0));
    CHECK(multiply(0x9e3779b97f4a7c15U, 160) == uint128(0x62, 0xe2ac13ef8e8d8d20U));
    CHECK(uint128{} == uint128(0, 0));
}

TEST_CASE("uint128: as a double", "[uint128][golden]") {
    CHECK(uint128(0).to_double() == 0.0);
    CHECK(uint128(12345).to_double() == 12345.0);
    CHECK(uint128(1, 0).to_double() == 18446744073709551616.0);
    CHECK(uint128(3, top).to_double() == 3.5 * 18446744073709551616.0);
}

TEST_CASE("uint128: quotients and remainders", "[uint128][golden]") {
    const division whole_circle = divide(uint128(1, 0), 3);
    CHECK(whole_circle.quotient == uint128(0x5555555555555555U));
    CHECK(whole_circle.remainder == 1);
    const division largest = divide(uint128(ones, ones), ones);
    CHECK(largest.quotient == uint128(1, 1));
    CHECK(largest.remainder == 0);
    const division smaller = divide(uint128(5), 7);
    CHECK(smaller.quotient == uint128(0));
    CHECK(smaller.remainder == 5);
}

TEST_CASE("uint128: constant expressions may use it", "[uint128]") {
    STATIC_REQUIRE(uint128(1, 0) > uint128(ones));
    STATIC_REQUIRE(divide(multiply(ones, 10), 10).quotient == uint128(ones));
    STATIC_REQUIRE(uint128(2, 0).to_double() == 0x1p65);
}

#ifdef __SIZEOF_INT128__
TEST_CASE("uint128: sums, differences and order are those of a built-in type", "[uint128][law]") {
    const std::vector<uint128> values = operands();
    test::mismatches wrong;
    for (const uint128& a : values) {
        for (const uint128& b : values) {
            wrong.expect(a + b == ours(native(a) + native(b)), a.high, a.low, '+', b.high, b.low);
            wrong.expect(a - b == ours(native(a) - native(b)), a.high, a.low, '-', b.high, b.low);
            wrong.expect((a <=> b) == (native(a) <=> native(b)), a.high, a.low, '?', b.high, b.low);
            wrong.expect((a == b) == (native(a) == native(b)), a.high, a.low, '=', b.high, b.low);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("uint128: products are those of a built-in type", "[uint128][law]") {
    const std::vector<uint128> values = operands();
    test::mismatches wrong;
    for (const uint128& a : values) {
        for (const uint128& b : values) {
            const native128 product = native128{a.high} * native128{b.low};
            wrong.expect(multiply(a.high, b.low) == ours(product), a.high, '*', b.low);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("uint128: divisions are those of a built-in type", "[uint128][law]") {
    const std::vector<uint128> values = operands();
    test::mismatches wrong;
    for (const uint128& a : values) {
        for (const uint128& b : values) {
            if (b.low == 0) {
                continue;
            }
            const division got = divide(a, b.low);
            wrong.expect(got.quotient == ours(native(a) / b.low), a.high, a.low, '/', b.low);
            wrong.expect(got.remainder == native(a) % b.low, a.high, a.low, '%', b.low);
        }
    }
    CHECK(wrong.report() == "");
}
#endif

TEST_CASE("uint128: a number may be added to and taken from itself", "[uint128][edge]") {
    uint128 x(5, top);
    x += x;
    CHECK(x == uint128(11, 0));
    x -= x;
    CHECK(x == uint128(0));
}
