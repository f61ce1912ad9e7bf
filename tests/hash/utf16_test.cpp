// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/hash/utf16.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;

namespace {

using units = std::vector<std::uint32_t>;

units units_of(std::string_view text) {
    units result;
    hash::for_each_utf16(text, [&](std::uint32_t unit) { result.push_back(unit); });
    return result;
}

// The Unicode Standard's table 3-6, by sums.
std::string utf8(std::uint32_t code) {
    const auto byte = [](std::uint32_t value) {
        return std::string(1, static_cast<char>(static_cast<unsigned char>(value)));
    };
    if (code < 0x80) {
        return byte(code);
    }
    if (code < 0x800) {
        return byte(192 + code / 64) + byte(128 + code % 64);
    }
    if (code < 0x10000) {
        return byte(224 + code / 4096) + byte(128 + code / 64 % 64) + byte(128 + code % 64);
    }
    return byte(240 + code / 262144) + byte(128 + code / 4096 % 64) + byte(128 + code / 64 % 64) +
           byte(128 + code % 64);
}

} // namespace

TEST_CASE("utf16: characters are units of sixteen bits", "[utf16][golden]") {
    CHECK(units_of("").empty());
    CHECK(units_of("a\x7f") == units{0x61, 0x7f});
    CHECK(units_of("\xc3\xbc\xe2\x82\xac") == units{0xfc, 0x20ac});
    CHECK(units_of("\xf0\x9f\x98\x80") == units{0xd83d, 0xde00});
    CHECK(units_of(std::string_view("a\0b", 3)) == units{0x61, 0, 0x62});
}

TEST_CASE("utf16: every character comes back", "[utf16][law]") {
    test::mismatches wrong;
    for (std::uint32_t code = 0; code <= 0x10ffff; code += code < 0x11000 ? 1 : 97) {
        if (code >= 0xd800 && code <= 0xdfff) {
            continue;
        }
        const units got = units_of(utf8(code));
        const std::uint32_t back = got.size() == 1 ? got[0]
                                   : got.size() == 2
                                       ? (got[0] - 0xd800) * 1024 + (got[1] - 0xdc00) + 0x10000
                                       : 0xffffffff;
        wrong.compare(back, code, code);
    }
    CHECK(wrong.report() == "");
}

// What Java 17 prints of `new String(bytes, UTF_8)`.
TEST_CASE("utf16: what is no character is replaced", "[utf16][edge]") {
    constexpr std::uint32_t no = 0xfffd;
    CHECK(units_of("\x94") == units{no});
    CHECK(units_of("\xc0\x80") == units{no, no});
    CHECK(units_of("\xc3") == units{no});
    CHECK(units_of("\xc3(") == units{no, '('});
    CHECK(units_of("\xe2\x82") == units{no});
    CHECK(units_of("\xe2\x82z") == units{no, 'z'});
    CHECK(units_of("\xed\xa0\x80") == units{no});
    CHECK(units_of("\xed\xb0\xfdw") == units{no, no, 'w'});
    CHECK(units_of("\xe0\x9f\xbf") == units{no, no, no});
    CHECK(units_of("\xf0\x9f\x98") == units{no});
    CHECK(units_of("\xf4\x90\x80\x80") == units{no, no, no, no});
    CHECK(units_of("\xff\xfe") == units{no, no});
}

TEST_CASE("utf16: any bytes are read to their end", "[utf16][law]") {
    constexpr std::uint64_t seed = 613;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int i = 0; i < 20'000; ++i) {
        const std::string bytes = input.bytes(1 + input.below(8));
        const units got = units_of(bytes);
        wrong.expect(!got.empty() && got.size() <= bytes.size(), i);
        wrong.expect(units_of(bytes + "z").back() == 'z', i);
    }
    CHECK(wrong.report() == "");
}
