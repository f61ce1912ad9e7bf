// SPDX-License-Identifier: MIT

/// \file
/// Looking up when the position is given, by the number of nodes (160 points each):
/// `build/bench/hashring_bench --benchmark_filter='/owner_at(_hot|_latency)?/'`.
///
/// | operation | what is timed |
/// | --- | --- |
/// | `owner_at` | positions that never come back; no look-up waits for the one before |
/// | `owner_at_latency` | the same, each waiting for the answer before it |
/// | `owner_at_hot` | a thousand positions, the n-th about 1 / n as often as the first |
///
/// The baselines have the points of the default scheme. `random_load` is one load from a table of
/// eight bytes a point, `unguarded` the ring's own look-up without its guard against crowded
/// positions.

#include "answers.hpp"
#include "benches.hpp"
#include "limits.hpp"
#include "lookups.hpp"
#include "subjects.hpp"
#include "verify.hpp"

#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/xxh3.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <vector>

namespace hashring::bench {

namespace {

template <class Subject>
bool answers_are_right(benchmark::State& state, const Subject& subject) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    return verify(state, bench_name<Subject>("owner_at") + std::to_string(nodes), [&] {
        if constexpr (requires { typename Subject::scheme_type; }) {
            const auto& expected = shared<ring_like<Subject>>(nodes).subject;
            if constexpr (requires { subject.answer_at(0); }) {
                return check_answers(subject, expected);
            } else {
                return check_owners(subject, expected);
            }
        } else {
            return std::string(); // places like no ring
        }
    });
}

enum class timing { throughput, latency, hot };

template <class Subject, timing Timing>
void run(benchmark::State& state) {
    using position = typename Subject::position_type;
    const Subject& subject = shared<Subject>(static_cast<std::size_t>(state.range(0))).subject;
    if (!answers_are_right(state, subject)) {
        return;
    }
    const auto look = [&](position p) {
        return answer(subject, p);
    };
    if constexpr (Timing == timing::latency) {
        time_latency(state, fresh_positions<position>(), look);
    } else if constexpr (Timing == timing::hot) {
        time_throughput(state, [&, next = listed_positions(hot_positions<position>())]() mutable {
            return look(next());
        });
    } else {
        time_throughput(state,
                        [&, next = fresh_positions<position>()]() mutable { return look(next()); });
    }
}

template <class Subject, timing Timing>
void add(const char* operation, const std::vector<int>& sizes) {
    auto* registered =
        benchmark::RegisterBenchmark(bench_name<Subject>(operation).c_str(), run<Subject, Timing>);
    registered->ArgName("nodes");
    for (const int nodes : sizes) {
        registered->Arg(nodes);
    }
}

template <class Subject>
void add_all() {
    const std::vector<int> sizes = {3, 10, 100, 1000, 10000};
    add<Subject, timing::throughput>("owner_at", sizes);
    add<Subject, timing::latency>("owner_at_latency", sizes);
    add<Subject, timing::hot>("owner_at_hot", sizes);
}

} // namespace

void register_lookup_benches() {
    add_all<ring<schemes::xxh3>>();
    add_all<ring<schemes::ketama_group>>();
    add_all<unguarded<schemes::xxh3>>();
    add_all<tree_map<schemes::xxh3>>();
    add_all<sorted_vector<schemes::xxh3>>();
    add_all<random_load>();
    add<scanned_list<schemes::xxh3>, timing::throughput>("owner_at", {3, 10, 100, 1000});
}

} // namespace hashring::bench
