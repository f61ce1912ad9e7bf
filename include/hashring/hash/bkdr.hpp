// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// The BKDR string hash of the postal paper, in the order it prints and in the classic one.

namespace hashring::hash {

namespace detail {

/// The modulus of the postal paper's circle, 2^32 − 1 (not 2^32).
inline constexpr std::uint64_t bkdr_modulus = 0xffffffffU;

/// A number congruent to `x` modulo 2^32 − 1 and below 2^33: as 2^32 ≡ 1, the high half is added.
[[nodiscard]] constexpr std::uint64_t bkdr_fold(std::uint64_t x) noexcept {
    return (x & bkdr_modulus) + (x >> 32U);
}

/// `x` modulo 2^32 − 1, for any `x`.
[[nodiscard]] constexpr std::uint32_t bkdr_reduce(std::uint64_t x) noexcept {
    const std::uint64_t folded = bkdr_fold(bkdr_fold(x));
    return static_cast<std::uint32_t>(folded >= bkdr_modulus ? folded - bkdr_modulus : folded);
}

/// The names of one order, from `bkdr-31` to `bkdr-131313`.
struct bkdr_names {
    std::array<std::string_view, 5> classic{"bkdr-31", "bkdr-131", "bkdr-1313", "bkdr-13131",
                                            "bkdr-131313"};
    std::array<std::string_view, 5> printed{"bkdr-printed-31", "bkdr-printed-131",
                                            "bkdr-printed-1313", "bkdr-printed-13131",
                                            "bkdr-printed-131313"};
};

[[nodiscard]] constexpr std::size_t bkdr_index(std::uint32_t multiplier) noexcept {
    std::size_t index = 0;
    for (std::uint32_t m = multiplier; m > 31; m /= 10) { // 131 is 31 with a digit more, and so on
        ++index;
    }
    return index;
}

} // namespace detail

/// One of the multipliers of the series: 31, 131, 1313, 13131, 131313.
template <std::uint32_t S>
concept bkdr_multiplier = S == 31 || S == 131 || S == 1313 || S == 13131 || S == 131313;

/// BKDR in the classic order of the C code: `h = h · S + byte` modulo 2^32 − 1, from 0. The first
/// byte has the highest power. Range [0, 2^32 − 2]; O(length).
///
/// Cheap and weak: names that differ in the last digit land next to each other, so that a whole
/// cluster's points may share one arc. Wrap it in `finalised` unless a system dictates it raw.
///
/// Source: Kernighan and Ritchie, "The C Programming Language", 2nd ed., section 6.6 (31 there);
/// modulus and series of the postal paper, formulas (2) and (3).
template <std::uint32_t S>
    requires bkdr_multiplier<S>
struct bkdr {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = detail::bkdr_names{}.classic[detail::bkdr_index(S)];
    static constexpr bool avalanches = false;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        std::uint64_t h = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            h = detail::bkdr_fold(h * S + byte_at(bytes, i));
        }
        return detail::bkdr_reduce(h);
    }

    friend constexpr bool operator==(const bkdr&, const bkdr&) = default;
};

/// BKDR in the order that the postal paper prints: the sum of byte n times S^n modulo 2^32 − 1,
/// n = 0 … length − 1. The first byte has S^0. Range [0, 2^32 − 2]; O(length).
///
/// Law: `bkdr_printed<S>{}(text) == bkdr<S>{}(text reversed)`. Weak as the classic order is, but
/// for the other end: texts that differ in the last character spread, those that differ in the
/// first do not.
///
/// Source: postal paper, formulas (2) and (3).
template <std::uint32_t S>
    requires bkdr_multiplier<S>
struct bkdr_printed {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = detail::bkdr_names{}.printed[detail::bkdr_index(S)];
    static constexpr bool avalanches = false;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        std::uint64_t h = 0;
        for (std::size_t i = bytes.size(); i-- > 0;) {
            h = detail::bkdr_fold(h * S + byte_at(bytes, i));
        }
        return detail::bkdr_reduce(h);
    }

    friend constexpr bool operator==(const bkdr_printed&, const bkdr_printed&) = default;
};

static_assert(hash_function<bkdr<31>> && hash_function<bkdr_printed<131313>>);

} // namespace hashring::hash
