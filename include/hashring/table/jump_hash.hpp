// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>

#include <bit>
#include <cstdint>

/// \file
/// Jump consistent hashing as a function: a hash and a number of buckets give a bucket.

namespace hashring {

namespace detail {

/// Nearest multiple of 2^`drop` to `value`, divided by it; of two the even one, as IEEE 754 does.
[[nodiscard]] constexpr std::uint64_t round_half_even(uint128 value, unsigned drop) noexcept {
    const std::uint64_t unit = std::uint64_t{1} << drop;
    const division cut = divide(value, unit);
    const std::uint64_t half = unit / 2;
    const bool up = cut.remainder > half || (cut.remainder == half && (cut.quotient.low & 1U) != 0);
    return cut.quotient.low + (drop > 0 && up ? 1U : 0U);
}

/// The whole part of `a · (2^31 / d)` where the quotient and then the product are rounded to 53
/// significant bits; `a` and `d` in [1, 2^31]. In integers, one step at a time.
[[nodiscard]] constexpr std::int64_t jump_step_exactly(std::uint64_t a, std::uint64_t d) noexcept {
    // The quotient is factor / 2^scale with factor in [2^52, 2^53].
    const auto width = static_cast<unsigned>(std::bit_width(d));
    const unsigned scale = 21 + width;
    const uint128 dividend = width < 12 ? uint128(std::uint64_t{1} << (52U + width))
                                        : uint128(std::uint64_t{1} << (width - 12U), 0);
    const division quotient = divide(dividend, d);
    const std::uint64_t factor =
        quotient.quotient.low + (2 * quotient.remainder > d ? 1U : 0U); // a half cannot be

    const uint128 product = multiply(a, factor);
    const auto bits = static_cast<unsigned>(product.high > 0 ? 64 + std::bit_width(product.high)
                                                             : std::bit_width(product.low));
    const unsigned drop = bits > 53 ? bits - 53 : 0;
    const std::uint64_t rounded = round_half_even(product, drop);
    return static_cast<std::int64_t>(drop >= scale ? rounded << (drop - scale)
                                                   : rounded >> (scale - drop));
}

/// The same, given a guess at it: integers decide whether it can be anything else. The roundings
/// move the exact `a · 2^31 / d` by less than `margin` / d, so where both neighbouring whole
/// numbers are further away than that, the answer is its whole part.
[[nodiscard]] constexpr std::int64_t jump_step_near(std::int64_t guess, std::int64_t a,
                                                    std::int64_t d) noexcept {
    const std::int64_t rest = (a << 31U) - guess * d;
    const std::int64_t margin = (a >> 20U) + 1;
    if (margin <= rest && rest <= d - margin) {
        return guess;
    }
    return jump_step_exactly(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(d));
}

/// The same, fast: doubles only guess, however a compiler rounds them.
[[nodiscard]] constexpr std::int64_t jump_step(std::int64_t a, std::int64_t d) noexcept {
    const double guess = static_cast<double>(a) * (0x1p31 / static_cast<double>(d));
    return jump_step_near(static_cast<std::int64_t>(guess), a, d);
}

/// Jumps from bucket to bucket: after bucket a − 1 comes `step(a, d)`, d in [1, 2^31] drawn from
/// the key. Programs that round otherwise than the paper differ in `step` alone.
template <class Step>
[[nodiscard]] constexpr std::int32_t jump_by(std::uint64_t key, std::int32_t buckets,
                                             Step step) noexcept {
    std::int64_t bucket = -1;
    std::int64_t next = 0;
    while (next < buckets) {
        bucket = next;
        key = key * 2862933555777941757U + 1U;
        next = step(bucket + 1, static_cast<std::int64_t>(key >> 33U) + 1);
    }
    return static_cast<std::int32_t>(bucket);
}

} // namespace detail

/// The bucket of a key among `buckets` of them: in [0, buckets), or −1 if there are none
/// (`buckets` ≤ 0), as in the paper.
///
/// Laws: `jump_hash(k, n + 1)` is `jump_hash(k, n)` or n; every bucket gets the same share of all
/// keys, also with as many buckets as an `int32_t` can count. Only the last bucket can go without
/// moving other buckets' keys. Expected O(log buckets), no memory.
///
/// The paper computes in doubles, and its two roundings are a part of the definition: programs that
/// round once (Guava) place a key in 10^9 elsewhere. Here the roundings are redone in integers
/// wherever they could show, so the answer depends on no compiler option (`-ffast-math` may merge
/// the division into the product), no x87 and no rounding mode. Worked example: key
/// 10863919174838991 of 11 buckets is in bucket 6.
///
/// Source: Lamping and Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm", 2014, figure 1.
[[nodiscard]] constexpr std::int32_t jump_hash(std::uint64_t key, std::int32_t buckets) noexcept {
    return detail::jump_by(key, buckets, [](std::int64_t a, std::int64_t d) noexcept {
        return detail::jump_step(a, d);
    });
}

} // namespace hashring
