// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <hashring/hash/djb2.hpp>
#include <hashring/hash/sdbm.hpp>
#include <hashring/hash/wt6.hpp>

#include <string>

using namespace hashring;

TEST_CASE("haproxy hashes: values are the program's", "[sdbm][djb2][wt6][golden]") {
    STATIC_REQUIRE(hash::sdbm{}("apple") == 1327380058U);
    STATIC_REQUIRE(hash::djb2{}("apple") == 253337143U);
    STATIC_REQUIRE(hash::wt6{}("apple") == 1870391778U);
}

TEST_CASE("haproxy hashes: bytes are unsigned", "[sdbm][djb2][wt6][golden]") {
    STATIC_REQUIRE(hash::sdbm{}("\xe9\x80\xff") == 1933327592U);
    STATIC_REQUIRE(hash::djb2{}("\xe9\x80\xff") == 193635213U);
    STATIC_REQUIRE(hash::wt6{}("\xe9\x80\xff") == 2390895265U);
}

TEST_CASE("haproxy hashes: an empty text is where they start", "[sdbm][djb2][wt6][edge]") {
    STATIC_REQUIRE(hash::sdbm{}("") == 0U);
    STATIC_REQUIRE(hash::djb2{}("") == 5381U);
    STATIC_REQUIRE(hash::wt6{}("") == (0xa53c965aU ^ 0x5ca6953aU));
}
