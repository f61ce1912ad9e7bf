// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/hash/one_at_a_time.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace hashring;
using namespace std::string_view_literals;
using hash::widening;

namespace {

using plain = hash::one_at_a_time<>;
using signed_bytes = hash::one_at_a_time<widening::sign>;

} // namespace

TEST_CASE("one-at-a-time: known values", "[one-at-a-time][golden]") {
    STATIC_REQUIRE(plain{}("a") == 0xca2e9442U);
    STATIC_REQUIRE(plain{}("The quick brown fox jumps over the lazy dog") == 0x519e91f5U);
    STATIC_REQUIRE(plain{}("") == 0);
    // libmemcached 1.1.4, built for signed and for unsigned char
    STATIC_REQUIRE(signed_bytes{}("r\x52\xc3\xb8\xce\xb1") == 0xc4f9feb2U);
    STATIC_REQUIRE(plain{}("r\x52\xc3\xb8\xce\xb1") == 0x84ea1e7cU);
    STATIC_REQUIRE(signed_bytes{}("\x94") == 0x51206a17U);
    STATIC_REQUIRE(plain{}("\x94") == 0x9526aa23U);
    CHECK(plain::name == "one-at-a-time");
    CHECK(signed_bytes::name == "one-at-a-time-signed");
}

TEST_CASE("one-at-a-time: signed bytes differ from 0x80 on and nowhere else",
          "[one-at-a-time][law]") {
    constexpr std::uint64_t seed = 91;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const std::string text(1, static_cast<char>(static_cast<unsigned char>(byte)));
        wrong.compare(plain{}(text) == signed_bytes{}(text), byte < 0x80, byte);
    }
    for (std::size_t length = 0; length < 60; ++length) {
        std::string text = input.bytes(length);
        for (char& c : text) {
            c = static_cast<char>(c & 0x7f);
        }
        wrong.compare(plain{}(text), signed_bytes{}(text), length);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("one-at-a-time: the start is part of the value", "[one-at-a-time][edge]") {
    CHECK(plain{1}("a") != plain{0}("a"));
    CHECK(plain{1} != plain{0});
    // a byte more is as another start
    const std::uint32_t before = ('a' + ('a' << 10U)) ^ (('a' + ('a' << 10U)) >> 6U);
    CHECK(plain{before}("b") == plain{}("ab"));
}

TEST_CASE("one-at-a-time: NUL is a byte, and leaves no trace at the beginning",
          "[one-at-a-time][edge]") {
    CHECK(plain{}("a\0"sv) != plain{}("a"sv));
    CHECK(plain{}("a\0b"sv) != plain{}("ab"sv));
    CHECK(plain{}(std::string(7, '\0')) == 0);
    CHECK(plain{}("\0a"sv) == plain{}("a"sv));
    CHECK(plain{}(std::string_view{}) == 0);
}
