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

/// S^0 … S^16 modulo 2^32 − 1.
template <std::uint32_t S>
inline constexpr std::array<std::uint64_t, 17> bkdr_powers = [] {
    std::array<std::uint64_t, 17> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i) {
        powers[i] = bkdr_reduce(powers[i - 1] * S);
    }
    return powers;
}();

/// The bytes of `word` times S^n … S^(n + 7), n being `First`, summed up modulo 2^32 − 1: the
/// lowest byte has the highest power or, if `Rising`, the lowest. Below 2^60.
///
/// Two multiplications make pairs of neighbours in four lanes of 32 bits, in which 255 · S + 255
/// has room; four more bring the pairs to their powers, and none waits for another.
template <std::uint32_t S, bool Rising, std::size_t First>
[[nodiscard]] constexpr std::uint64_t bkdr_products(std::uint64_t word) noexcept {
    constexpr std::uint64_t bytes = 0x000000ff'000000ffU;
    constexpr auto& power = bkdr_powers<S>;
    const auto pairs = [](std::uint64_t w) {
        const std::uint64_t even = w & bytes;
        const std::uint64_t odd = w >> 8U & bytes;
        return Rising ? odd * S + even : even * S + odd;
    };
    const std::uint64_t a = pairs(word);        // bytes 0 and 1 below, 4 and 5 above
    const std::uint64_t b = pairs(word >> 16U); // bytes 2 and 3 below, 6 and 7 above
    const auto at = [](std::size_t pair) {
        return power[First + 2 * (Rising ? pair : 3 - pair)];
    };
    return (a & bkdr_modulus) * at(0) + (b & bkdr_modulus) * at(1) + (a >> 32U) * at(2) +
           (b >> 32U) * at(3);
}

/// A number congruent to h · S^Bytes + `sum` and at most 2^32 − 1, as `h` is; `sum` is below 2^61.
template <std::uint32_t S, std::size_t Bytes>
[[nodiscard]] constexpr std::uint64_t bkdr_append(std::uint64_t h, std::uint64_t sum) noexcept {
    return bkdr_fold(bkdr_fold(bkdr_fold(h * bkdr_powers<S>[Bytes]) + sum));
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
        std::size_t at = bytes.size() % 8; // zeros before the first byte change nothing
        std::uint64_t h = 0;
        if (at > 0) {
            const std::uint64_t head = load_le_tail(bytes.substr(0, at), 0) << (64U - 8U * at);
            h = detail::bkdr_products<S, false, 0>(head);
        }
        h = detail::bkdr_reduce(h);
        if (bytes.size() / 8 % 2 == 1) {
            const std::uint64_t word = load_le64(bytes, at);
            h = detail::bkdr_append<S, 8>(h, detail::bkdr_products<S, false, 0>(word));
            at += 8;
        }
        for (; at < bytes.size(); at += 16) {
            const std::uint64_t sum = detail::bkdr_products<S, false, 8>(load_le64(bytes, at)) +
                                      detail::bkdr_products<S, false, 0>(load_le64(bytes, at + 8));
            h = detail::bkdr_append<S, 16>(h, sum);
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
        std::size_t at = bytes.size() / 8 * 8; // zeros behind the last byte change nothing
        std::uint64_t h =
            detail::bkdr_reduce(detail::bkdr_products<S, true, 0>(load_le_tail(bytes, at)));
        if (at % 16 == 8) {
            at -= 8;
            const std::uint64_t word = load_le64(bytes, at);
            h = detail::bkdr_append<S, 8>(h, detail::bkdr_products<S, true, 0>(word));
        }
        for (; at > 0; at -= 16) {
            const std::uint64_t sum = detail::bkdr_products<S, true, 0>(load_le64(bytes, at - 16)) +
                                      detail::bkdr_products<S, true, 8>(load_le64(bytes, at - 8));
            h = detail::bkdr_append<S, 16>(h, sum);
        }
        return detail::bkdr_reduce(h);
    }

    friend constexpr bool operator==(const bkdr_printed&, const bkdr_printed&) = default;
};

static_assert(hash_function<bkdr<31>> && hash_function<bkdr_printed<131313>>);

} // namespace hashring::hash
