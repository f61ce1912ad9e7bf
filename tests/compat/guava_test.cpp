// SPDX-License-Identifier: MIT
#include "support/bucket_laws.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/compat/guava.hpp>
#include <hashring/core/text.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::guava;
using compat::guava_bucket;
using compat::guava_pad_to_long;
using compat::detail::guava_step;
using namespace std::string_view_literals;

namespace {

constexpr std::int64_t largest_draw = std::int64_t{1} << 31U;
constexpr std::int64_t beyond = std::numeric_limits<std::int32_t>::max();

// As the program has it, in doubles; `volatile`, so that each step is rounded once.
std::int64_t step_in_doubles(std::int64_t a, std::int64_t d) {
    const volatile double draw = static_cast<double>(d) / 2147483648.0;
    const volatile double quotient = static_cast<double>(a) / draw;
    return static_cast<std::int64_t>(quotient);
}

std::int64_t cut(std::int64_t bucket) {
    return std::min(bucket, beyond); // past all buckets it does not matter how far
}

table<guava> numbered(std::int32_t count, std::string_view hash) {
    guava scheme;
    scheme.set("hash", hash);
    std::vector<node_spec> nodes;
    for (std::int32_t i = 0; i < count; ++i) {
        nodes.emplace_back(decimal(i));
    }
    return table<guava>(nodes, scheme);
}

} // namespace

TEST_CASE("guava: it gives the values that it publishes", "[guava][golden]") {
    const std::vector<std::int32_t> of_100 = {0,  55, 62, 8,  45, 59, 86, 97, 82, 59,
                                              73, 37, 17, 56, 86, 21, 90, 37, 38, 83};
    std::vector<std::int32_t> got;
    for (std::uint64_t key = 0; key < of_100.size(); ++key) {
        got.push_back(guava_bucket(key, 100));
    }
    CHECK(got == of_100);
    STATIC_REQUIRE(guava_bucket(10863919174838991U, 11) == 6);
    STATIC_REQUIRE(guava_bucket(2016238256797177309U, 11) == 3);
    STATIC_REQUIRE(guava_bucket(1673758223894951030U, 11) == 5);
    CHECK(guava_bucket(2, 100001) == 80343);
    CHECK(guava_bucket(2201, 100001) == 22152);
    CHECK(guava_bucket(2202, 100001) == 15018);
}

TEST_CASE("guava: it rounds once, where jump hashing rounds twice", "[guava][golden]") {
    STATIC_REQUIRE(guava_bucket(2046972062561595299U, 131072) == 48);
    STATIC_REQUIRE(jump_hash(2046972062561595299U, 131072) == 131071);
}

// Their first draws have all 31 bits set: with 1 added Guava 31.1's `int` is the lowest there is.
TEST_CASE("guava: a draw that overflows ends the jumps", "[guava][golden]") {
    for (const std::uint64_t key :
         {17068571456203592619U, 18063469494497682072U, 4626093953513826134U}) {
        CAPTURE(key);
        CHECK(guava_bucket(key, 10) == 0);
        CHECK(guava_bucket(key, 1'000'000) == 0);
        CHECK(jump_hash(key, 10) > 0);
    }
}

// As Guava 31.1 on JDK 17 has them.
TEST_CASE("guava: the hashes of a key, and their buckets", "[guava][golden]") {
    const auto check = [](std::string_view hash, std::uint64_t number, std::string_view bucket) {
        const table<guava> t = numbered(1000, hash);
        CHECK(t.position("apple") == number);
        CHECK(t.owner("apple")->name() == bucket);
    };
    check("md5", 5290690694370834463U, "161");
    check("crc32", 2838417488U, "325");
    check("murmur3_32", 1880549520U, "904");
}

TEST_CASE("guava: of a hash code the first eight bytes count, or zeros", "[guava][golden]") {
    STATIC_REQUIRE(guava_pad_to_long("\x01\xff\x03") == 261889);
    STATIC_REQUIRE(guava_pad_to_long("") == 0);
    STATIC_REQUIRE(guava_pad_to_long("\x01\x00\x00\x00\x00\x00\x00\x80\x77"sv) ==
                   0x8000000000000001U);
    const auto digest = hash::md5::digest("apple");
    std::string bytes;
    for (std::size_t i = 0; i < 16; ++i) {
        bytes += static_cast<char>(digest.byte(i));
    }
    CHECK(guava_pad_to_long(bytes) == guava().position("apple"));
}

TEST_CASE("guava: its step in integers is the step in doubles", "[guava][law]") {
    constexpr std::uint64_t seed = 21;
    CAPTURE(seed);
    dice random(seed);
    const auto any = [&] {
        return static_cast<std::int64_t>(1 + (random.next() >> 33U >> random.below(31)));
    };
    hashring::test::mismatches found;
    for (int i = 0; i < 50'000; ++i) {
        const std::int64_t a = any();
        const std::int64_t d = std::min(any(), largest_draw - 1);
        found.compare(cut(guava_step(a, d)), cut(step_in_doubles(a, d)), a, d);
    }
    CHECK_NO_MISMATCHES(found);
}

// a · 2^31 / d a few hundred d-ths below a whole number: there the rounding decides.
TEST_CASE("guava: its step is right next to whole numbers", "[guava][law]") {
    constexpr std::uint64_t seed = 22;
    CAPTURE(seed);
    dice random(seed);
    hashring::test::mismatches found;
    std::size_t rounded_up = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto d = static_cast<std::int64_t>((random.next() >> 33U >> random.below(8)) | 1U);
        std::int64_t unit = 1; // times 2^31 it is 1 modulo d
        for (int halving = 0; halving < 31; ++halving) {
            unit = (unit % 2 == 0 ? unit : unit + d) / 2;
        }
        const auto below = static_cast<std::int64_t>(random.below(300));
        const std::int64_t a = d - (below * unit % d);
        const std::int64_t want = step_in_doubles(a, d);
        found.compare(cut(guava_step(a, d)), cut(want), a, d);
        rounded_up += want < beyond && want != (a << 31U) / d ? 1U : 0U;
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(rounded_up > 500); // so the cases are the hard ones
}

TEST_CASE("guava: one more bucket takes keys and moves none else", "[guava][law]") {
    CHECK_NO_MISMATCHES(hashring::test::growing_moves(guava_bucket, 23, 1'000));
}

TEST_CASE("guava: a table of it changes as that of jump does", "[guava][law]") {
    table<guava> t({"a", "b", "c"});
    CHECK(t.owner("apple")->name() == "c");
    CHECK(t.add("d"));
    CHECK(t.remove("d"));
    CHECK(t == table<guava>({"a", "b", "c"}));
    CHECK_THROWS_AS(t.remove("a"), invalid_removal);
    CHECK_THROWS_AS(t.add({"d", weight{2}}), invalid_weight);
}

TEST_CASE("guava: without buckets the answer is -1, and no node", "[guava][edge]") {
    STATIC_REQUIRE(noexcept(guava_bucket(1, 1)));
    CHECK(guava_bucket(7, 0) == -1);
    CHECK(guava_bucket(7, -1) == -1);
    CHECK(guava_bucket(7, 1) == 0);
    CHECK(table<guava>().owner("apple") == std::nullopt);
    constexpr auto most = std::numeric_limits<std::int32_t>::max();
    CHECK(guava_bucket(0, most) == 0);
    CHECK(guava_step(1, 1) > most);
    CHECK(guava_step(largest_draw, largest_draw) > most);
}

TEST_CASE("guava: a hash that it has not is refused", "[guava][error]") {
    guava scheme;
    CHECK_THROWS_AS(scheme.set("hash", "sha1"), invalid_option);
    CHECK_THROWS_AS(scheme.set("vnodes", "1"), invalid_option);
    CHECK_THROWS_AS(scheme.get("vnodes"), invalid_option);
    CHECK(scheme.get("hash") == "md5");
}
