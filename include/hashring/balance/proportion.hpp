// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>

#include <bit>
#include <cstdint>
#include <limits>

/// \file
/// Exact proportions of integers: what loads, shares and steps are computed with, so that a plan is
/// the same on every platform.

namespace hashring {

/// A quotient that saturates at 2^64 − 1, and what is left over.
struct wide_division {
    std::uint64_t quotient = 0;
    uint128 remainder;

    friend constexpr bool operator==(const wide_division&, const wide_division&) = default;
};

/// `dividend / divisor` rounded down, for a divisor in [1, 2^127). O(128) steps.
[[nodiscard]] constexpr wide_division divide_wide(const uint128& dividend,
                                                  const uint128& divisor) noexcept {
    wide_division result;
    bool saturated = false;
    for (unsigned bit = 128; bit > 0;) {
        --bit;
        const std::uint64_t half = bit >= 64 ? dividend.high : dividend.low;
        result.remainder += result.remainder;
        result.remainder += (half >> (bit % 64U)) & 1U;
        saturated = saturated || (result.quotient >> 63U) != 0;
        result.quotient <<= 1U;
        if (result.remainder >= divisor) {
            result.remainder -= divisor;
            result.quotient |= 1U;
        }
    }
    if (saturated) {
        result.quotient = std::numeric_limits<std::uint64_t>::max();
    }
    return result;
}

/// `x · part / whole` rounded down, exactly, at most 2^64 − 1; `whole` in [1, 2^126].
///
/// Law: for 64-bit `part` and `whole` it is `divide(multiply(x, part), whole).quotient`, as far as
/// that fits in 64 bits. O(128) steps.
[[nodiscard]] constexpr std::uint64_t proportion(std::uint64_t x, uint128 part,
                                                 const uint128& whole) noexcept {
    if (part.high == 0 && whole.high == 0) {
        const uint128 product = multiply(x, part.low);
        if (product.high == 0) {
            return product.low / whole.low;
        }
    }
    uint128 result;
    if (part >= whole) {
        const wide_division d = divide_wide(part, whole);
        result = multiply(x, d.quotient);
        part = d.remainder;
    }
    // The rest is below x: its bits fall out one by one while those of x are taken in.
    std::uint64_t below_x = 0;
    uint128 rest;
    for (auto bit = static_cast<unsigned>(std::bit_width(x)); bit > 0;) {
        --bit;
        below_x <<= 1U;
        rest += rest;
        if (((x >> bit) & 1U) != 0) {
            rest += part;
        }
        for (; rest >= whole; rest -= whole) { // below 3 · whole
            ++below_x;
        }
    }
    result += below_x;
    return result.high != 0 ? std::numeric_limits<std::uint64_t>::max() : result.low;
}

/// `x · part / whole` rounded up, at most 2^64 − 1; `whole` in [1, 2^126].
[[nodiscard]] constexpr std::uint64_t proportion_up(std::uint64_t x, const uint128& part,
                                                    const uint128& whole) noexcept {
    const auto low_product = [](std::uint64_t a, const uint128& b) { // modulo 2^128
        return multiply(a, b.low) + uint128(multiply(a, b.high).low, 0);
    };
    const std::uint64_t down = proportion(x, part, whole);
    const bool is_exact = low_product(x, part) == low_product(down, whole);
    return is_exact || down == std::numeric_limits<std::uint64_t>::max() ? down : down + 1;
}

/// The square root of `x`, rounded down. O(32) steps.
[[nodiscard]] constexpr std::uint32_t square_root(std::uint64_t x) noexcept {
    std::uint64_t root = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 31U; bit != 0; bit >>= 1U) {
        if ((root | bit) * (root | bit) <= x) {
            root |= bit;
        }
    }
    return static_cast<std::uint32_t>(root);
}

} // namespace hashring
