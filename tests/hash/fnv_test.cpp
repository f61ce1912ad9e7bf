// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/hash/fnv.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace hashring;
using namespace std::string_view_literals;
using hash::widening;

namespace {

using fnv1_32 = hash::fnv1<std::uint32_t>;
using fnv1_64 = hash::fnv1<std::uint64_t>;
using fnv1a_32 = hash::fnv1a<std::uint32_t>;
using fnv1a_64 = hash::fnv1a<std::uint64_t>;

} // namespace

TEST_CASE("fnv: known values", "[fnv][golden]") {
    // The vectors of the hash's authors.
    STATIC_REQUIRE(fnv1_32{}("") == 0x811c9dc5U);
    STATIC_REQUIRE(fnv1_32{}("a") == 0x050c5d7eU);
    STATIC_REQUIRE(fnv1_32{}("foobar") == 0x31f0b262U);
    STATIC_REQUIRE(fnv1a_32{}("") == 0x811c9dc5U);
    STATIC_REQUIRE(fnv1a_32{}("a") == 0xe40c292cU);
    STATIC_REQUIRE(fnv1a_32{}("foobar") == 0xbf9cf968U);
    STATIC_REQUIRE(fnv1_64{}("") == 0xcbf29ce484222325U);
    STATIC_REQUIRE(fnv1_64{}("a") == 0xaf63bd4c8601b7beU);
    STATIC_REQUIRE(fnv1_64{}("foobar") == 0x340d8765a4dda9c2U);
    STATIC_REQUIRE(fnv1a_64{}("") == 0xcbf29ce484222325U);
    STATIC_REQUIRE(fnv1a_64{}("a") == 0xaf63dc4c8601ec8cU);
    STATIC_REQUIRE(fnv1a_64{}("foobar") == 0x85944171f73967e8U);
}

TEST_CASE("fnv: names tell order, width and bytes", "[fnv][golden]") {
    CHECK(fnv1_32::name == "fnv1-32");
    CHECK(fnv1_64::name == "fnv1-64");
    CHECK(fnv1a_32::name == "fnv1a-32");
    CHECK(fnv1a_64::name == "fnv1a-64");
    CHECK(hash::fnv1<std::uint32_t, widening::sign>::name == "fnv1-32-signed");
    CHECK(hash::fnv1a<std::uint64_t, widening::sign>::name == "fnv1a-64-signed");
    STATIC_REQUIRE_FALSE(position_hash<fnv1_64>);
    STATIC_REQUIRE_FALSE(position_hash<fnv1a_32>);
}

// [B57]-like traps: the same text is another key where bytes are read through a signed char.
TEST_CASE("fnv: signed bytes are those less 256, widened to the whole word", "[fnv][law]") {
    constexpr std::uint64_t seed = 92;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::size_t length = 1; length < 60; ++length) {
        const std::string text = input.bytes(length);
        std::uint64_t order1 = 0xcbf29ce484222325U;
        std::uint64_t order1a = order1;
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            const std::uint64_t word = byte < 0x80 ? byte : ~std::uint64_t{0} - (0xffU - byte);
            order1 = (order1 * 0x100000001b3U) ^ word;
            order1a = (order1a ^ word) * 0x100000001b3U;
        }
        wrong.compare(hash::fnv1<std::uint64_t, widening::sign>{}(text), order1, length);
        wrong.compare(hash::fnv1a<std::uint64_t, widening::sign>{}(text), order1a, length);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("fnv: the last byte hardly moves the value, which is why it is called weak",
          "[fnv][law]") {
    CHECK((fnv1_64{}("node-1") ^ fnv1_64{}("node-2")) == ('1' ^ '2'));
    CHECK(fnv1_32{}("node-1") >> 8U == fnv1_32{}("node-2") >> 8U);
    CHECK(fnv1a_64{}("node-1") >> 56U == fnv1a_64{}("node-2") >> 56U);
}

TEST_CASE("fnv: NUL is a byte", "[fnv][edge]") {
    CHECK(fnv1a_32{}("a\0"sv) != fnv1a_32{}("a"sv));
    CHECK(fnv1_32{}("a\0b"sv) != fnv1_32{}("ab"sv));
    CHECK(fnv1a_64{}("\0"sv) != fnv1a_64{}(""sv));
    CHECK(fnv1_64{}(std::string_view{}) == fnv1_64{}(""));
}
