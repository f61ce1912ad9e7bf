// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/smhasher.hpp"

#include <hashring/hash/lookup3.hpp>

#include <cstdint>
#include <string_view>

using namespace hashring;
using namespace std::string_view_literals;

TEST_CASE("lookup3: known values", "[lookup3][golden]") {
    const auto seeded = [](std::uint32_t seed, std::string_view key) {
        return hash::lookup3{seed}(key);
    };
    CHECK(test::smhasher_value(seeded) == 0x3d83917aU); // SMHasher's list
    CHECK(hash::lookup3::name == "lookup3");
    // driver5 of lookup3.c
    STATIC_REQUIRE(hash::lookup3{}("") == 0xdeadbeefU);
    STATIC_REQUIRE(hash::lookup3{0xdeadbeefU}("") == 0xbd5b7ddeU);
    STATIC_REQUIRE(hash::lookup3{}("Four score and seven years ago") == 0x17770551U);
    STATIC_REQUIRE(hash::lookup3{1}("Four score and seven years ago") == 0xcd628161U);
}

TEST_CASE("lookup3: the initval, the length and NUL are part of the value", "[lookup3][edge]") {
    CHECK(hash::lookup3{1}("apple") != hash::lookup3{2}("apple"));
    CHECK(hash::lookup3{1} != hash::lookup3{2});
    CHECK(hash::lookup3{}("a\0"sv) != hash::lookup3{}("a"sv));
    CHECK(hash::lookup3{}("a\0b"sv) != hash::lookup3{}("a\0c"sv));
    CHECK(hash::lookup3{3}(std::string_view{}) == hash::lookup3{3}(""));
}
