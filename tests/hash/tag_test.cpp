// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <hashring/hash/tag.hpp>

using hashring::invalid_option;
using hashring::hash::tag;

TEST_CASE("tag: what stands between the first marks is hashed", "[tag][golden]") {
    constexpr tag braces('{', '}');
    STATIC_REQUIRE(braces("user:{42}:name") == "42");
    STATIC_REQUIRE(braces("{a}{b}") == "a");
    STATIC_REQUIRE(braces("a{b{c}d") == "b{c");
    STATIC_REQUIRE(braces("}a{b}") == "b");
    STATIC_REQUIRE(braces("{}}") == "{}}");
    constexpr tag colons(':', ':');
    STATIC_REQUIRE(colons("a:b:c") == "b");
    STATIC_REQUIRE(colons("a::c:d") == "a::c:d");
}

TEST_CASE("tag: without both marks, or with nothing between, it is the whole key",
          "[tag][golden]") {
    constexpr tag braces('{', '}');
    for (const std::string_view key : {"", "a", "{", "}", "{}", "a{", "}{", "{}{a}", "a}b{c"}) {
        CAPTURE(key);
        CHECK(braces(key) == key);
        CHECK(tag{}(key) == key);
    }
    CHECK(tag(':', ':')("a:b") == "a:b");
}

TEST_CASE("tag: NUL may be a mark", "[tag][edge]") {
    constexpr tag zeros('\0', '\0');
    const std::string_view key("a\0b\0c", 5);
    CHECK(zeros(key) == "b");
    CHECK(tag{}(key) == key);
    CHECK(zeros != tag{});
}

TEST_CASE("tag: marks are read and written", "[tag][law]") {
    CHECK(tag::parse("{}") == tag('{', '}'));
    CHECK(tag::parse("") == tag{});
    CHECK(tag('[', ']').text() == "[]");
    CHECK(tag{}.text() == "");
    CHECK_THROWS_AS(tag::parse("{"), invalid_option);
    CHECK_THROWS_AS(tag::parse("{}}"), invalid_option);
}

// redis/redis #6027: keys whose tag holds another opening brace.
TEST_CASE("tag: the rules of Redis Cluster and twemproxy have names", "[tag][golden][B60]") {
    using hashring::hash::redis_tag;
    using hashring::hash::twemproxy_tag;
    CHECK(redis_tag("a{'1':{'i32':1}}") == "'1':{'i32':1");
    CHECK(redis_tag("{'1':{'i32':1}}") == "'1':{'i32':1");
    CHECK(redis_tag("foo{}bar") == "foo{}bar");
    CHECK(redis_tag("foo{{bar}}") == "{bar");
    CHECK(redis_tag("{}{a}") == "{}{a}");
    CHECK(redis_tag("}{a}") == "a");
    CHECK(redis_tag("{a") == "{a");
    CHECK(redis_tag("user:{42}:[7]") == "42");
    CHECK(twemproxy_tag("user:{42}:[7]", '[', ']') == "7");
    CHECK(twemproxy_tag("user:{42}:[7]", '{', '}') == "42");
    CHECK(twemproxy_tag("user:42:7", ':', ':') == "42");
    CHECK(twemproxy_tag("user::42", ':', ':') == "user::42");
}
