// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>
#include <hashring/hash/mix.hpp>

#include <cstdint>

namespace simulate {

/// Random numbers from a seed, the same on every platform and standard library (SplitMix64).
class random_source {
public:
    /// One `stream` of a seed is independent of another.
    explicit random_source(std::uint64_t seed, std::uint64_t stream = 0)
        : state_(hashring::hash::mix(hashring::hash::mix(seed) + stream)) {}

    std::uint64_t next() { return hashring::hash::mix(state_ += 0x9e3779b97f4a7c15U); }
    /// A number in [0, bound); `bound` is far below 2^64, so that none is noticeably more likely.
    std::uint64_t below(std::uint64_t bound) { return hashring::multiply(next(), bound).high; }

private:
    std::uint64_t state_;
};

} // namespace simulate
