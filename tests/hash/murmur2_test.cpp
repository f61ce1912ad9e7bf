// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/smhasher.hpp"

#include <hashring/hash/murmur2.hpp>

#include <cstdint>
#include <string_view>

using namespace hashring;
using namespace std::string_view_literals;

TEST_CASE("murmur2: known values", "[murmur2][golden]") {
    const auto seeded = [](std::uint32_t seed, std::string_view key) {
        return hash::murmur2{seed}(key);
    };
    CHECK(test::smhasher_value(seeded) == 0x27864c1eU); // SMHasher's list
    CHECK(hash::murmur2::name == "murmur2");
    STATIC_REQUIRE(hash::murmur2{}("") == 0);
    STATIC_REQUIRE(hash::murmur2{0xdeadbeefU * 11}("player/5558") == 0xb580abc8U); // libmemcached
}

TEST_CASE("murmur2: the seed, the length and NUL are part of the value", "[murmur2][edge]") {
    CHECK(hash::murmur2{1}("apple") != hash::murmur2{2}("apple"));
    CHECK(hash::murmur2{1} != hash::murmur2{2});
    CHECK(hash::murmur2{}("a\0"sv) != hash::murmur2{}("a"sv));
    CHECK(hash::murmur2{}("a\0b"sv) != hash::murmur2{}("a\0c"sv));
    CHECK(hash::murmur2{3}(std::string_view{}) == hash::murmur2{3}(""));
}
