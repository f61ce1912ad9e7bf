// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

/// \file
/// IEEE 754 single precision in integers, for programs whose placement hangs on how it rounds.

namespace hashring::compat {

/// A number of IEEE 754 binary32, 0 or above, with operations that round to nearest, ties to even.
///
/// It gives what C's `float` gives where every step is rounded to `float` (SSE2, ARM, POWER: where
/// `FLT_EVAL_METHOD` is 0), and gives it everywhere: with the x87's longer registers too, with
/// `-ffast-math`, and whatever the rounding mode is. Numbers from 2^-63 to 2^63 are meant;
/// exponents are not limited as those of `float` are.
///
/// Source: IEEE 754-2008, sections 3.4 and 4.3.1.
class binary32 {
public:
    /// The nearest number to `integer`.
    [[nodiscard]] static constexpr binary32 nearest(std::uint64_t integer) noexcept {
        return rounded(integer, 0, false);
    }

    [[nodiscard]] friend constexpr binary32 operator*(binary32 a, binary32 b) noexcept {
        return rounded(std::uint64_t{a.mantissa_} * b.mantissa_, a.exponent_ + b.exponent_, false);
    }

    /// The nearest number to the exact product; `b` is below 2^40.
    [[nodiscard]] friend constexpr binary32 operator*(binary32 a, std::uint64_t b) noexcept {
        return rounded(std::uint64_t{a.mantissa_} * b, a.exponent_, false);
    }

    /// `b` is not 0.
    [[nodiscard]] friend constexpr binary32 operator/(binary32 a, binary32 b) noexcept {
        const std::uint64_t dividend = std::uint64_t{a.mantissa_} << 40U; // below 2^64
        return rounded(dividend / b.mantissa_, a.exponent_ - b.exponent_ - 40,
                       dividend % b.mantissa_ != 0);
    }

    /// The largest integer that is not above the number, which is below 2^63.
    [[nodiscard]] constexpr std::uint64_t floor() const noexcept {
        if (exponent_ >= 0) {
            return std::uint64_t{mantissa_} << static_cast<unsigned>(exponent_);
        }
        return exponent_ <= -digits ? 0 : mantissa_ >> static_cast<unsigned>(-exponent_);
    }

    friend constexpr bool operator==(const binary32&, const binary32&) = default;

private:
    static constexpr int digits = 24;

    constexpr binary32(std::uint32_t mantissa, int exponent) noexcept
        : mantissa_(mantissa), exponent_(exponent) {}

    /// `value` · 2^`exponent`, and a little more if `more`, rounded once. If `more`, `value` has
    /// more than `digits` + 1 digits.
    [[nodiscard]] static constexpr binary32 rounded(std::uint64_t value, int exponent,
                                                    bool more) noexcept {
        if (value == 0) {
            return {0, 0};
        }
        const int cut = static_cast<int>(std::bit_width(value)) - digits;
        if (cut <= 0) {
            return {static_cast<std::uint32_t>(value << static_cast<unsigned>(-cut)),
                    exponent + cut};
        }
        const std::uint64_t half = std::uint64_t{1} << static_cast<unsigned>(cut - 1);
        const std::uint64_t lost = value & (2 * half - 1);
        auto mantissa = static_cast<std::uint32_t>(value >> static_cast<unsigned>(cut));
        if (lost > half || (lost == half && (more || (mantissa & 1U) != 0))) {
            ++mantissa;
        }
        if (mantissa >> digits != 0) { // rounded up to the next power of two
            return {mantissa >> 1U, exponent + cut + 1};
        }
        return {mantissa, exponent + cut};
    }

    std::uint32_t mantissa_; ///< 0, or from 2^23 to 2^24 − 1
    int exponent_;
};

} // namespace hashring::compat
