// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"
#include "support/text_at_offset.hpp"

#include <hashring/core/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace hashring;
using namespace std::string_view_literals;

namespace {

/// The `count` bytes from `at` on, the first with weight 1, the next with weight 256, and so on.
std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
    std::uint64_t sum = 0;
    for (std::size_t i = count; i-- > 0;) {
        sum = sum * 256 + static_cast<unsigned char>(bytes[at + i]);
    }
    return sum;
}

constexpr std::string_view ascending = "\x01\x02\x03\x04\x05\x06\x07\x08\x09"sv;
constexpr std::string_view high = "\x80\xff\x00\xfe\x81\x00\x7f\xff"sv;

} // namespace

TEST_CASE("bytes: a byte is a number from 0 to 255", "[bytes]") {
    CHECK(byte_at("\x00"sv, 0) == 0);
    CHECK(byte_at("\x7f"sv, 0) == 127);
    CHECK(byte_at("\x80"sv, 0) == 128);
    CHECK(byte_at("a\xff"sv, 1) == 255);
}

TEST_CASE("bytes: words are little-endian", "[bytes][golden]") {
    CHECK(load_le32(ascending, 0) == 0x04030201U);
    CHECK(load_le32(ascending, 5) == 0x09080706U);
    CHECK(load_le64(ascending, 0) == 0x0807060504030201U);
    CHECK(load_le64(ascending, 1) == 0x0908070605040302U);
    CHECK(load_le32(high, 0) == 0xfe00ff80U);
    CHECK(load_le64(high, 0) == 0xff7f0081fe00ff80U);
}

TEST_CASE("bytes: a tail is a word padded with zeros", "[bytes][golden]") {
    CHECK(load_le_tail(ascending, 8) == 0x09U);
    CHECK(load_le_tail(ascending, 6) == 0x090807U);
    CHECK(load_le_tail(ascending, 2) == 0x09080706050403U);
    CHECK(load_le_tail(high, 1) == 0xff7f0081fe00ffU);
}

TEST_CASE("bytes: constant expressions see what a running program sees", "[bytes]") {
    STATIC_REQUIRE(byte_at(high, 1) == 255);
    STATIC_REQUIRE(load_le32(high, 0) == 0xfe00ff80U);
    STATIC_REQUIRE(load_le64(high, 0) == 0xff7f0081fe00ff80U);
    STATIC_REQUIRE(load_le_tail(high, 5) == 0xff7f00U);
}

TEST_CASE("bytes: every load equals the sum of its bytes at every alignment", "[bytes][law]") {
    constexpr std::uint64_t seed = 11;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::size_t round = 0; round < 50; ++round) {
        const std::string text = input.bytes(24);
        for (std::size_t offset = 0; offset < 8; ++offset) {
            const test::text_at_offset copy(text, offset);
            for (std::size_t at = 0; at <= 16; ++at) {
                wrong.compare(load_le64(copy.view(), at), little_endian(text, at, 8), offset, at);
                wrong.compare(load_le32(copy.view(), at), little_endian(text, at, 4), offset, at);
            }
            for (std::size_t at = 17; at <= 24; ++at) {
                wrong.compare(load_le_tail(copy.view(), at), little_endian(text, at, 24 - at), at);
            }
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("bytes: the byte-wise load of big-endian machines gives the same words", "[bytes][law]") {
    constexpr std::uint64_t seed = 12;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    const std::string text = input.bytes(2000);
    for (std::size_t at = 0; at + 8 <= text.size(); ++at) {
        wrong.compare(detail::load_le_bytewise<std::uint32_t>(text, at), load_le32(text, at), at);
        wrong.compare(detail::load_le_bytewise<std::uint64_t>(text, at), load_le64(text, at), at);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("bytes: an empty tail is 0", "[bytes][edge]") {
    CHECK(load_le_tail(""sv, 0) == 0);
    CHECK(load_le_tail(std::string_view{}, 0) == 0);
    CHECK(load_le_tail(ascending, ascending.size()) == 0);
}
