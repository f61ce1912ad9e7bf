// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/core/uint128.hpp>
#include <hashring/placement/spacing.hpp>

#include <cstdint>

using namespace hashring;

namespace {

constexpr std::uint64_t circle = 4294967295U; // 2^32 - 1
constexpr auto last = static_cast<std::uint32_t>(circle - 1);

/// Whether `p` is floor(circle · k / count) steps past `origin`, told by multiplications alone:
/// that many steps q is the one number with q · count <= circle · k < (q + 1) · count.
bool is_formula_1(std::uint32_t p, std::uint32_t origin, std::uint32_t k, std::uint32_t count) {
    const std::uint64_t steps = p >= origin ? p - origin : circle - origin + p;
    const uint128 exact = multiply(circle, k);
    return p <= last && multiply(steps, count) <= exact && exact < multiply(steps + 1, count);
}

} // namespace

TEST_CASE("spacing: quarters and thirds of the circle", "[spacing][golden]") {
    CHECK(spaced_last_position == last);
    CHECK(spaced_position(0, 1, 3) == 1431655765U); // 2^32 - 1 is three times that
    CHECK(spaced_position(0, 2, 3) == 2863311530U);
    CHECK(spaced_position(0, 1, 4) == 1073741823U);           // 1073741823.75
    CHECK(spaced_position(0, 3, 4) == 3221225471U);           // 3221225471.25
    CHECK(spaced_position(3835805999U, 1, 2) == 1688322351U); // wraps: + 2147483647 - (2^32 - 1)
    STATIC_REQUIRE(spaced_position(5, 0, 160) == 5);
}

TEST_CASE("spacing: every point is that of formula (1)", "[spacing][law]") {
    constexpr std::uint64_t seed = 121;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int i = 0; i < 50000; ++i) {
        const auto origin = static_cast<std::uint32_t>(input.below(circle));
        const auto count = static_cast<std::uint32_t>(i % 2 == 0 ? 1 + input.below(2000)
                                                                 : 1 + input.below(circle));
        const auto k = static_cast<std::uint32_t>(input.below(count));
        wrong.expect(is_formula_1(spaced_position(origin, k, count), origin, k, count), origin, k,
                     count);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("spacing: equal counts repeat the pattern of one point per node", "[spacing][law]") {
    constexpr std::uint64_t seed = 122;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int i = 0; i < 200; ++i) {
        const auto a = static_cast<std::uint32_t>(input.below(circle));
        const auto b = static_cast<std::uint32_t>(input.below(circle));
        const auto count = static_cast<std::uint32_t>(1 + input.below(300));
        const std::uint64_t apart = (b + circle - a) % circle;
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint64_t at_a = spaced_position(a, k, count);
            const std::uint64_t at_b = spaced_position(b, k, count);
            wrong.compare((at_b + circle - at_a) % circle, apart, a, b, k, count);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("spacing: point 0 is the node itself", "[spacing][edge]") {
    for (const std::uint32_t origin : {0U, 1U, 2147483648U, last}) {
        for (const std::uint32_t count : {1U, 2U, 160U, 4294967295U}) {
            CAPTURE(origin, count);
            CHECK(spaced_position(origin, 0, count) == origin);
        }
    }
}

TEST_CASE("spacing: the end of the circle", "[spacing][edge]") {
    CHECK(spaced_position(last, 1, 4294967295U) == 0); // one step past the last position
    CHECK(spaced_position(last - 1, 1, 4294967295U) == last);
    CHECK(spaced_position(1, 4294967294U, 4294967295U) == 0);
    CHECK(spaced_position(last, 4294967294U, 4294967295U) == last - 1);
}
