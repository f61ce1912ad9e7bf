// SPDX-License-Identifier: MIT
#pragma once

#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <cstdint>

namespace hashring::test {

// That one more bucket takes keys and moves none else, of `bucket(key, buckets)`, up to 60 buckets
// of `keys` keys.
template <class Bucket>
mismatches growing_moves(Bucket bucket, std::uint64_t seed, int keys) {
    mismatches found;
    dice random(seed);
    for (int i = 0; i < keys; ++i) {
        const std::uint64_t key = random.next();
        std::int32_t before = bucket(key, 1);
        found.compare(before, 0, key);
        for (std::int32_t n = 1; n < 60; ++n) {
            const std::int32_t after = bucket(key, n + 1);
            found.expect(after == before || after == n, key, n);
            before = after;
        }
    }
    return found;
}

} // namespace hashring::test
