// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"
#include "support/text_at_offset.hpp"

#include <hashring/compat/memcached_hash.hpp>
#include <hashring/compat/memcached_ident.hpp>
#include <hashring/placement/labels.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::memcached_hash;
using kind = compat::memcached_hash_kind;

namespace {

constexpr std::array all_kinds = {kind::one_at_a_time, kind::md5,     kind::crc,      kind::fnv1_64,
                                  kind::fnv1a_64,      kind::fnv1_32, kind::fnv1a_32, kind::hsieh,
                                  kind::murmur,        kind::murmur3, kind::jenkins};

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

} // namespace

TEST_CASE("memcached hash: values are libmemcached's for 2000 keys", "[memcached-hash][golden]") {
    const auto keys = golden::keys("memcached/keys.hex");
    test::mismatches wrong;
    for (const kind k : all_kinds) {
        const memcached_hash hash{k};
        const std::string name(hash.text());
        const auto values = golden::lines("memcached/hashes/libmemcached." + name + ".txt");
        REQUIRE(values.size() == 2000);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            wrong.compare(decimal(hash(keys[i])), values[i], name, i);
        }
    }
    CHECK(wrong.report() == "");
}

// The same keys in libmemcached built for x86-64 and with -funsigned-char.
TEST_CASE("memcached hash: non-ASCII keys by the sign of char", "[memcached-hash][golden]") {
    struct row {
        kind hash;
        std::array<std::uint32_t, 3> as_signed;
        std::array<std::uint32_t, 3> as_unsigned;
    };
    constexpr std::array<std::string_view, 3> keys = {"player/5558", "\x72\x52\xc3\xb8\xce\xb1",
                                                      "\x94"};
    constexpr std::array<row, 11> rows = {{
        {kind::one_at_a_time,
         {0x1e89bb0f, 0xc4f9feb2, 0x51206a17},
         {0x1e89bb0f, 0x84ea1e7c, 0x9526aa23}},
        {kind::md5, {0x150e5f21, 0xa5e73f04, 0x9faaa89d}, {0x150e5f21, 0xa5e73f04, 0x9faaa89d}},
        {kind::crc, {0x000015ea, 0x00007351, 0x00002560}, {0x000015ea, 0x00007351, 0x00002560}},
        {kind::fnv1_64, {0x317a2e58, 0x2ab3c7cf, 0x79fe484b}, {0x317a2e58, 0x3fe349cf, 0x8601b74b}},
        {kind::fnv1a_64,
         {0x703752da, 0x72e87133, 0x79fe00c3},
         {0x703752da, 0x3fb59333, 0x8602a5c3}},
        {kind::fnv1_32, {0xf67377b8, 0x5b8323cf, 0xfaf3a28b}, {0xf67377b8, 0x362d6bcf, 0x050c5d8b}},
        {kind::fnv1a_32,
         {0x35c9f71a, 0xb33894f3, 0x10f3c583},
         {0x35c9f71a, 0x48bb60f3, 0x910ba683}},
        {kind::hsieh, {0xd3dddd18, 0x336e00b2, 0x60ffcdc9}, {0xd3dddd18, 0x336e00b2, 0x60ffcdc9}},
        {kind::murmur, {0xb580abc8, 0xbf4963a4, 0x0593ea7e}, {0xb580abc8, 0xbf4963a4, 0x0593ea7e}},
        {kind::murmur3, {0x53dd1f52, 0x8ecc2fe0, 0xaae9aa88}, {0x53dd1f52, 0x8ecc2fe0, 0xaae9aa88}},
        {kind::jenkins, {0x88710045, 0x079d876b, 0x482aa4f4}, {0x88710045, 0x079d876b, 0x482aa4f4}},
    }};
    test::mismatches wrong;
    for (const row& expected : rows) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const memcached_hash on_x86{expected.hash};
            const memcached_hash on_arm{expected.hash, true};
            wrong.compare(on_x86(keys[i]), expected.as_signed[i], on_x86.text(), i);
            wrong.compare(on_arm(keys[i]), expected.as_unsigned[i], on_arm.text(), i);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("memcached hash: constant expressions may use it", "[memcached-hash]") {
    STATIC_REQUIRE(memcached_hash{}("player/5558") == 0x1e89bb0fU);
    STATIC_REQUIRE(memcached_hash{kind::crc}("player/5558") == 0x15eaU);
    STATIC_REQUIRE(memcached_hash{kind::jenkins}("player/5558") == 0x88710045U);
}

TEST_CASE("memcached hash: names are read and written", "[memcached-hash][law]") {
    std::set<std::string_view> names;
    for (const kind k : all_kinds) {
        CHECK(memcached_hash::parse(memcached_hash{k}.text()) == k);
        names.insert(memcached_hash{k}.text());
    }
    CHECK(names.size() == compat::memcached_hash_names.size());
    CHECK(memcached_hash{}.text() == "default");
}

TEST_CASE("memcached hash: the sign of char changes some hashes of non-ASCII keys alone",
          "[memcached-hash][law]") {
    const std::set<kind> by_char = {kind::one_at_a_time, kind::fnv1_64,  kind::fnv1a_64,
                                    kind::fnv1_32,       kind::fnv1a_32, kind::hsieh};
    const auto keys = golden::keys("memcached/keys.hex");
    test::mismatches wrong;
    for (const kind k : all_kinds) {
        std::size_t changed = 0;
        for (const std::string& key : keys) {
            const bool differs = memcached_hash{k}(key) != memcached_hash{k, true}(key);
            changed += differs ? 1U : 0U;
            wrong.expect(!differs || !is_ascii(key), memcached_hash{k}.text(), key);
        }
        // hsieh reads one byte of a key so, if three are left at its end
        const std::size_t expected = !by_char.contains(k) ? 0 : k == kind::hsieh ? 85 : 400;
        wrong.compare(changed, expected, memcached_hash{k}.text());
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("memcached hash: the place of a key in memory does not matter", "[memcached-hash][law]") {
    constexpr std::uint64_t seed = 94;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::size_t length = 0; length <= 33; ++length) {
        const std::string key = input.bytes(length);
        for (const kind k : all_kinds) {
            const std::uint32_t want = memcached_hash{k}(key);
            for (std::size_t offset = 0; offset < 4; ++offset) {
                const test::text_at_offset copy(key, offset);
                wrong.compare(memcached_hash{k}(copy.view()), want, length, offset);
            }
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("memcached hash: crc has fifteen bits", "[memcached-hash][edge]") {
    std::uint32_t seen = 0;
    for (int i = 0; i < 5000; ++i) {
        seen |= memcached_hash{kind::crc}(std::to_string(i));
    }
    CHECK(seen == 0x7fffU);
}

TEST_CASE("memcached hash: the empty key has a value", "[memcached-hash][edge]") {
    CHECK(memcached_hash{kind::one_at_a_time}("") == 0);
    CHECK(memcached_hash{kind::hsieh}("") == 0);
    CHECK(memcached_hash{kind::fnv1a_64}("") == 0x84222325U);
    CHECK(memcached_hash{kind::jenkins}("") == 0xdeadbeefU + 13);
}

TEST_CASE("memcached hash: what is no name is a typed error", "[memcached-hash][error]") {
    for (const std::string_view name : {"", "DEFAULT", "md5 ", "one_at_a_time", "fnv", "crc32"}) {
        CAPTURE(name);
        CHECK_THROWS_AS(memcached_hash::parse(name), invalid_option);
    }
}

TEST_CASE("memcached ident: memcached's own port is left out", "[memcached-ident][golden]") {
    using compat::without_default_port;
    STATIC_REQUIRE(without_default_port("10.0.0.1:11211") == "10.0.0.1");
    STATIC_REQUIRE(without_default_port("10.0.0.1") == "10.0.0.1");
    STATIC_REQUIRE(without_default_port("10.0.0.1:11212") == "10.0.0.1:11212");
    STATIC_REQUIRE(without_default_port("10.0.0.1:112110") == "10.0.0.1:112110");
    STATIC_REQUIRE(without_default_port("10.0.0.1:11211:11211") == "10.0.0.1:11211");
    STATIC_REQUIRE(without_default_port("a11211") == "a11211");
    STATIC_REQUIRE(without_default_port("::1:11212") == "::1:11212");
    STATIC_REQUIRE(without_default_port("::1:11211") == "::1");
    STATIC_REQUIRE(without_default_port("/run/m.sock:0") == "/run/m.sock:0");
    STATIC_REQUIRE(without_default_port("") == "");
    CHECK(label_text(compat::dashed_ident{}, {.name = "a:11211"}, 17) == "a-17");
    CHECK(label_text(compat::dashed_ident{}, {.name = "a:6379"}, 0) == "a:6379-0");
    STATIC_REQUIRE(label_rule<compat::dashed_ident>);
}
