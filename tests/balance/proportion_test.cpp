// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/balance/proportion.hpp>

#include <cstdint>

using namespace hashring;

namespace {

constexpr std::uint64_t ones = 0xffffffffffffffffU;

bool same(const wide_division& d, std::uint64_t quotient, const uint128& remainder) {
    return d == wide_division{quotient, remainder};
}

} // namespace

TEST_CASE("proportion: known values", "[proportion][golden]") {
    CHECK(proportion(7, 3, 2) == 10);
    CHECK(proportion(100, 1, 3) == 33);
    CHECK(proportion(ones, 1, 2) == ones / 2);
    CHECK(proportion(ones, 2, 3) == 0xaaaaaaaaaaaaaaaaU);
    CHECK(proportion(ones, uint128(1, 0), uint128(2, 0)) == ones / 2);
    CHECK(proportion(10, uint128(3, 0), uint128(2, 0)) == 15);
    CHECK(proportion(3, uint128(5, 7), uint128(1, 1)) == 15);
    CHECK(proportion(std::uint64_t{1} << 63U, ones - 1, ones) == (std::uint64_t{1} << 63U) - 1);
}

TEST_CASE("proportion: rounding up", "[proportion][golden]") {
    CHECK(proportion_up(100, 1, 3) == 34);
    CHECK(proportion_up(99, 1, 3) == 33);
    CHECK(proportion_up(10, uint128(3, 0), uint128(2, 0)) == 15);
    CHECK(proportion_up(10, uint128(3, 1), uint128(2, 0)) == 16);
    CHECK(proportion_up(0, 5, 7) == 0);
    CHECK(proportion_up(4, ones, 3) == ones);
}

TEST_CASE("proportion: wide division", "[proportion][golden]") {
    CHECK(same(divide_wide(uint128(7, 5), uint128(2, 0)), 3, uint128(1, 5)));
    CHECK(same(divide_wide(uint128(0, 9), uint128(0, 4)), 2, 1));
    CHECK(same(divide_wide(uint128(ones, ones), uint128(0, 1)), ones, 0));
    CHECK(same(divide_wide(uint128(4, 0), 1), ones, 0));
    CHECK(same(divide_wide(uint128(ones >> 1U, ones - 1), uint128(ones >> 1U, ones)), 0,
               uint128(ones >> 1U, ones - 1)));
}

TEST_CASE("proportion: it is the quotient of the product", "[proportion][law]") {
    constexpr std::uint64_t seed = 201;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 2000; ++round) {
        const std::uint64_t x = input.number_of_any_width();
        const std::uint64_t part = input.number_of_any_width();
        const std::uint64_t whole = input.number_of_any_width() | 1U;
        const division d = divide(multiply(x, part), whole);
        const std::uint64_t want = d.quotient.high != 0 ? ones : d.quotient.low;
        wrong.compare(proportion(x, part, whole), want, x, part, whole);
        const std::uint64_t up = want == ones || d.remainder == 0 ? want : want + 1;
        wrong.compare(proportion_up(x, part, whole), up, x, part, whole);
    }
    CHECK(wrong.report() == "");
}

// Both scaled by one number, so far that 64 bits do not hold them.
TEST_CASE("proportion: a common factor changes nothing", "[proportion][law]") {
    constexpr std::uint64_t seed = 202;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 2000; ++round) {
        const std::uint64_t x = input.number_of_any_width();
        const std::uint64_t part = input.number_of_any_width();
        const std::uint64_t whole = input.number_of_any_width() | 1U;
        const std::uint64_t factor = (input.number_of_any_width() >> 2U) | 1U;
        const uint128 wide_part = multiply(part, factor);
        const uint128 wide_whole = multiply(whole, factor);
        wrong.compare(proportion(x, wide_part, wide_whole), proportion(x, part, whole), x, part,
                      whole, factor);
        wrong.compare(proportion_up(x, wide_part, wide_whole), proportion_up(x, part, whole), x,
                      part, whole, factor);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("proportion: square roots", "[proportion][law]") {
    constexpr std::uint64_t seed = 203;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 1000; ++round) {
        const std::uint64_t x = input.number_of_any_width();
        const uint128 root = square_root(x);
        wrong.expect(multiply(root.low, root.low) <= uint128(x), x);
        wrong.expect(multiply(root.low + 1, root.low + 1) > uint128(x), x);
    }
    CHECK(wrong.report() == "");
    CHECK(square_root(0) == 0);
    CHECK(square_root(ones) == 0xffffffffU);
}

TEST_CASE("proportion: what does not fit is the largest number", "[proportion][edge]") {
    CHECK(proportion(ones, 2, 1) == ones);
    CHECK(proportion(2, uint128(1, 0), 1) == ones);
    CHECK(proportion(2, uint128(ones, 0), uint128(1, 0)) == ones);
    CHECK(proportion(1, uint128(ones >> 2U, 0), 1) == ones);
    CHECK(proportion(0, uint128(ones, 0), 1) == 0);
}
