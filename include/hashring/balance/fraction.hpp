// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/proportion.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// Loads as 64-bit fixed-point numbers: no rounding mode, no libm, no platform decides a plan.

namespace hashring {

namespace detail {

/// `bits / 2^fraction_bits`, rounded to at most `places` decimal places, without trailing zeros.
[[nodiscard]] inline std::string fixed_text(std::uint64_t bits, unsigned fraction_bits,
                                            unsigned places) {
    std::uint64_t scale = 1;
    for (unsigned i = 0; i < places; ++i) {
        scale *= 10;
    }
    uint128 scaled = multiply(bits, scale);
    scaled += std::uint64_t{1} << (fraction_bits - 1U);
    const std::uint64_t rounded =
        (scaled.high << (64U - fraction_bits)) | (scaled.low >> fraction_bits);
    std::string out = decimal(rounded / scale);
    if (const std::uint64_t rest = rounded % scale; rest != 0) {
        const std::string digits = decimal(scale + rest); // the 1 in front keeps the zeros
        out += '.';
        out.append(digits, 1);
        out.erase(out.find_last_not_of('0') + 1);
    }
    return out;
}

} // namespace detail

/// A number in [0, 1] in steps of 2^-63: a load factor, a threshold, a gain.
class fraction64 {
public:
    static constexpr std::uint64_t one_bits = std::uint64_t{1} << 63U;

    /// 0.
    constexpr fraction64() noexcept = default;

    /// `value` rounded down, which no platform does in another way: scaling by a power of two is
    /// exact. Throws `invalid_option` if it is NaN or outside [0, 1].
    constexpr explicit fraction64(double value) : bits_(from_double(value)) {}

    /// `part / whole` rounded down, and 1 if `part` is the greater or `whole` is 0.
    [[nodiscard]] static constexpr fraction64 ratio(const uint128& part,
                                                    const uint128& whole) noexcept {
        return from_bits(part >= whole ? one_bits : proportion(one_bits, part, whole));
    }
    /// `percents` hundredths; throws `invalid_option` above 100.
    [[nodiscard]] static constexpr fraction64 percent(std::uint64_t percents) {
        if (percents > 100) {
            throw invalid_option("a fraction is above 100 %");
        }
        return ratio(percents, 100);
    }
    [[nodiscard]] static constexpr fraction64 one() noexcept { return from_bits(one_bits); }
    /// `bits / 2^63`, at most 1.
    [[nodiscard]] static constexpr fraction64 from_bits(std::uint64_t bits) noexcept {
        fraction64 result;
        result.bits_ = bits > one_bits ? one_bits : bits;
        return result;
    }

    /// The value times 2^63, in [0, 2^63].
    [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return bits_; }
    /// `x` times the value, rounded down.
    [[nodiscard]] constexpr std::uint64_t of(std::uint64_t x) const noexcept {
        const uint128 product = multiply(bits_, x);
        return (product.high << 1U) | (product.low >> 63U);
    }
    /// The nearest double, for reports.
    [[nodiscard]] constexpr double value() const noexcept {
        return static_cast<double>(bits_) * 0x1p-63;
    }
    /// In percent with at most `places` decimal places, such as `12.5 %`.
    [[nodiscard]] std::string percent_text(unsigned places = 2) const {
        constexpr std::uint64_t hundred = std::uint64_t{100} << 32U;
        return concat(detail::fixed_text(of(hundred), 32, places), " %");
    }

    friend constexpr bool operator==(const fraction64&, const fraction64&) = default;
    friend constexpr auto operator<=>(const fraction64&, const fraction64&) = default;

private:
    static constexpr std::uint64_t from_double(double value) {
        const bool is_fraction = value >= 0.0 && value <= 1.0; // NaN is not
        if (!is_fraction) {
            throw invalid_option("a fraction is not a number from 0 to 1");
        }
        return static_cast<std::uint64_t>(value * 0x1p63);
    }

    std::uint64_t bits_ = 0;
};

/// A load relative to the cluster's, in steps of 2^-32 up to 2^32: 1 is the load that every node
/// would have if all had the same share of their capacity.
struct relative_load {
    static constexpr std::uint64_t one_bits = std::uint64_t{1} << 32U;

    std::uint64_t bits = 0; ///< the value times 2^32

    /// The nearest double, for reports.
    [[nodiscard]] constexpr double value() const noexcept {
        return static_cast<double>(bits) * 0x1p-32;
    }
    /// In decimal with at most `places` places.
    [[nodiscard]] std::string text(unsigned places = 3) const {
        return detail::fixed_text(bits, 32, places);
    }

    friend constexpr bool operator==(const relative_load&, const relative_load&) = default;
    friend constexpr auto operator<=>(const relative_load&, const relative_load&) = default;
};

} // namespace hashring
