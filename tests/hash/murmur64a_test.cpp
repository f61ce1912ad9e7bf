// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"
#include "support/text_at_offset.hpp"

#include <hashring/hash/murmur64a.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace hashring;
using namespace std::string_view_literals;

namespace {

constexpr std::uint64_t as_unsigned(std::int64_t value) {
    return static_cast<std::uint64_t>(value);
}

/// The published function read byte by byte: words put together with additions, the rest in the
/// falling order of its `switch`.
std::uint64_t byte_by_byte(std::string_view text, std::uint64_t seed) {
    constexpr std::uint64_t m = 0xc6a4a7935bd1e995U;
    const auto byte = [&](std::size_t i) {
        return std::uint64_t{static_cast<unsigned char>(text[i])};
    };
    std::uint64_t h = seed ^ (text.size() * m);
    const std::size_t whole = text.size() / 8 * 8;
    for (std::size_t at = 0; at < whole; at += 8) {
        std::uint64_t k = 0;
        for (std::size_t i = 8; i-- > 0;) {
            k = k * 256 + byte(at + i);
        }
        k *= m;
        k ^= k >> 47U;
        k *= m;
        h ^= k;
        h *= m;
    }
    const std::size_t rest = text.size() % 8;
    for (std::size_t i = rest; i-- > 0;) {
        h ^= byte(whole + i) << (8U * i);
    }
    if (rest > 0) {
        h *= m;
    }
    h ^= h >> 47U;
    h *= m;
    h ^= h >> 47U;
    return h;
}

} // namespace

TEST_CASE("murmur64a: known values of the shard ring", "[murmur64a][golden]") {
    // Run in Jedis 2.9.0 and 3.10.0, which print signed numbers.
    const hash::murmur64a murmur{hash::jedis_seed};
    CHECK(murmur("SHARD-0-NODE-0") == 0xbd32a55c5369ab7cU);
    CHECK(murmur("SHARD-0-NODE-0") == as_unsigned(-4813603235750630532));
    CHECK(murmur("SHARD-0-NODE-1") == as_unsigned(-8934918767734906559));
    CHECK(murmur("") == 8371356515094919947U);
    CHECK(murmur("apple") == 9094078805541179799U);
    CHECK(hash::jedis_seed == 0x1234abcdU);
    CHECK(hash::murmur64a::name == "murmur64a");
}

TEST_CASE("murmur64a: known values of other seeds", "[murmur64a][golden]") {
    CHECK(hash::murmur64a{}("apple") == 0xb336dc10f19cdfeaU); // [B57]
    CHECK(hash::murmur64a{0}("") == 0);
    CHECK(hash::murmur64a{0xc70f6907U}("127.0.0.1:14401_0") == 13635424089176569003U); // Envoy
}

TEST_CASE("murmur64a: constant expressions may use it", "[murmur64a]") {
    STATIC_REQUIRE(hash::murmur64a{hash::jedis_seed}("SHARD-0-NODE-0") == 0xbd32a55c5369ab7cU);
    STATIC_REQUIRE(hash::murmur64a{}("apple") == 0xb336dc10f19cdfeaU);
}

TEST_CASE("murmur64a: the position of a text in memory does not matter", "[murmur64a][golden]") {
    for (std::size_t offset = 0; offset < 8; ++offset) { // [B57]
        const test::text_at_offset copy("apple", offset);
        CHECK(hash::murmur64a{}(copy.view()) == 0xb336dc10f19cdfeaU);
    }
}

TEST_CASE("murmur64a: every length at every alignment equals byte by byte", "[murmur64a][law]") {
    constexpr std::uint64_t seed = 81;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::size_t length = 0; length <= 130; ++length) {
        const std::string text = input.bytes(length);
        const std::uint64_t hash_seed = length % 2 == 0 ? input.number() : length;
        const std::uint64_t want = byte_by_byte(text, hash_seed);
        for (std::size_t offset = 0; offset < 8; ++offset) {
            const test::text_at_offset copy(text, offset);
            wrong.compare(hash::murmur64a{hash_seed}(copy.view()), want, length, offset);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("murmur64a: bytes of 0x80 and above are unsigned", "[murmur64a][law]") {
    test::mismatches wrong;
    for (std::size_t length = 0; length <= 24; ++length) {
        for (const char byte : {'\x80', '\xff', '\x7f', '\0'}) {
            const std::string text(length, byte);
            wrong.compare(hash::murmur64a{7}(text), byte_by_byte(text, 7), length, int{byte});
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("murmur64a: the seed and the length are part of the value", "[murmur64a][edge]") {
    CHECK(hash::murmur64a{1}("apple") != hash::murmur64a{2}("apple"));
    CHECK(hash::murmur64a{1}("") != hash::murmur64a{2}(""));
    CHECK(hash::murmur64a{1} != hash::murmur64a{2});
    CHECK(hash::murmur64a{}("\0"sv) != hash::murmur64a{}(""sv));
    CHECK(hash::murmur64a{3}(std::string_view{}) == hash::murmur64a{3}(""));
}

TEST_CASE("murmur64a: NUL is a byte", "[murmur64a][edge]") { // [B59]
    CHECK(hash::murmur64a{}("a\0b"sv) != hash::murmur64a{}("a\0c"sv));
    CHECK(hash::murmur64a{}("a\0b"sv) != hash::murmur64a{}("a"sv));
    CHECK(hash::murmur64a{}("a\0"sv) != hash::murmur64a{}("a"sv));
}
