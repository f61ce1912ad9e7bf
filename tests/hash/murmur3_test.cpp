// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/smhasher.hpp"

#include <hashring/hash/murmur3.hpp>

#include <cstdint>
#include <string_view>

using namespace hashring;
using namespace std::string_view_literals;

TEST_CASE("murmur3: known values", "[murmur3][golden]") {
    const auto seeded = [](std::uint32_t seed, std::string_view key) {
        return hash::murmur3_32{seed}(key);
    };
    CHECK(test::smhasher_value(seeded) == 0xb0f57ee3U); // SMHasher's list
    CHECK(hash::murmur3_32::name == "murmur3-32");
    STATIC_REQUIRE(hash::murmur3_32{}("") == 0);
    STATIC_REQUIRE(hash::murmur3_32{1}("") == 0x514e28b7U);
    STATIC_REQUIRE(hash::murmur3_32{0xdeadbeefU * 11}("player/5558") ==
                   0x53dd1f52U); // libmemcached
}

TEST_CASE("murmur3: the seed, the length and NUL are part of the value", "[murmur3][edge]") {
    CHECK(hash::murmur3_32{1}("apple") != hash::murmur3_32{2}("apple"));
    CHECK(hash::murmur3_32{1} != hash::murmur3_32{2});
    CHECK(hash::murmur3_32{}("a\0"sv) != hash::murmur3_32{}("a"sv));
    CHECK(hash::murmur3_32{}("a\0b"sv) != hash::murmur3_32{}("a\0c"sv));
    CHECK(hash::murmur3_32{3}(std::string_view{}) == hash::murmur3_32{3}(""));
}
