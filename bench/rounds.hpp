// SPDX-License-Identifier: MIT
#pragma once

#include "answers.hpp"
#include "subjects.hpp"
#include "verify.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

/// \file
/// Changes that take turns, each timed alone and undone.

namespace hashring::bench {

/// How many different changes take turns, so that no branch predictor learns the order of the
/// points of one of them by heart. (In `murmur-shard` names do not count, and they are all alike.)
inline constexpr std::size_t rounds = 16;

/// For each round, the names of as many nodes beyond the first `from`.
[[nodiscard]] inline std::vector<std::vector<std::string>> lists_beyond(std::size_t from,
                                                                        std::size_t nodes) {
    std::vector<std::vector<std::string>> lists;
    lists.reserve(rounds);
    for (std::size_t i = 0; i < rounds; ++i) {
        lists.push_back(node_names(from + i * nodes, from + (i + 1) * nodes));
    }
    return lists;
}

/// Times `change(round)` alone and undoes it each time; returns the round that
/// comes next.
template <class Change, class Undo>
std::size_t time_change(benchmark::State& state, Change change, Undo undo) {
    using clock = std::chrono::steady_clock;
    std::size_t i = 0;
    for (auto _ : state) {
        const auto start = clock::now();
        change(i % rounds);
        state.SetIterationTime(std::chrono::duration<double>(clock::now() - start).count());
        undo(i % rounds);
        ++i;
    }
    state.SetItemsProcessed(state.iterations());
    return i % rounds;
}

/// Whether `change(0)` makes `subject`, a subject of so many nodes, what `after` says, and
/// `undo(0)` what it was.
template <class Subject, class Change, class Undo>
bool changes_are_right(benchmark::State& state, const char* operation, const Subject& subject,
                       const ring_like<Subject>& after, Change change, Undo undo) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    return verify(state, bench_name<Subject>(operation) + std::to_string(nodes), [&] {
        change(0);
        const std::string complaint = check_equal(subject, after);
        undo(0);
        const auto& before = shared<ring_like<Subject>>(nodes).subject;
        return complaint.empty() ? check_equal(subject, before) : complaint;
    });
}

} // namespace hashring::bench
