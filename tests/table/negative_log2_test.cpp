// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <hashring/table/negative_log2.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

using hashring::negative_log2;

namespace {

constexpr std::uint64_t largest = ~std::uint64_t{0};

// By the C library, whose long double has 64 digits on x86; elsewhere fewer, and more is allowed.
long double by_library(std::uint64_t h) {
    return 56.0L - std::log2(static_cast<long double>((h >> 8U) + 1));
}

long double error_of(std::uint64_t h) {
    const long double ours = std::ldexp(static_cast<long double>(negative_log2(h)), -56);
    return std::fabs(ours - by_library(h));
}

} // namespace

TEST_CASE("negative_log2: powers of two are exact", "[table][log2]") {
    STATIC_REQUIRE(negative_log2(largest) == 0);
    STATIC_REQUIRE(negative_log2(0) == std::uint64_t{56} << 56U);
    for (unsigned k = 0; k < 56; ++k) {
        const std::uint64_t h = ((std::uint64_t{1} << k) - 1) << 8U; // u is 2^k
        CAPTURE(k);
        CHECK(negative_log2(h) == std::uint64_t{56 - k} << 56U);
        CHECK(negative_log2(h | 255U) == negative_log2(h)); // the last eight digits do not count
    }
}

TEST_CASE("negative_log2: it is the logarithm", "[table][log2][law]") {
    const long double allowed = sizeof(long double) > 8 ? 0x1p-54L : 0x1p-46L;
    dice draws(7);
    long double worst = 0;
    for (int i = 0; i < 200'000; ++i) {
        worst = std::max(worst, error_of(draws.next() >> (draws.next() % 56)));
    }
    for (std::uint64_t i = 0; i < 256; ++i) { // both sides of each entry of the table
        for (const std::uint64_t around : {largest, std::uint64_t{0}}) {
            worst = std::max(worst, error_of((((256 + i) << 47U) + around - 1) << 8U));
        }
    }
    CHECK(worst < allowed);
    CHECK(worst > 0); // so much is certain
}

TEST_CASE("negative_log2: it never rises where the hash rises", "[table][log2][law]") {
    std::size_t rises = 0;
    const auto look_from = [&](std::uint64_t u) { // 200 steps around it
        for (std::uint64_t v = u - 100; v < u + 100; ++v) {
            rises += negative_log2((v + 1) << 8U) > negative_log2(v << 8U) ? 1U : 0U;
        }
    };
    for (std::uint64_t i = 0; i < 256; ++i) {
        for (const unsigned head : {20U, 40U, 54U, 55U}) {
            look_from(((256 + i) << (head - 8U)) + (i == 0 ? 100U : 0U));
        }
    }
    dice draws(8);
    for (int i = 0; i < 1000; ++i) {
        look_from((draws.next() >> 9U) + 100);
    }
    CHECK(rises == 0);
}
