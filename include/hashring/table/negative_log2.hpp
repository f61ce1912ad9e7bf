// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

/// \file
/// A logarithm in integers, the same on every machine.

namespace hashring {

namespace detail {

/// Binary digits behind the point of what `negative_log2` returns.
inline constexpr unsigned log2_digits = 56;

[[nodiscard]] constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
    return multiply(a, b).high;
}

/// log2(1 + i / 256) for i in [0, 256), with `log2_digits` digits.
///
/// Source: the digit by digit method: a square of 2 or more is a 1 and is halved (D. E. Knuth, "The
/// Art of Computer Programming", vol. 1, section 1.2.2, exercise 25 and after).
[[nodiscard]] constexpr std::array<std::uint64_t, 256> log2_table() noexcept {
    std::array<std::uint64_t, 256> table{};
    for (std::size_t i = 1; i < table.size(); ++i) {
        std::uint64_t x = (std::uint64_t{256} + i) << 55U; // 1 + i / 256 with 63 digits
        for (unsigned digit = 0; digit < log2_digits; ++digit) {
            const uint128 square = multiply(x, x); // with 126
            const bool is_two = square.high >> 63U != 0;
            table[i] = table[i] << 1U | (is_two ? 1U : 0U);
            x = is_two ? square.high : square.high << 1U | square.low >> 63U;
        }
    }
    return table;
}

/// floor(2^126 / c) for c = 2^63 + i · 2^55: what multiplies instead of a division by c.
[[nodiscard]] constexpr std::array<std::uint64_t, 256> log2_reciprocals() noexcept {
    std::array<std::uint64_t, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const std::uint64_t c = (std::uint64_t{256} + i) << 55U;
        table[i] = divide(uint128(std::uint64_t{1} << 62U, 0), c).quotient.low;
    }
    return table;
}

inline constexpr auto log2_of_head = log2_table();
inline constexpr auto reciprocal_of_head = log2_reciprocals();

/// log2(1 + r / 2^64) with `log2_digits` digits, for r below 2^56: seven terms of the series.
[[nodiscard]] constexpr std::uint64_t log2_of_tail(std::uint64_t r) noexcept {
    constexpr std::uint64_t half = std::uint64_t{1} << 63U;
    constexpr std::uint64_t whole = ~std::uint64_t{0};
    std::uint64_t sum = whole / 6 - multiply_high(r, whole / 7);
    sum = whole / 5 - multiply_high(r, sum);
    sum = whole / 4 - multiply_high(r, sum);
    sum = whole / 3 - multiply_high(r, sum);
    sum = half - multiply_high(r, sum);
    sum = whole - multiply_high(r, sum);
    constexpr std::uint64_t log2_of_e = 0xb8aa3b295c17f0bc; // with 63 digits
    return multiply_high(multiply_high(r, sum), log2_of_e) >> (63U - log2_digits);
}

} // namespace detail

/// −log2(u) with 56 binary digits behind the point, where u = (⌊h / 256⌋ + 1) / 2^56: from 0 for
/// the largest `h` to 56. It errs by less than 2^-54.
///
/// Law: it never rises where `h` rises.
[[nodiscard]] constexpr std::uint64_t negative_log2(std::uint64_t h) noexcept {
    const std::uint64_t u = (h >> 8U) + 1; // in [1, 2^56]
    const unsigned head = static_cast<unsigned>(std::bit_width(u)) - 1;
    const std::uint64_t mantissa = u << (63U - head); // in [1, 2) with 63 digits
    const auto i = static_cast<std::size_t>(mantissa >> 55U) - 256;
    const std::uint64_t rest = mantissa & ((std::uint64_t{1} << 55U) - 1);
    const uint128 quotient = multiply(rest, detail::reciprocal_of_head[i]); // with 126 digits
    const std::uint64_t r = quotient.high << 2U | quotient.low >> 62U;
    return (std::uint64_t{56U - head} << detail::log2_digits) - detail::log2_of_head[i] -
           detail::log2_of_tail(r);
}

} // namespace hashring
