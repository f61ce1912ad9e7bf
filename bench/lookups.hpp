// SPDX-License-Identifier: MIT
#pragma once

#include "subjects.hpp"

#include <hashring/hash/mix.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

/// \file
/// Where look-ups get their positions from, and the two ways to time them.

namespace hashring::bench {

/// Positions in no order that do not come back: no cache and no branch predictor learns them. They
/// are made in registers, for a third of a nanosecond, so that the caches are left to the rings.
template <class Position>
class fresh_positions {
public:
    [[nodiscard]] Position operator()() noexcept {
        state_ += 0x9e3779b97f4a7c15U;
        const std::uint64_t folded = (state_ ^ (state_ >> 32U)) * 0xd6e8feb86659fd93U;
        return static_cast<Position>(folded >> (64U - std::numeric_limits<Position>::digits));
    }

private:
    std::uint64_t state_ = 4001;
};

/// How many positions or draws are ready made: more than a branch predictor remembers.
inline constexpr std::size_t ready_made = 262'144;

/// Positions that are ready made, over and over.
template <class Position>
class listed_positions {
public:
    explicit listed_positions(const std::vector<Position>& list) : list_(list.data()) {}

    [[nodiscard]] Position operator()() noexcept { return list_[i_++ % ready_made]; }

private:
    const Position* list_;
    std::size_t i_ = 0;
};

/// Draws of 1,024 positions of which the n-th comes about 1 / n as often as the first, as keys in
/// caches do: the logarithm of the rank is uniform.
template <class Position>
[[nodiscard]] const std::vector<Position>& hot_positions() {
    static const auto positions = [] {
        std::vector<Position> result;
        result.reserve(ready_made);
        for (std::uint64_t i = 0; i < ready_made; ++i) {
            const std::uint64_t random = hash::mix(i);
            const std::uint64_t octave = random % 10; // ranks 2^octave to 2^(octave + 1) − 1
            const std::uint64_t rank = (std::uint64_t{1} << octave) +
                                       ((random >> 32U) & ((std::uint64_t{1} << octave) - 1U));
            result.push_back(static_cast<Position>(hash::mix(~rank) >>
                                                   (64U - std::numeric_limits<Position>::digits)));
        }
        return result;
    }();
    return positions;
}

/// The owner of `p` as a number, so that answers can be summed up and waited for: its index in a
/// ring or a table, the address of its name in a classic design.
template <class Subject>
[[nodiscard]] std::uint64_t answer(const Subject& subject,
                                   typename Subject::position_type p) noexcept {
    if constexpr (requires { subject.owner_index_at(p); }) {
        return subject.owner_index_at(p);
    } else if constexpr (requires { subject.answer_at(p); }) {
        return subject.answer_at(p);
    } else {
        return reinterpret_cast<std::uintptr_t>(subject.owner_at(p));
    }
}

/// How many look-ups are made between two looks at the clock's state. A loop that asks the clock
/// each time is dearer than the fastest look-up.
inline constexpr benchmark::IterationCount block = 1024;

/// Times `look()`, which returns a number; no look-up waits for the one before.
template <class Look>
void time_throughput(benchmark::State& state, Look look) {
    std::uint64_t sum = 0;
    while (state.KeepRunningBatch(block)) {
        for (benchmark::IterationCount i = 0; i < block; ++i) {
            sum += look();
        }
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations());
}

/// Times `look(position)`, each for a position that takes the answer before it. The answer is
/// masked with a zero that the compiler does not know: it can neither leave the dependency out nor,
/// as it could with a few low bits, shift it away.
template <class Positions, class Look>
void time_latency(benchmark::State& state, Positions next, Look look) {
    using position = decltype(next());
    position zero = 0;
    benchmark::DoNotOptimize(zero);
    position link = 0;
    while (state.KeepRunningBatch(block)) {
        for (benchmark::IterationCount i = 0; i < block; ++i) {
            const std::uint64_t answer = look(static_cast<position>(next() ^ link));
            link = static_cast<position>(0U - answer) & zero;
        }
        benchmark::DoNotOptimize(link);
    }
    state.SetItemsProcessed(state.iterations());
}

} // namespace hashring::bench
