// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/core/text.hpp>

#include <cstdint>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

using namespace hashring;
using namespace std::string_view_literals;

namespace {

/// Groups digits by three with a dot, as the locales of many countries do.
class grouping_punctuation : public std::numpunct<char> {
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

/// Makes a locale with grouped digits the global one until the end of the scope.
class grouping_locale {
public:
    grouping_locale()
        : before_(std::locale::global(std::locale(std::locale(), new grouping_punctuation))) {}
    grouping_locale(const grouping_locale&) = delete;
    grouping_locale& operator=(const grouping_locale&) = delete;
    ~grouping_locale() { std::locale::global(before_); }

private:
    std::locale before_;
};

} // namespace

TEST_CASE("text: numbers are printed in plain decimal", "[text][golden][small]") {
    CHECK(decimal(0) == "0");
    CHECK(decimal(1234567) == "1234567");
    CHECK(decimal(-5) == "-5");
    CHECK(decimal(std::uint8_t{65}) == "65");
    CHECK(decimal(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
    CHECK(decimal(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
}

TEST_CASE("text: appending keeps what is there", "[text]") {
    std::string out = "node-";
    append_decimal(out, 17U);
    append_decimal(out, -3);
    CHECK(out == "node-17-3");
}

TEST_CASE("text: what is printed is read back", "[text][law]") {
    constexpr std::uint64_t seed = 21;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t number = input.number_of_any_width();
        const auto negative = static_cast<std::int64_t>(~number);
        wrong.expect(parse_decimal<std::uint64_t>(decimal(number)) == number, number);
        wrong.expect(parse_decimal<std::int64_t>(decimal(negative)) == negative, negative);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("text: a locale with grouped digits changes nothing", "[text][law]") {
    const grouping_locale german;
    std::ostringstream stream;
    stream << 1234567;
    REQUIRE(stream.str() == "1.234.567"); // the locale is in force
    CHECK(decimal(1234567) == "1234567");
    CHECK(parse_decimal<int>("1234567") == 1234567);
    CHECK(parse_decimal<int>("1.234.567") == std::nullopt);
}

TEST_CASE("text: leading zeros and the ends of the range are read", "[text][edge][small]") {
    CHECK(parse_decimal<std::uint32_t>("0") == 0U);
    CHECK(parse_decimal<std::uint32_t>("007") == 7U);
    CHECK(parse_decimal<std::uint32_t>("4294967295") == 4294967295U);
    CHECK(parse_decimal<std::int32_t>("-2147483648") == std::numeric_limits<std::int32_t>::min());
    CHECK(parse_decimal<std::uint64_t>("18446744073709551615") ==
          std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("text: what is not wholly a number is none", "[text][error][small]") {
    const std::string_view text =
        GENERATE(""sv, " 1"sv, "1 "sv, "+1"sv, "-1"sv, "1.0"sv, "1e3"sv, "0x10"sv, "1\0"sv, "a"sv,
                 "1,000"sv, "4294967296"sv, "99999999999999999999999"sv);
    CAPTURE(text);
    CHECK(parse_decimal<std::uint32_t>(text) == std::nullopt);
}

TEST_CASE("text: a view without storage is no number", "[text][error]") {
    CHECK(parse_decimal<int>(std::string_view{}) == std::nullopt);
    CHECK(parse_decimal<int>("-"sv) == std::nullopt);
}
