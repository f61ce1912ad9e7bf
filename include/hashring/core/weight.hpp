// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>

#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// The share of the keys that a node should get, relative to the other nodes.

namespace hashring {

/// A node's wished share, relative: 2 asks for twice the keys of 1, and 0 for none.
///
/// Range [0, 1,000,000] in steps of 0.001. It is held as a whole number of thousandths, so nothing
/// that decides a placement depends on floating point. Other values throw `invalid_weight`.
class weight {
public:
    /// The largest weight, in whole units.
    static constexpr std::uint64_t max = 1'000'000;

    /// Weight 1.
    constexpr weight() noexcept = default;

    /// `units` whole units, in [0, max].
    template <std::integral Integer>
        requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char> &&
                 sizeof(Integer) <= sizeof(std::uint64_t))
    constexpr explicit weight(Integer units) : thousandths_(from_integer(units)) {}

    /// A truth value or a character is no weight, nor may it pass as a number.
    template <class NoNumber>
        requires(std::same_as<NoNumber, bool> || std::same_as<NoNumber, char>)
    explicit weight(NoNumber) = delete;

    /// `units` rounded to the nearest thousandth, a half upwards. NaN, a negative or infinite
    /// value, one above `max`, and a positive one that would round to 0 throw `invalid_weight`.
    constexpr explicit weight(double units) : thousandths_(from_double(units)) {}

    /// `count` thousandths, in [0, 1000 · max].
    [[nodiscard]] static constexpr weight from_thousandths(std::uint64_t count) {
        if (count > 1000 * max) {
            throw invalid_weight("a weight is above 1000000");
        }
        weight result;
        result.thousandths_ = count;
        return result;
    }

    /// What `text` spells: digits with at most three decimal places, such as `2`, `0.5` or `1.125`.
    /// Anything else, a sign or an exponent among it, throws `invalid_weight`.
    [[nodiscard]] static weight parse(std::string_view text);

    /// The weight times 1000, exactly.
    [[nodiscard]] constexpr std::uint64_t thousandths() const noexcept { return thousandths_; }

    /// The weight as a number, for reports.
    [[nodiscard]] constexpr double value() const noexcept {
        return static_cast<double>(thousandths_) / 1000.0;
    }

    /// The shortest decimal text: `parse(w.text()) == w`.
    [[nodiscard]] std::string text() const;

    friend constexpr bool operator==(const weight&, const weight&) = default;
    friend constexpr auto operator<=>(const weight&, const weight&) = default;

private:
    template <std::integral Integer>
    static constexpr std::uint64_t from_integer(Integer units) {
        if (units < 0) {
            throw invalid_weight(concat("weight ", decimal(units), " is negative"));
        }
        if (static_cast<std::uint64_t>(units) > max) {
            throw invalid_weight(concat("weight ", decimal(units), " is above 1000000"));
        }
        return static_cast<std::uint64_t>(units) * 1000;
    }

    static constexpr std::uint64_t from_double(double units) {
        if (!(units >= 0.0)) { // also catches NaN
            throw invalid_weight(units < 0.0 ? "a weight is negative" : "a weight is not a number");
        }
        if (units > static_cast<double>(max)) {
            throw invalid_weight("a weight is above 1000000");
        }
        const std::uint64_t count = round_to_thousandths(units);
        if (count == 0 && units > 0.0) {
            throw invalid_weight("a weight is above 0 and would round to 0: the least is 0.001");
        }
        return count;
    }

    /// Exact, from the bits of `units`: a product in floating point could be rounded twice on
    /// machines that keep more digits in a register than in memory.
    static constexpr std::uint64_t round_to_thousandths(double units) noexcept {
        const auto bits = std::bit_cast<std::uint64_t>(units);
        const auto exponent = static_cast<unsigned>((bits >> 52U) & 0x7ffU);
        const std::uint64_t mantissa = (bits & 0xfffffffffffffU) | (std::uint64_t{1} << 52U);
        // units = mantissa · 2^(exponent − 1075); below 2^-11 it is less than half a thousandth
        if (exponent < 1023 - 11) {
            return 0;
        }
        const unsigned shift = 1075 - exponent; // in [33, 63] up to `max` < 2^20
        return ((mantissa * 1000 >> (shift - 1U)) + 1) >> 1U;
    }

    std::uint64_t thousandths_ = 1000;
};

inline weight weight::parse(std::string_view text) {
    const std::size_t dot = text.find('.');
    const std::string_view whole = text.substr(0, dot);
    const std::string_view places = dot == std::string_view::npos ? "" : text.substr(dot + 1);
    const auto units = parse_decimal<std::uint64_t>(whole);
    if (!units || (dot != std::string_view::npos && places.empty())) {
        throw invalid_weight(concat("weight '", text, "' is not a decimal number"));
    }
    std::string padded(places);
    padded.resize(3, '0');
    const auto fraction = parse_decimal<std::uint64_t>(padded);
    if (!fraction || places.size() > 3) {
        throw invalid_weight(
            concat("weight '", text, "' is not a decimal number with at most 3 places"));
    }
    if (*units > max || *units * 1000 + *fraction > max * 1000) {
        throw invalid_weight(concat("weight '", text, "' is above 1000000"));
    }
    return from_thousandths(*units * 1000 + *fraction);
}

inline std::string weight::text() const {
    std::string out = decimal(thousandths_ / 1000);
    if (const std::uint64_t fraction = thousandths_ % 1000; fraction != 0) {
        const std::string digits = decimal(1000 + fraction); // 1ddd keeps the leading zeros
        out += '.';
        out.append(digits, 1, 3);
        out.erase(out.find_last_not_of('0') + 1);
    }
    return out;
}

} // namespace hashring
