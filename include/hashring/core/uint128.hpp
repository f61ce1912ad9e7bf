// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

/// \file
/// A 128-bit unsigned integer in standard C++, for what does not fit in 64 bits: the width of a
/// whole 64-bit circle (2^64), sums of widths, products of two 64-bit numbers, and the positions of
/// the few programs whose circle has 128 bits.

namespace hashring {

/// An unsigned integer modulo 2^128, as two halves. A regular, ordered value.
struct uint128 {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    constexpr uint128() = default;
    /// The value `v`; implicit, because every 64-bit number is one.
    constexpr uint128(std::uint64_t v) noexcept : low(v) {}
    constexpr uint128(std::uint64_t h, std::uint64_t l) noexcept : high(h), low(l) {}

    friend constexpr bool operator==(const uint128&, const uint128&) = default;
    friend constexpr auto operator<=>(const uint128&, const uint128&) = default;

    constexpr uint128& operator+=(const uint128& other) noexcept {
        const std::uint64_t sum = low + other.low;
        high += other.high + (sum < low ? 1U : 0U);
        low = sum;
        return *this;
    }

    constexpr uint128& operator-=(const uint128& other) noexcept {
        high -= other.high + (low < other.low ? 1U : 0U);
        low -= other.low;
        return *this;
    }

    friend constexpr uint128 operator+(uint128 a, const uint128& b) noexcept { return a += b; }
    friend constexpr uint128 operator-(uint128 a, const uint128& b) noexcept { return a -= b; }

    /// The nearest double to high · 2^64 + low, up to one rounding of each half.
    [[nodiscard]] constexpr double to_double() const noexcept {
        return static_cast<double>(high) * 0x1p64 + static_cast<double>(low);
    }
};

/// The exact product of two 64-bit numbers.
[[nodiscard]] constexpr uint128 multiply(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr std::uint64_t mask = 0xffffffffU;
    const std::uint64_t ll = (a & mask) * (b & mask);
    const std::uint64_t lh = (a & mask) * (b >> 32U);
    const std::uint64_t hl = (a >> 32U) * (b & mask);
    const std::uint64_t hh = (a >> 32U) * (b >> 32U);
    const std::uint64_t middle = (ll >> 32U) + (lh & mask) + (hl & mask);
    return {hh + (lh >> 32U) + (hl >> 32U) + (middle >> 32U), (middle << 32U) | (ll & mask)};
}

/// `a · b` modulo 2^128.
[[nodiscard]] constexpr uint128 multiply(const uint128& a, std::uint64_t b) noexcept {
    return multiply(a.low, b) + uint128(a.high * b, 0);
}

/// A quotient and what is left over.
struct division {
    uint128 quotient;
    std::uint64_t remainder = 0;
};

/// `dividend / divisor` rounded down, with the remainder; `divisor > 0`. O(128) steps: it is meant
/// for building, not for looking up.
[[nodiscard]] constexpr division divide(uint128 dividend, std::uint64_t divisor) noexcept {
    division result;
    for (unsigned bit = 128; bit-- > 0;) {
        const std::uint64_t next =
            bit >= 64 ? (dividend.high >> (bit - 64U)) & 1U : (dividend.low >> bit) & 1U;
        const bool carry = (result.remainder >> 63U) != 0;
        result.remainder = (result.remainder << 1U) | next;
        result.quotient += result.quotient;
        if (carry || result.remainder >= divisor) {
            result.remainder -= divisor;
            result.quotient += 1;
        }
    }
    return result;
}

/// `value` in decimal, without padding or grouping.
[[nodiscard]] inline std::string decimal(const uint128& value) {
    std::string digits;
    for (uint128 left = value; digits.empty() || left != uint128{};) {
        const division next = divide(left, 10);
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(next.remainder)));
        left = next.quotient;
    }
    return digits;
}

/// What a position on a circle may be: an unsigned integer of the language, or `uint128`.
template <class P>
concept position_integer = std::unsigned_integral<P> || std::same_as<P, uint128>;

} // namespace hashring

/// The range of `uint128`.
template <>
class std::numeric_limits<hashring::uint128> {
public:
    static constexpr bool is_specialized = true;
    static constexpr bool is_integer = true;
    static constexpr bool is_signed = false;
    static constexpr int digits = 128;
    static constexpr hashring::uint128 min() noexcept { return {}; }
    static constexpr hashring::uint128 max() noexcept {
        return {~std::uint64_t{0}, ~std::uint64_t{0}};
    }
};
