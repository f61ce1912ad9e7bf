// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/mismatches.hpp"

#include <hashring/core/text.hpp>
#include <hashring/hash/siphash.hpp>
#include <hashring/placement/labelled.hpp>
#include <hashring/ring/ring.hpp>

#include <cstdint>
#include <string>

using namespace hashring;
using hash::siphash13;
using hash::siphash24;

TEST_CASE("siphash: it is OpenSSL's at every length", "[siphash][golden]") {
    constexpr std::uint64_t low = 0x0706050403020100U;
    constexpr std::uint64_t high = 0x0f0e0d0c0b0a0908U;
    std::string bytes;
    test::mismatches found;
    std::size_t count = 0;
    for (const std::string& line : golden::lines("hash/siphash.tsv")) {
        const auto row = golden::fields(line);
        found.compare(decimal(bytes.size()), row.at(0));
        found.compare(decimal(siphash24{low, high}(bytes)), row.at(1), bytes.size());
        found.compare(decimal(siphash13{low, high}(bytes)), row.at(2), bytes.size());
        bytes += static_cast<char>(bytes.size());
        ++count;
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(count == 64);
}

TEST_CASE("siphash: every bit of the key counts", "[siphash][law]") {
    const std::uint64_t without = siphash24{}("user:42");
    test::mismatches found;
    for (unsigned bit = 0; bit < 64; ++bit) {
        found.expect(siphash24{std::uint64_t{1} << bit, 0}("user:42") != without, bit);
        found.expect(siphash24{0, std::uint64_t{1} << bit}("user:42") != without, bit);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(siphash24{1, 2} == siphash24{1, 2});
    CHECK_FALSE(siphash24{1, 2} == siphash24{2, 1});
    CHECK(siphash24::name == "siphash-2-4");
    CHECK(siphash13::name == "siphash-1-3");
}

TEST_CASE("siphash: a length counts by its last byte, which the tail cannot", "[siphash][edge]") {
    CHECK(siphash24{}("") != siphash24{}(std::string_view("\0", 1)));
    CHECK(siphash24{}(std::string(256, 'a')) != siphash24{}(std::string(257, 'a')));
    CHECK(siphash24{}(std::string_view("a\0", 2)) != siphash24{}("a"));
}
