// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/core/error.hpp>
#include <hashring/core/weight.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

using namespace hashring;
using namespace std::string_view_literals;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// `units` rounded by hand on its decimal expansion, which is finite and here whole: the first
/// three places, and one more if the fourth digit is 5 or above.
std::uint64_t rounded_by_hand(double units) {
    std::array<char, 128> text;
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), units, std::chars_format::fixed, 80);
    const std::string_view digits(text.data(), static_cast<std::size_t>(end.ptr - text.data()));
    const std::size_t dot = digits.find('.');
    std::uint64_t thousandths = 0;
    for (const char digit :
         std::string(digits.substr(0, dot)) + std::string(digits.substr(dot + 1, 3))) {
        thousandths = thousandths * 10 + static_cast<std::uint64_t>(digit - '0');
    }
    return thousandths + (digits[dot + 4] >= '5' ? 1 : 0);
}

std::string refusal_of(std::string_view text) {
    try {
        return "taken as " + weight::parse(text).text();
    } catch (const invalid_weight& error) {
        return error.what();
    }
}

} // namespace

TEST_CASE("weight: whole numbers, fractions and text say the same", "[weight][golden][small]") {
    CHECK(weight{}.thousandths() == 1000);
    CHECK(weight{2}.thousandths() == 2000);
    CHECK(weight{0.5}.thousandths() == 500);
    CHECK(weight::parse("1.125").thousandths() == 1125);
    CHECK(weight::from_thousandths(7).thousandths() == 7);
    CHECK(weight{2} == weight{2.0});
    CHECK(weight{std::uint8_t{2}} == weight::parse("2"));
    CHECK(weight{2.5F} == weight::parse("2.5"));
    CHECK(weight{0.503}.value() == 0.503);
    CHECK(weight::from_thousandths(1500).value() == 1.5);
}

TEST_CASE("weight: the text is the shortest", "[weight][golden][small]") {
    CHECK(weight{}.text() == "1");
    CHECK(weight{0}.text() == "0");
    CHECK(weight{0.5}.text() == "0.5");
    CHECK(weight{0.05}.text() == "0.05");
    CHECK(weight{0.001}.text() == "0.001");
    CHECK(weight{12.34}.text() == "12.34");
    CHECK(weight{1.125}.text() == "1.125");
    CHECK(weight{100}.text() == "100");
    CHECK(weight{weight::max}.text() == "1000000");
}

TEST_CASE("weight: a half is rounded upwards", "[weight][golden][small]") {
    CHECK(weight{0.0625}.thousandths() == 63);   // 62.5 exactly
    CHECK(weight{0.1875}.thousandths() == 188);  // 187.5 exactly
    CHECK(weight{0.0005}.thousandths() == 1);    // the double is a little above
    CHECK(weight{0.0015}.thousandths() == 2);    // a little above
    CHECK(weight{2.0005}.thousandths() == 2001); // a little above
    CHECK(weight{1.0005}.thousandths() == 1000); // a little below
    CHECK(weight{999999.9375}.thousandths() == 999'999'938);
}

TEST_CASE("weight: constant expressions may use it", "[weight]") {
    STATIC_REQUIRE(weight{3}.thousandths() == 3000);
    STATIC_REQUIRE(weight{0.0625}.thousandths() == 63);
    STATIC_REQUIRE(weight::from_thousandths(5) < weight{1});
}

TEST_CASE("weight: a double is rounded as on paper", "[weight][law]") {
    constexpr std::uint64_t seed = 51;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    const auto check = [&](double units) {
        for (const double near : {std::nextafter(units, 0.0), units, std::nextafter(units, 1e7)}) {
            const std::uint64_t want = rounded_by_hand(near);
            if (near <= 1e6 && (want > 0 || near == 0.0)) {
                wrong.compare(weight{near}.thousandths(), want, near);
            }
        }
    };
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const auto k = static_cast<double>(i);
        check(k / 16.0);           // exact halves among them
        check((k + 0.5) / 1000.0); // near a half
        check(static_cast<double>(input.below(1'000'000'000)) / 1000.0);
        const auto mantissa = static_cast<double>(input.number() >> 11U);
        check(std::ldexp(mantissa, -static_cast<int>(33 + input.below(31))));
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("weight: the text is read back as the same weight", "[weight][law]") {
    constexpr std::uint64_t seed = 52;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const std::uint64_t drawn = input.number_of_any_width() % (1000 * weight::max + 1);
        for (const std::uint64_t thousandths : {i, drawn, 1000 * weight::max - i}) {
            const weight w = weight::from_thousandths(thousandths);
            wrong.expect(weight::parse(w.text()) == w, thousandths);
            wrong.expect(weight{w.value()} == w, thousandths);
            const bool has_places = w.text().find('.') != std::string::npos;
            wrong.expect(!has_places || w.text().back() != '0', thousandths);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("weight: the order is that of the numbers", "[weight][law]") {
    CHECK(weight{1} < weight{1.001});
    CHECK(weight{2} > weight{1.999});
    CHECK(weight{0} < weight{0.001});
    CHECK(weight{3} >= weight{3.0});
    CHECK(weight{1} != weight{1.001});
}

TEST_CASE("weight: the ends of the range", "[weight][edge]") {
    CHECK(weight{0}.thousandths() == 0);
    CHECK(weight{0.0}.thousandths() == 0);
    CHECK(weight{-0.0}.thousandths() == 0);
    CHECK(weight{0.001}.thousandths() == 1);
    CHECK(weight{1e6}.thousandths() == 1'000'000'000);
    CHECK(weight{1'000'000LL}.thousandths() == 1'000'000'000);
    CHECK(weight::from_thousandths(1'000'000'000) == weight{1e6});
    CHECK(weight::parse("1000000").thousandths() == 1'000'000'000);
    CHECK(weight::parse("1000000.000").thousandths() == 1'000'000'000);
    CHECK(weight::parse("0.000").thousandths() == 0);
    CHECK(weight::parse("0.001").thousandths() == 1);
    CHECK(weight::parse("007.50").thousandths() == 7500);
}

TEST_CASE("weight: numbers out of range are typed errors", "[weight][error]") {
    CHECK_THROWS_AS(weight{-1}, invalid_weight);
    CHECK_THROWS_AS(weight{std::numeric_limits<std::int64_t>::min()}, invalid_weight);
    CHECK_THROWS_AS(weight{1'000'001}, invalid_weight);
    CHECK_THROWS_AS(weight{std::numeric_limits<std::uint64_t>::max()}, invalid_weight);
    CHECK_THROWS_AS(weight::from_thousandths(1'000'000'001), invalid_weight);
    STATIC_REQUIRE(std::is_base_of_v<std::invalid_argument, invalid_weight>);
}

TEST_CASE("weight: doubles that are no weight are typed errors", "[weight][error]") {
    const double units = GENERATE(std::numeric_limits<double>::quiet_NaN(), infinity, -infinity,
                                  -1.0, -1e-300, 1e6 + 0.001, 1e300, 0.0001, 0.0004999, 1e-300,
                                  std::numeric_limits<double>::denorm_min());
    CAPTURE(units);
    CHECK_THROWS_AS(weight{units}, invalid_weight);
}

TEST_CASE("weight: text that is no weight is a typed error", "[weight][error]") {
    const std::string_view text =
        GENERATE("abc"sv, "-1"sv, "1e400"sv, "1e3"sv, "0.0001"sv, "1.0000"sv, "1."sv, "."sv, ".5"sv,
                 ""sv, "+1"sv, "1.+5"sv, "1.-5"sv, " 1"sv, "1 "sv, "1.5 "sv, "1,5"sv, "1.2.3"sv,
                 "0x1"sv, "nan"sv, "inf"sv, "1000000.001"sv, "1000001"sv, "99999999999999999999"sv,
                 "18446744073709552"sv, "1\0"sv);
    CAPTURE(text);
    CHECK_THROWS_AS(weight::parse(text), invalid_weight);
}

TEST_CASE("weight: an error's text says what is wrong", "[weight][error]") {
    CHECK(refusal_of("abc") == "weight 'abc' is not a decimal number");
    CHECK(refusal_of("1.0001") == "weight '1.0001' is not a decimal number with at most 3 places");
    CHECK(refusal_of("1000000.001") == "weight '1000000.001' is above 1000000");
}

TEST_CASE("weight: a truth value and a character are no weights", "[weight][error]") {
    STATIC_REQUIRE(std::is_constructible_v<weight, int>);
    STATIC_REQUIRE(std::is_constructible_v<weight, float>);
    STATIC_REQUIRE_FALSE(std::is_constructible_v<weight, bool>);
    STATIC_REQUIRE_FALSE(std::is_constructible_v<weight, char>);
    STATIC_REQUIRE_FALSE(std::is_convertible_v<int, weight>); // 2 alone could be a count
}
