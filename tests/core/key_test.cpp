// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/core/key.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

template <key Key>
std::string bytes_of(const Key& k) {
    return with_key_bytes(k, [](std::string_view bytes) { return std::string(bytes); });
}

template <key Key>
const void* storage_of(const Key& k) {
    return with_key_bytes(k, [](std::string_view bytes) -> const void* { return bytes.data(); });
}

enum class colour : std::uint8_t { red, green = 5 };
enum plain_enum : int { minus_one = -1, five = 5 };

} // namespace

namespace app {

struct user {
    std::uint64_t id = 0;
    std::string name;
};
std::uint64_t hashring_key(const user& u) noexcept {
    return u.id;
}

struct session {
    std::string token;
};
std::string_view hashring_key(const session& s) noexcept {
    return s.token;
}

/// It converts to text, and its key is something else.
struct tagged {
    std::string text;
    int shard = 0;
    operator std::string_view() const noexcept { return text; }
};
int hashring_key(const tagged& t) noexcept {
    return t.shard;
}

enum class planet : std::uint8_t { earth = 3 };
std::string_view hashring_key(planet) noexcept {
    return "earth";
}

/// Only converts to text.
struct path {
    std::string text;
    operator std::string_view() const noexcept { return text; }
};

struct may_throw {
    operator std::string_view() const noexcept { return "text"; }
};
std::uint64_t hashring_key(const may_throw&) {
    return 1;
}

struct gives_double {};
double hashring_key(const gives_double&) noexcept {
    return 1.0;
}

enum class loud : std::uint8_t { on };
void hashring_key(loud) noexcept {}

struct no_key {};

} // namespace app

TEST_CASE("key: numbers are eight little-endian bytes", "[key][golden][small]") {
    CHECK(bytes_of(5) == "\x05\0\0\0\0\0\0\0"s);
    CHECK(bytes_of(-1) == "\xff\xff\xff\xff\xff\xff\xff\xff"s);
    CHECK(bytes_of(-2) == "\xfe\xff\xff\xff\xff\xff\xff\xff"s);
    CHECK(bytes_of(std::uint32_t{0xffffffffU}) == "\xff\xff\xff\xff\0\0\0\0"s);
    CHECK(bytes_of(std::uint64_t{0x8807060504030201U}) == "\x01\x02\x03\x04\x05\x06\x07\x88"s);
    CHECK(bytes_of(std::numeric_limits<std::int64_t>::min()) == "\0\0\0\0\0\0\0\x80"s);
    CHECK(bytes_of(colour::green) == bytes_of(5));
    CHECK(bytes_of(minus_one) == bytes_of(-1));
}

TEST_CASE("key: text is its bytes", "[key][golden][small]") {
    CHECK(bytes_of("user:42") == "user:42");
    CHECK(bytes_of("user:42"s) == "user:42");
    CHECK(bytes_of("user:42"sv) == "user:42");
    const char* const pointer = "user:42";
    CHECK(bytes_of(pointer) == "user:42");
    std::string writable = "user:42";
    char* const writable_pointer = writable.data();
    CHECK(bytes_of(writable_pointer) == "user:42");
    CHECK(bytes_of(app::path{"/etc"}) == "/etc");
    CHECK(bytes_of(u8"cl\u00e9") == "cl\xc3\xa9");
    CHECK(bytes_of(std::u8string(u8"cl\u00e9")) == "cl\xc3\xa9");
    CHECK(bytes_of(std::u8string_view(u8"cl\u00e9")) == "cl\xc3\xa9");
}

TEST_CASE("key: a range of bytes is all of it", "[key][golden][small]") {
    CHECK(bytes_of(std::vector<std::byte>{std::byte{0}, std::byte{0xff}}) == "\0\xff"s);
    CHECK(bytes_of(std::array<unsigned char, 3>{1, 0, 2}) == "\x01\0\x02"s);
    CHECK(bytes_of(std::array<signed char, 2>{-1, 0}) == "\xff\0"s);
    CHECK(bytes_of(std::vector<char>{'a', '\0', 'b'}) == "a\0b"s);
    const std::array<std::byte, 2> bytes{std::byte{0x80}, std::byte{7}};
    CHECK(bytes_of(std::span<const std::byte>(bytes)) == "\x80\x07"s);
    CHECK(bytes_of(std::span<const std::byte, 2>(bytes)) == "\x80\x07"s);
    const unsigned char raw[] = {'a', 0, 'b', 0};
    CHECK(bytes_of(raw) == "a\0b\0"s);
}

TEST_CASE("key: a type of one's own is what hashring_key makes of it", "[key][golden]") {
    CHECK(bytes_of(app::user{5, "eve"}) == bytes_of(5));
    CHECK(bytes_of(app::session{"t\0k"s}) == "t\0k"s);
    CHECK(bytes_of(app::planet::earth) == "earth");
    CHECK(bytes_of(app::tagged{"seven", 7}) == bytes_of(7)); // not its text
}

TEST_CASE("key: constant expressions may look up text and numbers", "[key]") {
    constexpr auto first = [](std::string_view bytes) {
        return bytes[0];
    };
    constexpr auto length = [](std::string_view bytes) {
        return bytes.size();
    };
    STATIC_REQUIRE(with_key_bytes(300, first) == ',');
    STATIC_REQUIRE(with_key_bytes(300, length) == 8);
    STATIC_REQUIRE(with_key_bytes("abc", length) == 3);
    STATIC_REQUIRE(with_key_bytes("abc"sv, length) == 3);
}

TEST_CASE("key: a number is one key whatever its type", "[key][law]") {
    constexpr std::uint64_t seed = 41;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int i = 0; i < 2000; ++i) {
        const auto number = static_cast<std::int32_t>(input.number());
        const std::string wide = bytes_of(std::int64_t{number});
        wrong.expect(bytes_of(number) == wide, number);
        wrong.expect(bytes_of(static_cast<std::uint64_t>(number)) == wide, number);
        wrong.expect(bytes_of(static_cast<plain_enum>(number)) == wide, number);
        const auto small = static_cast<std::int16_t>(number);
        wrong.expect(bytes_of(small) == bytes_of(static_cast<long long>(small)), small);
        wrong.expect(bytes_of(std::to_string(number)) != wide, number);
    }
    CHECK(wrong.report() == "");
    CHECK(bytes_of(5) == bytes_of(std::uint64_t{5}));
    CHECK(bytes_of(-1) == bytes_of(std::int64_t{-1}));
    CHECK(bytes_of(12345678) != bytes_of("12345678")); // eight bytes each
}

TEST_CASE("key: nothing is copied", "[key][law]") {
    const std::string text(100, 'x');
    const std::vector<std::byte> bytes(100);
    const app::session session{std::string(100, 'y')};
    const char8_t literal[] = u8"utf-8";
    CHECK(storage_of(text) == text.data());
    CHECK(storage_of(std::string_view(text)) == text.data());
    CHECK(storage_of(text.c_str()) == text.data());
    CHECK(storage_of(bytes) == bytes.data());
    CHECK(storage_of(session) == session.token.data());
    CHECK(storage_of(literal) == static_cast<const void*>(literal));
}

TEST_CASE("key: what the caller does with the bytes is returned as it is", "[key]") {
    int calls = 0;
    int& result = with_key_bytes("k", [&](std::string_view) -> int& { return ++calls; });
    CHECK(&result == &calls);
    CHECK(calls == 1);
}

TEST_CASE("key: NUL is a byte where the length is known", "[key][edge]") { // [B59]
    CHECK(bytes_of("a\0b"sv) != bytes_of("a\0c"sv));
    CHECK(bytes_of("a\0b"sv) != bytes_of("a"sv));
    CHECK(bytes_of("a\0b"s) == bytes_of("a\0b"sv));
    const std::array<std::byte, 3> bytes{std::byte{'a'}, std::byte{0}, std::byte{'b'}};
    CHECK(bytes_of(std::span<const std::byte>(bytes)) == bytes_of("a\0b"sv));
}

TEST_CASE("key: an array of characters ends at its NUL or its end", "[key][edge]") {
    const char full[3] = {'a', 'b', 'c'};
    const char padded[5] = {'a', 'b', 'c', '\0', 'd'};
    const char8_t full_utf8[2] = {u8'a', u8'b'};
    CHECK(bytes_of(full) == "abc");
    CHECK(bytes_of(padded) == "abc");
    CHECK(bytes_of("a\0b") == "a"); // a literal is an array as well
    CHECK(bytes_of(full_utf8) == "ab");
    CHECK(bytes_of(u8"a\0b") == "a");
}

TEST_CASE("key: an empty key is a key", "[key][edge]") {
    CHECK(bytes_of("") == "");
    CHECK(bytes_of(std::string_view{}) == "");
    CHECK(bytes_of(std::vector<std::byte>{}) == "");
    CHECK(bytes_of(std::span<const unsigned char>{}) == "");
}

TEST_CASE("key: what has no clear meaning is no key", "[key][error]") {
    STATIC_REQUIRE_FALSE(key<bool>);
    STATIC_REQUIRE_FALSE(key<char>);
    STATIC_REQUIRE_FALSE(key<signed char>);
    STATIC_REQUIRE_FALSE(key<unsigned char>);
    STATIC_REQUIRE_FALSE(key<wchar_t>);
    STATIC_REQUIRE_FALSE(key<char8_t>);
    STATIC_REQUIRE_FALSE(key<char32_t>);
    STATIC_REQUIRE_FALSE(key<std::byte*>);
    STATIC_REQUIRE_FALSE(key<float>);
    STATIC_REQUIRE_FALSE(key<double>);
    STATIC_REQUIRE_FALSE(key<std::nullptr_t>);
    STATIC_REQUIRE_FALSE(key<const void*>);
    STATIC_REQUIRE_FALSE(key<const int*>);
    STATIC_REQUIRE_FALSE(key<std::wstring>);
    STATIC_REQUIRE_FALSE(key<std::vector<int>>);
    STATIC_REQUIRE_FALSE(key<std::deque<std::byte>>);
    STATIC_REQUIRE_FALSE(key<std::list<char>>);
    STATIC_REQUIRE_FALSE(key<std::optional<int>>);
    STATIC_REQUIRE_FALSE(key<app::no_key>);
}

TEST_CASE("key: a hashring_key that does not fit is not passed over", "[key][error]") {
    STATIC_REQUIRE(key<app::path>);
    STATIC_REQUIRE_FALSE(key<app::may_throw>); // and not read as its text
    STATIC_REQUIRE_FALSE(key<app::gives_double>);
    STATIC_REQUIRE_FALSE(key<app::loud>); // and not read as its number
}
