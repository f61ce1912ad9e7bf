// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"
#include "support/text_at_offset.hpp"

#include <hashring/hash/crc32.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace hashring;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

/// One bit at a time, without a table.
std::uint32_t bit_by_bit(std::string_view text) {
    std::uint32_t crc = 0xffffffffU;
    for (const char c : text) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc & 1U) != 0 ? (crc >> 1U) ^ 0xedb88320U : crc >> 1U;
        }
    }
    return ~crc;
}

/// `text` and the four bytes of `number`, the least first.
std::string with_number(std::string text, std::uint32_t number) {
    for (int i = 0; i < 4; ++i) {
        text += static_cast<char>(static_cast<unsigned char>(number & 0xffU));
        number >>= 8U;
    }
    return text;
}

} // namespace

TEST_CASE("crc32: known values", "[crc32][golden]") {
    const hash::crc32 crc;
    CHECK(crc("123456789") == 0xcbf43926U); // the check value of every catalogue of CRCs
    CHECK(crc("") == 0);
    CHECK(crc("a") == 0xe8b7be43U);
    CHECK(crc("apple") == 2838417488U);
    CHECK(crc("The quick brown fox jumps over the lazy dog") == 0x414fa339U);
    CHECK(crc(std::string(32, '\0')) == 0x190a55adU);
    CHECK(crc(std::string(32, '\xff')) == 0xff6cab0bU);
    CHECK(hash::crc32::name == "crc32");
}

TEST_CASE("crc32: the chain of points of nginx", "[crc32][golden]") {
    // Points of the server 127.0.0.1:14001, as nginx 1.22.1 itself computes them.
    std::uint32_t point = 0;
    for (const std::uint32_t want : {3180369627U, 1909074218U, 1402264192U, 932765526U}) {
        point = hash::crc32{}(with_number("127.0.0.1\0"s
                                          "14001",
                                          point));
        CHECK(point == want);
    }
}

TEST_CASE("crc32: constant expressions may use it", "[crc32]") {
    STATIC_REQUIRE(hash::crc32{}("123456789") == 0xcbf43926U);
    STATIC_REQUIRE(hash::crc32{}("The quick brown fox jumps over the lazy dog") == 0x414fa339U);
}

TEST_CASE("crc32: every length at every alignment equals one bit at a time", "[crc32][law]") {
    constexpr std::uint64_t seed = 71;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::size_t length = 0; length <= 80; ++length) {
        const std::string text = input.bytes(length);
        const std::uint32_t want = bit_by_bit(text);
        for (std::size_t offset = 0; offset < 8; ++offset) {
            const test::text_at_offset copy(text, offset);
            wrong.compare(hash::crc32{}(copy.view()), want, length, offset);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("crc32: it is affine, which is why it is called weak", "[crc32][law]") {
    constexpr std::uint64_t seed = 72;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::size_t length = 1; length < 40; ++length) {
        const std::string a = input.bytes(length);
        const std::string b = input.bytes(length);
        std::string both;
        for (std::size_t i = 0; i < length; ++i) {
            both += static_cast<char>(a[i] ^ b[i]);
        }
        const std::uint32_t zeros = hash::crc32{}(std::string(length, '\0'));
        wrong.compare(hash::crc32{}(both), hash::crc32{}(a) ^ hash::crc32{}(b) ^ zeros, length);
    }
    CHECK(wrong.report() == "");
    STATIC_REQUIRE_FALSE(position_hash<hash::crc32>);
}

TEST_CASE("crc32: NUL is a byte", "[crc32][edge]") { // [B59]
    CHECK(hash::crc32{}("a\0b"sv) != hash::crc32{}("a\0c"sv));
    CHECK(hash::crc32{}("a\0"sv) != hash::crc32{}("a"sv));
    CHECK(hash::crc32{}("\0"sv) != hash::crc32{}(""sv));
    CHECK(hash::crc32{}(std::string_view{}) == 0);
}
