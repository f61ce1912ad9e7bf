// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"

#include <hashring/ring/arc.hpp>

#include <cstdint>
#include <limits>

using namespace hashring;

TEST_CASE("arc: widths of whole circles are exact", "[ring][arc]") {
    STATIC_REQUIRE(circle_width(std::uint64_t{0xffffffffffffffffU}) == uint128(1, 0));
    STATIC_REQUIRE(circle_width(std::uint32_t{0xffffffffU}) == uint128(0x100000000U));
    STATIC_REQUIRE(circle_width(std::uint32_t{0xfffffffeU}) == uint128(0xffffffffU));
    STATIC_REQUIRE(circle_width(std::uint8_t{255}) == uint128(256));
}

TEST_CASE("arc: a full circle is one that begins one after its end", "[ring][arc]") {
    static constexpr auto last = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t end = GENERATE(std::uint64_t{0}, std::uint64_t{41}, last - 1, last + 0);
    const arc<std::uint64_t> full{next_position(end, last), end};
    CAPTURE(end);
    CHECK(width(full, last) == uint128(1, 0));
    CHECK(full.contains(0));
    CHECK(full.contains(end));
    CHECK(full.contains(end + 1));
    CHECK(full.contains(last));
}

TEST_CASE("arc: a fraction is a part over a whole", "[ring][arc]") {
    CHECK(fraction(uint128(1, 0), uint128(1, 0)) == 1.0);
    CHECK(fraction(uint128(0x8000000000000000U), uint128(1, 0)) == 0.5);
    CHECK(fraction(uint128(0), uint128(7)) == 0.0);
}

TEST_CASE("arc: the width is the number of positions that it contains", "[ring][arc][law]") {
    const std::uint8_t last = GENERATE(std::uint8_t{30}, std::uint8_t{31}, std::uint8_t{255});
    hashring::test::mismatches found;
    for (unsigned first = 0; first <= last; ++first) {
        for (unsigned end = 0; end <= last; ++end) {
            const arc<std::uint8_t> a{static_cast<std::uint8_t>(first),
                                      static_cast<std::uint8_t>(end)};
            unsigned contained = 0;
            for (unsigned p = 0; p <= last; ++p) {
                contained += a.contains(static_cast<std::uint8_t>(p)) ? 1U : 0U;
            }
            found.expect(width(a, last) == uint128(contained), "arc", first, end, "of", last);
        }
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("arc: an arc contains its ends and nothing beside them", "[ring][arc]") {
    constexpr arc<std::uint8_t> plain{10, 20};
    CHECK(plain.contains(10));
    CHECK(plain.contains(20));
    CHECK_FALSE(plain.contains(9));
    CHECK_FALSE(plain.contains(21));
    constexpr arc<std::uint8_t> wrapping{250, 3};
    CHECK(wrapping.contains(250));
    CHECK(wrapping.contains(255));
    CHECK(wrapping.contains(0));
    CHECK(wrapping.contains(3));
    CHECK_FALSE(wrapping.contains(249));
    CHECK_FALSE(wrapping.contains(4));
    constexpr arc<std::uint8_t> single{7, 7};
    CHECK(width(single, std::uint8_t{255}) == uint128(1));
    CHECK_FALSE(single.contains(6));
}

TEST_CASE("arc: after the last position comes 0", "[ring][arc]") {
    CHECK(next_position(std::uint8_t{255}, std::uint8_t{255}) == 0);
    CHECK(next_position(std::uint8_t{30}, std::uint8_t{30}) == 0);
    CHECK(next_position(std::uint32_t{0xfffffffeU}, std::uint32_t{0xfffffffeU}) == 0);
    CHECK(next_position(std::uint32_t{0xfffffffdU}, std::uint32_t{0xfffffffeU}) == 0xfffffffeU);
    CHECK(next_position(std::uint8_t{30}, std::uint8_t{255}) == 31);
}
