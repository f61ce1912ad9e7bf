// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"
#include "support/text_at_offset.hpp"

#include <hashring/hash/md5.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace hashring;
using namespace std::string_view_literals;

namespace {

using words = std::array<std::uint32_t, 4>;

/// Step `i` (0 to 63) of RFC 1321 with the round functions as that prints them.
void rfc_step(words& s, const std::array<std::uint32_t, 16>& x, unsigned i) {
    constexpr unsigned shifts[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    const auto [a, b, c, d] = s;
    const std::array<std::uint32_t, 4> functions = {(b & c) | (~b & d), (b & d) | (c & ~d),
                                                    b ^ c ^ d, c ^ (b | ~d)};
    const std::array<unsigned, 4> picks = {i, 5 * i + 1, 3 * i + 5, 7 * i};
    const auto sine = static_cast<std::uint32_t>(
        std::floor(std::fabs(std::sin(static_cast<double>(i + 1))) * 4294967296.0));
    const std::uint32_t sum = a + functions[i / 16] + x[picks[i / 16] % 16] + sine;
    const unsigned shift = shifts[i / 16][i % 4];
    s = {d, b + ((sum << shift) | (sum >> (32U - shift))), b, c};
}

/// MD5 the long way: the padded message is written out, and words are put together from bytes.
words by_the_rfc(std::string_view text) {
    std::string message(text);
    message += '\x80';
    message.resize((message.size() + 8 + 63) / 64 * 64 - 8, '\0');
    for (unsigned i = 0; i < 8; ++i) {
        message += static_cast<char>(
            static_cast<unsigned char>(std::uint64_t{text.size()} * 8 >> (8 * i)));
    }
    words state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    for (std::size_t block = 0; block < message.size(); block += 64) {
        std::array<std::uint32_t, 16> x{};
        for (std::size_t i = 0; i < 64; ++i) {
            const auto byte = static_cast<unsigned char>(message[block + i]);
            x[i / 4] += std::uint32_t{byte} << (8 * (i % 4));
        }
        words s = state;
        for (unsigned i = 0; i < 64; ++i) {
            rfc_step(s, x, i);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            state[i] += s[i];
        }
    }
    return state;
}

std::string hex(std::string_view text) {
    return hash::md5::digest(text).hex();
}

} // namespace

TEST_CASE("md5: the test suite of RFC 1321", "[md5][golden][small]") {
    CHECK(hex("") == "d41d8cd98f00b204e9800998ecf8427e");
    CHECK(hex("a") == "0cc175b9c0f1b6a831c399e269772661");
    CHECK(hex("abc") == "900150983cd24fb0d6963f7d28e17f72");
    CHECK(hex("message digest") == "f96b697d7cb7938d525a2f31aaf161d0");
    CHECK(hex("abcdefghijklmnopqrstuvwxyz") == "c3fcd3d76192e4007dfb496cca67e13b");
    CHECK(hex("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") ==
          "d174ab98d277d9f5a5611c2c9f419d9f");
    CHECK(hex("1234567890123456789012345678901234567890"
              "1234567890123456789012345678901234567890") == "57edf4a22be3c955ac49da2e2107b67a");
}

TEST_CASE("md5: the words of ketama", "[md5][golden][small]") {
    CHECK(hash::md5::digest("GroupA0").words ==
          words{245117634U, 3903967603U, 3989765375U, 2676201676U});
    CHECK(hash::md5::digest("10.0.1.1:11211-0").words[1] == 4123933443U); // [B47]: top bit set
    CHECK(hash::md5{}("GroupA0") == 245117634U);
    CHECK(hash::md5::name == "md5");
}

TEST_CASE("md5: bytes of a digest are those of its text", "[md5][golden][small]") {
    const hash::md5_digest digest = hash::md5::digest("abc"); // 90 01 50 98 … 72
    CHECK(digest.byte(0) == 0x90);
    CHECK(digest.byte(3) == 0x98);
    CHECK(digest.byte(4) == 0x3c);
    CHECK(digest.byte(15) == 0x72);
    CHECK(digest.words[0] == 0x98500190U);
}

TEST_CASE("md5: constant expressions may use it", "[md5]") {
    STATIC_REQUIRE(hash::md5{}("GroupA0") == 245117634U);
    STATIC_REQUIRE(hash::md5::digest("10.0.1.1:11211-0").words[1] == 4123933443U);
    STATIC_REQUIRE(hash::md5::digest("1234567890123456789012345678901234567890"
                                     "1234567890123456789012345678901234567890")
                       .byte(15) == 0x7a);
}

TEST_CASE("md5: every length at every alignment equals the RFC's steps", "[md5][law]") {
    constexpr std::uint64_t seed = 91;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::size_t length = 0; length <= 200; ++length) {
        const std::string text = input.bytes(length);
        const words want = by_the_rfc(text);
        for (std::size_t offset = 0; offset < 8; ++offset) {
            const test::text_at_offset copy(text, offset);
            wrong.expect(hash::md5::digest(copy.view()).words == want, length, offset);
        }
        wrong.compare(hash::md5{}(text), want[0], length);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("md5: bytes of 0x80 and above are unsigned", "[md5][law]") {
    test::mismatches wrong;
    for (std::size_t length = 0; length <= 66; ++length) {
        for (const char byte : {'\x80', '\xff', '\x7f', '\0'}) {
            const std::string text(length, byte);
            wrong.expect(hash::md5::digest(text).words == by_the_rfc(text), length, int{byte});
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("md5: a million letters a", "[md5][edge]") {
    CHECK(hex(std::string(1'000'000, 'a')) == "7707d6ae4e027c70eea2a935c2296f21"); // by md5sum
}

TEST_CASE("md5: NUL is a byte", "[md5][edge]") { // [B59]
    CHECK(hex("a\0b"sv) != hex("a\0c"sv));
    CHECK(hex("a\0"sv) != hex("a"sv));
    CHECK(hex("\0"sv) == "93b885adfe0da089cdf634904fd59f71");
    CHECK(hex(std::string_view{}) == hex(""));
}
