// SPDX-License-Identifier: MIT

/// \file
/// Looking up a key of 16 bytes, by the number of nodes (160 points each, 100 in `murmur-shard`):
/// `build/bench/hashring_bench
/// --benchmark_filter='ring/(owner|replicas)/|baseline/[a-z_]+/(replicas/)?nodes'`.
///
/// `owner` hashes the key and names its owner, `replicas` names three nodes. The baselines have the
/// points and the hash of the default scheme. One look-up does not wait for the one before.

#include "answers.hpp"
#include "benches.hpp"
#include "lookups.hpp"
#include "subjects.hpp"
#include "verify.hpp"

#include <hashring/placement/bkdr_spaced.hpp>
#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/murmur_shard.hpp>
#include <hashring/placement/xxh3.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <vector>

namespace hashring::bench {

namespace {

template <class Subject>
bool owners_are_right(benchmark::State& state, const Subject& subject, std::size_t nodes) {
    return verify(state, bench_name<Subject>("owner") + std::to_string(nodes),
                  [&] { return check_owners(subject, shared<ring_like<Subject>>(nodes).subject); });
}

template <class Subject>
void run_owner(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    const auto& [subject, bytes_per_point] = shared<Subject>(nodes);
    if (!owners_are_right(state, subject, nodes)) {
        return;
    }
    std::size_t i = 0;
    const looked_up_keys& keys = shared_keys();
    time_throughput(state, [&] { return answer(subject, subject.position(keys[i++])); });
    if (bytes_per_point > 0) {
        state.counters["bytes_per_point"] = bytes_per_point;
    }
}

template <class Subject>
void run_replicas(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    const Subject& subject = shared<Subject>(nodes).subject;
    if (!verify(state, bench_name<Subject>("replicas") + std::to_string(nodes), [&] {
            return check_replicas(subject, shared<ring_like<Subject>>(nodes).subject);
        })) {
        return;
    }
    const looked_up_keys& keys = shared_keys();
    replica_space<Subject> out;
    std::size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(subject.replicas(keys[i++], out));
        benchmark::DoNotOptimize(out);
    }
    state.SetItemsProcessed(state.iterations());
}

template <class Subject>
void add(const char* operation, void (*run)(benchmark::State&), const std::vector<int>& sizes) {
    auto* registered = benchmark::RegisterBenchmark(bench_name<Subject>(operation).c_str(), run);
    registered->ArgName("nodes");
    for (const int nodes : sizes) {
        registered->Arg(nodes);
    }
}

template <class Subject>
void add_all(const std::vector<int>& sizes = {3, 10, 100, 1000, 10000}) {
    add<Subject>("owner", run_owner<Subject>, sizes);
    add<Subject>("replicas", run_replicas<Subject>, sizes);
}

} // namespace

void register_ring_benches() {
    add_all<ring<schemes::xxh3>>();
    add_all<ring<schemes::ketama_group>>();
    add_all<ring<schemes::murmur_shard>>();
    add_all<ring<schemes::murmur_shard_named>>();
    add_all<ring<schemes::bkdr_spaced>>();
    add_all<tree_map<schemes::xxh3>>();
    add_all<sorted_vector<schemes::xxh3>>();
    add_all<scanned_list<schemes::xxh3>>({3, 10, 100, 1000});
}

} // namespace hashring::bench
