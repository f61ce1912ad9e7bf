// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

/// \file
/// In which order Java goes through a HashMap, for programs that place by it.

namespace hashring::compat {

/// The order in which a `java.util.HashMap` of keys with these hash codes, put in one by one, is
/// gone through: by bucket, and in a bucket as they were put in.
///
/// Nine keys or more in one bucket of a map of 64 or more may come in another order, which depends
/// on more than their hash codes; that is not followed.
///
/// Source: OpenJDK 17, java.util.HashMap: buckets double beyond three quarters, and below 64 also
/// for a ninth key in one.
[[nodiscard]] inline std::vector<std::uint32_t>
java_hash_map_order(std::span<const std::uint32_t> hash_codes) {
    std::uint32_t buckets = 16;
    const auto bucket = [&](std::uint32_t key) {
        return (hash_codes[key] ^ hash_codes[key] >> 16U) & (buckets - 1);
    };
    for (std::uint32_t key = 0; key < hash_codes.size(); ++key) {
        std::uint32_t beside = 0;
        for (std::uint32_t other = 0; buckets < 64 && other < key; ++other) {
            beside += bucket(other) == bucket(key) ? 1U : 0U;
        }
        buckets *= beside >= 8 ? 2U : 1U;
        buckets *= key + 1 > buckets / 4 * 3 ? 2U : 1U;
    }
    std::vector<std::uint32_t> order(hash_codes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return bucket(a) != bucket(b) ? bucket(a) < bucket(b) : a < b;
    });
    return order;
}

} // namespace hashring::compat
