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
/// positions, `offset_table` a plain form of its index: 32 bits a bucket, positions and owners
/// apart. The tables are jump hashing and Maglev with 65,537 slots.

#include "answers.hpp"
#include "benches.hpp"
#include "limits.hpp"
#include "lookups.hpp"
#include "subjects.hpp"
#include "verify.hpp"

#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/xxh3.hpp>
#include <hashring/table/jump.hpp>
#include <hashring/table/maglev.hpp>
#include <hashring/table/table.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hashring::bench {

namespace {

/// The function of the paper, figure 1, in doubles.
std::uint32_t jump_of_the_paper(std::uint64_t key, std::size_t buckets) {
    std::int64_t b = -1;
    std::int64_t j = 0;
    while (j < static_cast<std::int64_t>(buckets)) {
        b = j;
        key = key * 2862933555777941757U + 1;
        j = static_cast<std::int64_t>(static_cast<double>(b + 1) *
                                      (0x1p31 / static_cast<double>((key >> 33U) + 1)));
    }
    return static_cast<std::uint32_t>(b);
}

/// Jump has to answer as the paper's function, Maglev to give every node its slots.
template <class Scheme>
std::string check_table(const table<Scheme>& subject, std::size_t nodes) {
    std::vector<std::size_t> seen(nodes);
    for (std::uint64_t i = 0; i < 65'537; ++i) {
        const std::uint64_t p = (~std::uint64_t{0} / 65'537 + 1) * i;
        const std::uint32_t owner = subject.owner_index_at(p);
        if (std::same_as<Scheme, schemes::jump> && owner != jump_of_the_paper(p, nodes)) {
            return "another bucket than the paper's for hash " + decimal(p);
        }
        ++seen.at(owner);
    }
    const auto [least, most] = std::minmax_element(seen.begin(), seen.end());
    return std::same_as<Scheme, schemes::maglev> && *most > *least + 1 ? "uneven slots" : "";
}

/// What is wrong with the answers of a subject that is given the position.
template <class Subject>
std::string check(const Subject& subject, std::size_t nodes) {
    if constexpr (is_table<Subject>) {
        return check_table(subject, nodes);
    } else if constexpr (std::same_as<Subject, random_load>) {
        return {}; // it places nothing
    } else if constexpr (requires { subject.answer_at(0); }) {
        return check_answers(subject, shared<ring_like<Subject>>(nodes).subject);
    } else {
        return check_owners(subject, shared<ring_like<Subject>>(nodes).subject);
    }
}

enum class timing { throughput, latency, hot };

template <class Subject, timing Timing>
void run(benchmark::State& state) {
    using position = typename Subject::position_type;
    const auto nodes = static_cast<std::size_t>(state.range(0));
    const Subject& subject = shared<Subject>(nodes).subject;
    if (!verify(state, bench_name<Subject>("owner_at") + std::to_string(nodes),
                [&] { return check(subject, nodes); })) {
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
    add_all<offset_table<schemes::xxh3>>();
    add_all<tree_map<schemes::xxh3>>();
    add_all<sorted_vector<schemes::xxh3>>();
    add_all<random_load>();
    add_all<table<schemes::jump>>();
    add_all<table<schemes::maglev>>();
    add<scanned_list<schemes::xxh3>, timing::throughput>("owner_at", {3, 10, 100, 1000});
}

} // namespace hashring::bench
