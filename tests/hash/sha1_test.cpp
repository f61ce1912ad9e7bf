// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"
#include "support/text_at_offset.hpp"

#include <hashring/hash/sha1.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using hash::sha1;
using hash::sha1_digest;

namespace {

std::uint32_t turned(std::uint32_t word, unsigned bits) {
    return (word << bits) | (word >> (32U - bits));
}

// SHA-1 the long way: the padded message is written out, and so are the 80 words of a block.
sha1_digest by_the_standard(std::string_view text) {
    std::string message(text);
    message += '\x80';
    message.resize((message.size() + 8 + 63) / 64 * 64 - 8, '\0');
    for (unsigned i = 8; i-- > 0;) {
        message += static_cast<char>(
            static_cast<unsigned char>(std::uint64_t{text.size()} * 8 >> (8 * i)));
    }
    sha1_digest state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    constexpr std::uint32_t constants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    for (std::size_t block = 0; block < message.size(); block += 64) {
        std::vector<std::uint32_t> w;
        for (std::size_t i = 0; i < 16; ++i) {
            std::uint32_t word = 0;
            for (std::size_t k = 0; k < 4; ++k) {
                word = word * 256 + static_cast<unsigned char>(message[block + 4 * i + k]);
            }
            w.push_back(word);
        }
        for (std::size_t i = 16; i < 80; ++i) {
            w.push_back(turned(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1));
        }
        sha1_digest s = state;
        for (std::size_t i = 0; i < 80; ++i) {
            const auto [a, b, c, d, e] = s;
            const std::array<std::uint32_t, 4> functions = {(b & c) | (~b & d), b ^ c ^ d,
                                                            (b & c) | (b & d) | (c & d), b ^ c ^ d};
            s = {turned(a, 5) + functions[i / 20] + e + constants[i / 20] + w[i], a, turned(b, 30),
                 c, d};
        }
        for (std::size_t i = 0; i < 5; ++i) {
            state[i] += s[i];
        }
    }
    return state;
}

} // namespace

TEST_CASE("sha1: the examples of FIPS 180", "[sha1][golden]") {
    CHECK(sha1::digest("abc") ==
          sha1_digest{0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d});
    CHECK(sha1::digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          sha1_digest{0x84983e44, 0x1c3bd26e, 0xbaae4aa1, 0xf95129e5, 0xe54670f1});
    CHECK(sha1::digest(std::string(1'000'000, 'a')) ==
          sha1_digest{0x34aa973c, 0xd4c4daa4, 0xf61eeb2b, 0xdbad2731, 0x6534016f});
    CHECK(sha1::digest("") ==
          sha1_digest{0xda39a3ee, 0x5e6b4b0d, 0x3255bfef, 0x95601890, 0xafd80709});
    CHECK(sha1{}("abc") == 0xa9993e36U);
    CHECK(sha1::name == "sha1");
    STATIC_REQUIRE(sha1{}("abc") == 0xa9993e36U);
}

// As Python's hashlib has them: with and without room for the length in the last block.
TEST_CASE("sha1: lengths about the end of a block", "[sha1][golden]") {
    const auto first = [](std::size_t length) {
        return sha1{}(std::string(length, 'a'));
    };
    CHECK(first(55) == 0xc1c8bbdcU);
    CHECK(first(56) == 0xc2db330fU);
    CHECK(first(63) == 0x03f09f5bU);
    CHECK(first(64) == 0x0098ba82U);
    CHECK(first(65) == 0x11655326U);
    CHECK(first(119) == 0xee971065U);
    CHECK(first(120) == 0xf34c1488U);
    CHECK(first(128) == 0xad5b3fdbU);
}

TEST_CASE("sha1: it is what the standard says the long way", "[sha1][law]") {
    constexpr std::uint64_t seed = 20260831;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::size_t length = 0; length < 300; ++length) {
        const std::string text = input.bytes(length);
        const test::text_at_offset copy(text, length % 8);
        wrong.expect(sha1::digest(copy.view()) == by_the_standard(text), length);
    }
    CHECK(wrong.report() == "");
}
