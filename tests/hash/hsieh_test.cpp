// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"

#include <hashring/hash/hsieh.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace hashring;
using namespace std::string_view_literals;
using hash::widening;

namespace {

using published = hash::hsieh<>;
using unsigned_bytes = hash::hsieh<widening::zero, widening::zero>;
using third_signed = hash::hsieh<widening::sign, widening::zero>;
using single_signed = hash::hsieh<widening::zero, widening::sign>;

} // namespace

TEST_CASE("hsieh: known values", "[hsieh][golden]") {
    // libmemcached 1.1.4, which starts from 0
    STATIC_REQUIRE(third_signed::from(0, "player/5558") == 0xd3dddd18U);
    STATIC_REQUIRE(third_signed::from(0, "r\x52\xc3\xb8\xce\xb1") == 0x336e00b2U);
    STATIC_REQUIRE(third_signed::from(0, "\x94") == 0x60ffcdc9U);
    CHECK(published::name == "hsieh");
    CHECK(unsigned_bytes::name == "hsieh-unsigned");
    CHECK(third_signed::name == "hsieh-third-signed");
    CHECK(single_signed::name == "hsieh-single-signed");
}

TEST_CASE("hsieh: of the rest it is the third and the single byte that may be signed",
          "[hsieh][law]") {
    test::mismatches wrong;
    for (std::size_t length = 0; length < 34; ++length) {
        const std::string text(length, '\xc3');
        const std::uint32_t plain = unsigned_bytes{}(text);
        wrong.compare(third_signed{}(text) != plain, length % 4 == 3, "third", length);
        wrong.compare(single_signed{}(text) != plain, length % 4 == 1, "single", length);
        wrong.compare(published{}(text) != plain, length % 2 == 1, "both", length);
        const std::string ascii(length, '\x7f');
        wrong.compare(published{}(ascii), unsigned_bytes{}(ascii), "ASCII", length);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("hsieh: it starts from the length unless told otherwise", "[hsieh][edge]") {
    CHECK(published{}("apple") == published::from(5, "apple"));
    CHECK(published{}("apple") != published::from(0, "apple"));
    CHECK(published::from(7, "") == 0);
    CHECK(published{}(std::string_view{}) == 0);
}

TEST_CASE("hsieh: NUL is a byte", "[hsieh][edge]") {
    CHECK(published{}("a\0"sv) != published{}("a"sv));
    CHECK(published{}("a\0b"sv) != published{}("a\0c"sv));
}
