// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"
#include "support/text_at_offset.hpp"

#include <hashring/hash/bkdr.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace hashring;
using namespace std::string_view_literals;

namespace {

constexpr std::uint64_t modulus = 4294967295U; // 2^32 - 1

template <std::uint32_t S>
struct multiplier {
    static constexpr std::uint32_t value = S;
};

/// The sum of byte i times S^i as the paper prints it: powers, not Horner's rule.
std::uint64_t printed_by_powers(std::string_view text, std::uint64_t s) {
    std::uint64_t sum = 0;
    std::uint64_t power = 1;
    for (const char c : text) {
        sum = (sum + static_cast<unsigned char>(c) * power) % modulus;
        power = power * s % modulus;
    }
    return sum;
}

std::string reversed(std::string_view text) {
    return {text.rbegin(), text.rend()};
}

template <std::uint32_t S>
concept has_bkdr = requires { typename hash::bkdr<S>; };
template <std::uint32_t S>
concept has_bkdr_printed = requires { typename hash::bkdr_printed<S>; };

} // namespace

TEST_CASE("bkdr: known values of both orders", "[bkdr][golden]") {
    CHECK(hash::bkdr_printed<31>{}("192.168.1.10") == 3835805999U);
    CHECK(hash::bkdr<31>{}("192.168.1.10") == 2036017769U);
    CHECK(hash::bkdr_printed<131>{}("192.168.1.10") == 2808138344U);
    CHECK(hash::bkdr<31>{}("ab") == 97 * 31 + 98);
    CHECK(hash::bkdr_printed<31>{}("ab") == 97 + 98 * 31);
    CHECK(hash::bkdr<131313>{}("ab") == 97 * 131313 + 98);
    CHECK(hash::bkdr_printed<13131>{}("ab") == 97 + 98 * 13131);
}

TEST_CASE("bkdr: bytes are unsigned whatever char is", "[bkdr][golden]") { // [A8]
    CHECK(hash::bkdr<131>{}("cl\xc3\xa9") == 0x0d60af2fU);                 // signed: 0x0d602b2f
    CHECK(hash::bkdr_printed<31>{}("\xff") == 255);
}

TEST_CASE("bkdr: names say order and multiplier", "[bkdr][golden]") {
    CHECK(hash::bkdr<31>::name == "bkdr-31");
    CHECK(hash::bkdr<131>::name == "bkdr-131");
    CHECK(hash::bkdr<1313>::name == "bkdr-1313");
    CHECK(hash::bkdr<13131>::name == "bkdr-13131");
    CHECK(hash::bkdr<131313>::name == "bkdr-131313");
    CHECK(hash::bkdr_printed<31>::name == "bkdr-printed-31");
    CHECK(hash::bkdr_printed<131>::name == "bkdr-printed-131");
    CHECK(hash::bkdr_printed<1313>::name == "bkdr-printed-1313");
    CHECK(hash::bkdr_printed<13131>::name == "bkdr-printed-13131");
    CHECK(hash::bkdr_printed<131313>::name == "bkdr-printed-131313");
    CHECK(hash::bkdr<131>::name == "bkdr-131");
    CHECK(hash::bkdr_printed<31>::name == "bkdr-printed-31");
}

TEST_CASE("bkdr: constant expressions may use it", "[bkdr]") {
    STATIC_REQUIRE(hash::bkdr_printed<31>{}("192.168.1.10") == 3835805999U);
    STATIC_REQUIRE(hash::bkdr<31>{}("192.168.1.10") == 2036017769U);
    STATIC_REQUIRE(hash::bkdr<131>{}("cl\xc3\xa9") == 0x0d60af2fU);
}

TEMPLATE_TEST_CASE("bkdr: both orders are exact modulo 2^32 - 1", "[bkdr][law]", multiplier<31>,
                   multiplier<131>, multiplier<1313>, multiplier<13131>, multiplier<131313>) {
    constexpr std::uint32_t s = TestType::value;
    constexpr std::uint64_t seed = 61;
    CAPTURE(s, seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::size_t i = 0; i < 2000; ++i) {
        const std::string text = i % 10 == 0 ? std::string(i / 10, '\xff') : input.bytes(i % 70);
        const std::uint64_t want = printed_by_powers(text, s);
        wrong.compare(hash::bkdr_printed<s>{}(text), want, i);
        wrong.compare(hash::bkdr<s>{}(reversed(text)), want, i);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("bkdr: folding is exact up to the largest number", "[bkdr][law]") {
    constexpr std::uint64_t seed = 62;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const std::uint64_t multiple = modulus * (input.number() >> 33U);
        for (const std::uint64_t x : {i, multiple + i, multiple - i, ~i, input.number()}) {
            wrong.compare(hash::detail::bkdr_reduce(x), x % modulus, x);
            wrong.compare(hash::detail::bkdr_fold(x) % modulus, x % modulus, x);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("bkdr: alignment does not matter", "[bkdr][law]") {
    for (std::size_t offset = 0; offset < 8; ++offset) {
        const test::text_at_offset copy("192.168.1.10", offset);
        CHECK(hash::bkdr_printed<31>{}(copy.view()) == 3835805999U);
        CHECK(hash::bkdr<31>{}(copy.view()) == 2036017769U);
    }
}

TEMPLATE_TEST_CASE("bkdr: a multiple of the modulus is 0", "[bkdr][edge]", multiplier<31>,
                   multiplier<131>, multiplier<1313>, multiplier<13131>, multiplier<131313>) {
    // Found by a search: in the printed order each is a multiple of 2^32 - 1.
    constexpr std::uint32_t s = TestType::value;
    constexpr std::string_view text = s == 31      ? "086eg9jx"
                                      : s == 131   ? "0ucy4scw"
                                      : s == 1313  ? "mnpfn20o"
                                      : s == 13131 ? "oe5flutu"
                                                   : "3gnr2w2x";
    CAPTURE(text);
    CHECK(hash::bkdr_printed<s>{}(text) == 0);
    CHECK(hash::bkdr<s>{}(reversed(text)) == 0);
}

TEST_CASE("bkdr: the modulus itself is 0", "[bkdr][edge]") {
    // The digits of 2^32 - 1 in base 31, and one unit above and below.
    CHECK(hash::bkdr_printed<31>{}("\x03\x18\x1d\x13\x00\x1a\x04"sv) == 0);
    CHECK(hash::bkdr_printed<31>{}("\x04\x18\x1d\x13\x00\x1a\x04"sv) == 1);
    CHECK(hash::bkdr_printed<31>{}("\x02\x18\x1d\x13\x00\x1a\x04"sv) == modulus - 1);
    CHECK(hash::bkdr_printed<131>{}("ts@L\x0e"sv) == 0);
}

TEST_CASE("bkdr: NUL is a byte, though a leading one counts nothing", "[bkdr][edge]") {
    CHECK(hash::bkdr<31>{}("") == 0);
    CHECK(hash::bkdr<31>{}("a\0"sv) == 97 * 31);
    CHECK(hash::bkdr<31>{}("\0a"sv) == 97);
    CHECK(hash::bkdr_printed<31>{}("a\0"sv) == 97);
    CHECK(hash::bkdr_printed<31>{}("\0a"sv) == 97 * 31);
    CHECK(hash::bkdr<31>{}("a\0b"sv) != hash::bkdr<31>{}("a\0c"sv));
}

TEST_CASE("bkdr: only the multipliers of the series exist", "[bkdr][error]") {
    STATIC_REQUIRE(has_bkdr<1313>);
    STATIC_REQUIRE(has_bkdr_printed<13131>);
    STATIC_REQUIRE_FALSE(has_bkdr<33>);
    STATIC_REQUIRE_FALSE(has_bkdr<0>);
    STATIC_REQUIRE_FALSE(has_bkdr_printed<13>);
    STATIC_REQUIRE_FALSE(has_bkdr_printed<1313131>);
}
