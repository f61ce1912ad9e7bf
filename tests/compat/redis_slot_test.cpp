// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <hashring/compat/redis_slot.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::redis_slot;
using namespace std::string_view_literals;

TEST_CASE("redis slot: it is the low 14 bits of CRC-16", "[redis][golden]") {
    STATIC_REQUIRE(redis_slot("123456789") == 12739); // 0x31c3
    STATIC_REQUIRE(redis_slot("apple") == 7092);
    STATIC_REQUIRE(redis_slot("") == 0);
    STATIC_REQUIRE(redis_slot("\0"sv) == 0);
    STATIC_REQUIRE(redis_slot("x") == 16287);
}

TEST_CASE("redis slot: of a key with a tag that alone counts", "[redis][golden]") {
    STATIC_REQUIRE(redis_slot("{user1000}.following") == redis_slot("user1000"));
    STATIC_REQUIRE(redis_slot("user1000") == 3443);
    STATIC_REQUIRE(redis_slot("{a}{b}") == redis_slot("a"));
    STATIC_REQUIRE(redis_slot("}{a}") == redis_slot("a"));
    STATIC_REQUIRE(redis_slot("foo{{bar}}zap") == redis_slot("{bar"));
    STATIC_REQUIRE(redis_slot("{\0}"sv) == redis_slot("\0"sv));
}

// redis/redis #6027: of a tag that holds a brace, server and clients made other slots.
TEST_CASE("redis slot: a tag begins at the first brace and ends at the next that closes",
          "[redis][golden][B60]") {
    constexpr hash::tag braces('{', '}');
    constexpr std::string_view nested = "'1':{'i32':1";
    STATIC_REQUIRE(braces("a{'1':{'i32':1}}") == nested);
    STATIC_REQUIRE(braces("{'1':{'i32':1}}") == nested);
    STATIC_REQUIRE(redis_slot("a{'1':{'i32':1}}") == 5540);
    STATIC_REQUIRE(redis_slot("{'1':{'i32':1}}") == 5540);
    STATIC_REQUIRE(redis_slot(nested) == 5540);
    STATIC_REQUIRE(braces("foo{}bar") == "foo{}bar");
    STATIC_REQUIRE(braces("foo{{bar}}") == "{bar");
    STATIC_REQUIRE(braces("{}{a}") == "{}{a}");
    STATIC_REQUIRE(braces("}{a}") == "a");
    STATIC_REQUIRE(braces("{a") == "{a");
}

TEST_CASE("redis slot: a tag of nothing, or half of one, is none", "[redis][golden]") {
    STATIC_REQUIRE(redis_slot("{}") == 15257);
    STATIC_REQUIRE(redis_slot("foo{}{bar}") == 8363);
    STATIC_REQUIRE(redis_slot("a{}b") == 13694);
    STATIC_REQUIRE(redis_slot("{a") == 10276);
    STATIC_REQUIRE(redis_slot("a}") == 5921);
}

TEST_CASE("redis slot: keys reach every slot and none beyond", "[redis][law]") {
    std::vector<bool> used(compat::redis_slots);
    for (int i = 0; i < 300'000; ++i) { // e^-18 of a slot's being left out
        used.at(redis_slot(std::to_string(i))) = true;
    }
    CHECK(std::count(used.begin(), used.end(), false) == 0);
}
