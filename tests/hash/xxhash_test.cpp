// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/text_at_offset.hpp"

#include <hashring/hash/xxhash.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace hashring;
using namespace std::string_view_literals;

namespace {

constexpr std::uint64_t prime32 = 2654435761U;
constexpr std::uint64_t prime64 = 11400714785074694797U;

/// A row of xxHash's own self-test (`xxhsum -b`, tests/sanity_test_vectors.h): the first `length`
/// bytes of its test buffer.
struct known_answer {
    std::size_t length;
    std::uint64_t seed;
    std::uint64_t value;
};

constexpr std::array<known_answer, 9> xxh64_answers = {{{0, 0, 0xef46db3751d8e999U},
                                                        {0, prime32, 0xac75fda2929b17efU},
                                                        {1, 0, 0xe934a84adb052768U},
                                                        {1, prime32, 0x5014607643a9b4c3U},
                                                        {4, 0, 0x9136a0dca57457eeU},
                                                        {14, 0, 0x8282dcc4994e35c8U},
                                                        {14, prime32, 0xc3bd6bf63deb6df0U},
                                                        {222, 0, 0xb641ae8cb691c174U},
                                                        {222, prime32, 0x20cb8ab7ae10c14aU}}};

constexpr std::array<known_answer, 22> xxh3_answers = {
    {{0, 0, 0x2d06800538d394c2U},    {0, prime64, 0xa8a6b918b2f0364aU},
     {1, 0, 0xc44bdff4074eecdbU},    {1, prime64, 0x032be332dd766ef8U},
     {6, 0, 0x27b56a84cd2d7325U},    {6, prime64, 0x84589c116ab59ab9U},
     {12, 0, 0xa713daf0dfbb77e7U},   {12, prime64, 0xe7303e1b2336de0eU},
     {24, 0, 0xa3fe70bf9d3510ebU},   {24, prime64, 0x850e80fc35bdd690U},
     {48, 0, 0x397da259ecba1f11U},   {48, prime64, 0xadc2cbaa44acc616U},
     {80, 0, 0xbcdefbbb2c47c90aU},   {80, prime64, 0xc6dd0cb699532e73U},
     {195, 0, 0xcd94217ee362ec3aU},  {195, prime64, 0xba68003d370cb3d9U},
     {403, 0, 0xcdeb804d65c6dea4U},  {403, prime64, 0x6259f6ecfd6443fdU},
     {512, 0, 0x617e49599013cb6bU},  {512, prime64, 0x3ce457de14c27708U},
     {2048, 0, 0xdd59e2c3a5f038e0U}, {2048, prime64, 0x66f81670669ababcU}}};

/// The test buffer: the top bytes of a sequence of products.
std::string self_test_buffer() {
    std::string buffer;
    std::uint64_t product = prime32;
    for (std::size_t i = 0; i < 2048; ++i) {
        buffer += static_cast<char>(static_cast<unsigned char>(product >> 56U));
        product *= prime64;
    }
    return buffer;
}

} // namespace

TEST_CASE("xxhash: the self-test of xxHash", "[xxhash][golden][small]") {
    const std::string buffer = self_test_buffer();
    const std::string_view view = buffer;
    for (const known_answer& row : xxh64_answers) {
        CAPTURE(row.length, row.seed);
        CHECK(hash::xxh64{row.seed}(view.substr(0, row.length)) == row.value);
    }
    for (const known_answer& row : xxh3_answers) {
        CAPTURE(row.length, row.seed);
        CHECK(hash::xxh3{row.seed}(view.substr(0, row.length)) == row.value);
    }
}

TEST_CASE("xxhash: a point of Envoy's ring", "[xxhash][golden][small]") {
    CHECK(hash::xxh64{}("127.0.0.1:14401_0") == 14057009639816338335U);
}

TEST_CASE("xxhash: names", "[xxhash][golden][small]") {
    CHECK(hash::xxh3::name == "xxh3");
    CHECK(hash::xxh64::name == "xxh64");
}

TEST_CASE("xxhash: the position of a text in memory does not matter", "[xxhash][law]") {
    const std::string buffer = self_test_buffer();
    test::mismatches wrong;
    for (std::size_t length = 0; length <= 70; ++length) {
        const std::string_view text = std::string_view(buffer).substr(0, length);
        for (std::size_t offset = 0; offset < 8; ++offset) {
            const test::text_at_offset copy(text, offset);
            wrong.compare(hash::xxh3{5}(copy.view()), hash::xxh3{5}(text), length, offset);
            wrong.compare(hash::xxh64{5}(copy.view()), hash::xxh64{5}(text), length, offset);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("xxhash: the seed is a part of the value", "[xxhash][edge]") {
    CHECK(hash::xxh3{1}("apple") != hash::xxh3{2}("apple"));
    CHECK(hash::xxh64{1}("apple") != hash::xxh64{2}("apple"));
    CHECK(hash::xxh3{1} != hash::xxh3{2});
    CHECK(hash::xxh3{}("apple") == hash::xxh3{0}("apple"));
}

TEST_CASE("xxhash: NUL is a byte", "[xxhash][edge]") { // [B59]
    CHECK(hash::xxh3{}("a\0b"sv) != hash::xxh3{}("a\0c"sv));
    CHECK(hash::xxh3{}("a\0"sv) != hash::xxh3{}("a"sv));
    CHECK(hash::xxh64{}("a\0b"sv) != hash::xxh64{}("a\0c"sv));
    CHECK(hash::xxh64{}("a\0"sv) != hash::xxh64{}("a"sv));
    CHECK(hash::xxh3{}(std::string_view{}) == hash::xxh3{}(""));
    CHECK(hash::xxh64{}(std::string_view{}) == hash::xxh64{}(""));
}
