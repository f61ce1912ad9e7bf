// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/thresholds.hpp>

#include <cstdint>
#include <limits>
#include <string>

using namespace hashring;

namespace {

constexpr std::uint64_t one = fraction64::one_bits;

relative_load relative(double value) {
    return {static_cast<std::uint64_t>(value * 4294967296.0)};
}

} // namespace

TEST_CASE("fraction: known values", "[fraction][golden]") {
    CHECK(fraction64{}.bits() == 0);
    CHECK(fraction64::one().bits() == one);
    CHECK(fraction64(0.25).bits() == one / 4);
    CHECK(fraction64::percent(50).bits() == one / 2);
    CHECK(fraction64::ratio(1, 3).bits() == 0x2aaaaaaaaaaaaaaaU);
    CHECK(fraction64::ratio(uint128(1, 0), uint128(4, 0)).bits() == one / 4);
    CHECK(fraction64(0.75).value() == 0.75);
    CHECK(fraction64(0.75).of(10) == 7);
    CHECK(fraction64::one().of(~std::uint64_t{0}) == ~std::uint64_t{0});
    CHECK(fraction64::ratio(3, 2) == fraction64::one());
}

TEST_CASE("fraction: as text", "[fraction][golden]") {
    CHECK(fraction64::percent(5).percent_text() == "5 %");
    CHECK(fraction64(0.125).percent_text() == "12.5 %");
    CHECK(fraction64::ratio(2, 3).percent_text() == "66.67 %");
    CHECK(fraction64::ratio(1, 1000).percent_text() == "0.1 %");
    CHECK(fraction64().percent_text() == "0 %");
    CHECK(fraction64::one().percent_text() == "100 %");
    CHECK(relative(1.0).text() == "1");
    CHECK(relative(0.3335).text() == "0.333");
    CHECK(relative(1.03125).text() == "1.031");
    CHECK(relative(1.0625).text(2) == "1.06");
    CHECK(relative_load{~std::uint64_t{0}}.text() == "4294967296");
    CHECK(relative(0.75).value() == 0.75);
}

TEST_CASE("threshold: as text and back", "[threshold][golden]") {
    CHECK(threshold{} == threshold::parse("5%"));
    CHECK(threshold{} == threshold::of_median(fraction64::ratio(1, 20)));
    CHECK(threshold::parse("2.5 %") == threshold::of_median(fraction64::ratio(1, 40)));
    CHECK(threshold::parse("0.05") == threshold::absolute(fraction64::ratio(1, 20)));
    CHECK(threshold::parse("1") == threshold::absolute(fraction64::one()));
    CHECK(threshold::parse("100%") == threshold::of_median(fraction64::one()));
    CHECK(threshold::parse("0.000000001").value() == fraction64::ratio(1, 1'000'000'000));
    for (const std::string text : {"5 %", "2.5 %", "0.05", "0.1", "100 %", "0 %", "0.000000001"}) {
        CHECK(threshold::parse(text).text() == text);
    }
}

TEST_CASE("threshold: the distance that it allows", "[threshold][golden]") {
    const threshold part = threshold::of_median(fraction64(0.25));
    const threshold absolute = threshold::absolute(fraction64(0.25));
    const auto step_below = [](fraction64 f) {
        return fraction64::from_bits(f.bits() - 1);
    };
    CHECK(step_below(part.distance(fraction64(0.5))) == fraction64(0.125));
    CHECK(step_below(absolute.distance(fraction64(0.5))) == fraction64(0.25));
    CHECK(part.distance(relative(2.0), fraction64(0.5)).bits - 1 == relative(0.5).bits);
    CHECK(absolute.distance(relative(2.0), fraction64(0.5)).bits - 1 == relative(0.5).bits);
    CHECK(absolute.distance(relative(2.0), fraction64(0.125)).bits - 1 == relative(2.0).bits);
    CHECK(absolute.distance(relative(2.0), fraction64::from_bits(1)).bits == ~std::uint64_t{0});
}

TEST_CASE("fraction: a ratio is rounded down", "[fraction][law]") {
    constexpr std::uint64_t seed = 211;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 1000; ++round) {
        const std::uint64_t whole = input.number_of_any_width() | 1U;
        const std::uint64_t part = input.below(whole);
        const std::uint64_t bits = fraction64::ratio(part, whole).bits();
        wrong.expect(multiply(bits, whole) <= multiply(part, one), part, whole);
        wrong.expect(multiply(bits + 1, whole) > multiply(part, one), part, whole);
        wrong.expect(fraction64::ratio(part, whole).of(whole) <= part, part, whole);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("fraction: what is no number from 0 to 1", "[fraction][error]") {
    CHECK_THROWS_AS(fraction64(-0.01), invalid_option);
    CHECK_THROWS_AS(fraction64(1.0000001), invalid_option);
    CHECK_THROWS_AS(fraction64(std::numeric_limits<double>::quiet_NaN()), invalid_option);
    CHECK_THROWS_AS(fraction64::percent(101), invalid_option);
    CHECK(fraction64(1.0) == fraction64::one());
    CHECK(fraction64(-0.0) == fraction64());
    CHECK(fraction64::from_bits(one + 1) == fraction64::one());
}

TEST_CASE("threshold: what is none", "[threshold][error]") {
    for (const std::string text :
         {"", "%", "5%%", "-5%", "+5%", "101%", "1.1", "0.", ".5", "0.0000000001", "5 % ", "a",
          "1e-2", "0,05", "100.000000001%", "4294967296", "0.1.2", "0.-1", " 5%"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(threshold::parse(text), invalid_option);
    }
}
