// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// \file
/// Prime numbers, for tables whose every skip must reach every slot.

namespace hashring {

/// Whether `n` is a prime number. O(√n).
[[nodiscard]] constexpr bool is_prime(std::uint32_t n) noexcept {
    for (std::uint64_t divisor = 2; divisor * divisor <= n; ++divisor) {
        if (n % divisor == 0) {
            return false;
        }
    }
    return n >= 2;
}

/// The least prime number that is at least `n`, or 0 above 4294967291, the last of 32 bits.
///
/// Worked example: for 1000 nodes a table of `next_prime(100 * 1000)` = 100003 slots keeps the
/// shares of equal nodes within 1 % of each other.
[[nodiscard]] constexpr std::uint32_t next_prime(std::uint32_t n) noexcept {
    n = n < 2 ? 2 : n;
    while (n != 0 && !is_prime(n)) {
        ++n;
    }
    return n;
}

} // namespace hashring
