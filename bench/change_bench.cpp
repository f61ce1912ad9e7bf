// SPDX-License-Identifier: MIT

/// \file
/// Building and changing a ring, by the number of nodes:
/// `build/bench/hashring_bench
/// --benchmark_filter='/(build|add|add_many|remove|set_weight|assign)/'`.
///
/// | operation | what is timed |
/// | --- | --- |
/// | `build` | a ring of so many nodes from their names, and its destruction |
/// | `add` | one node more |
/// | `add_many` | as many nodes again, in one call |
/// | `remove` | the node that `add` adds |
/// | `set_weight` | one node from 1 to 2 and back, each counted |
/// | `assign` | a list in which one node has left and another has come, and the moved arcs |
///
/// What `add`, `add_many` and `remove` change is put back between two timings, so their rows say
/// `manual_time`. A classic design becomes another list by being emptied and filled anew.

#include "answers.hpp"
#include "benches.hpp"
#include "subjects.hpp"
#include "verify.hpp"

#include <hashring/core/weight.hpp>
#include <hashring/placement/bkdr_spaced.hpp>
#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/murmur_shard.hpp>
#include <hashring/placement/xxh3.hpp>

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hashring::bench {

namespace {

template <class Subject>
using ring_like = ring<typename Subject::scheme_type>;

/// Times `change` alone and undoes it each time.
template <class Change, class Undo>
void time_change(benchmark::State& state, Change change, Undo undo) {
    using clock = std::chrono::steady_clock;
    for (auto _ : state) {
        const auto start = clock::now();
        change();
        state.SetIterationTime(std::chrono::duration<double>(clock::now() - start).count());
        undo();
    }
    state.SetItemsProcessed(state.iterations());
}

/// Whether `change` makes `subject` what `after` says, and `undo` what `before` says.
template <class Subject, class Ring, class Change, class Undo>
bool changes_are_right(benchmark::State& state, const std::string& name, const Subject& subject,
                       const Ring& before, const Ring& after, Change change, Undo undo) {
    return verify(state, name + std::to_string(state.range(0)), [&] {
        change();
        const std::string complaint = check_equal(subject, after);
        undo();
        return complaint.empty() ? check_equal(subject, before) : complaint;
    });
}

template <class Subject>
void run_build(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    const auto& [once, bytes_per_point] = shared<Subject>(nodes);
    if (!verify(state, bench_name<Subject>("build") + std::to_string(nodes),
                [&] { return check_equal(once, shared<ring_like<Subject>>(nodes).subject); })) {
        return;
    }
    const std::vector<std::string> names = node_names(0, nodes);
    for (auto _ : state) {
        const Subject subject(names);
        benchmark::DoNotOptimize(subject.point_count());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(once.point_count()));
    if (bytes_per_point > 0) {
        state.counters["bytes_per_point"] = bytes_per_point;
    }
}

template <class Subject>
void run_add(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    auto&& subject = scratch<Subject>(nodes);
    const std::string name = node_names(nodes, nodes + 1).front();
    const auto change = [&] {
        subject.add(name);
    };
    const auto undo = [&] {
        subject.remove(name);
    };
    if (changes_are_right(state, bench_name<Subject>("add"), subject,
                          shared<ring_like<Subject>>(nodes).subject,
                          shared<ring_like<Subject>>(nodes + 1).subject, change, undo)) {
        time_change(state, change, undo);
    }
}

template <class Subject>
void run_remove(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    auto&& subject = scratch<Subject>(nodes);
    const std::string name = node_names(nodes, nodes + 1).front();
    const auto put_in = [&] {
        subject.add(name);
    };
    const auto take_out = [&] {
        subject.remove(name);
    };
    if (changes_are_right(state, bench_name<Subject>("remove"), subject,
                          shared<ring_like<Subject>>(nodes).subject,
                          shared<ring_like<Subject>>(nodes + 1).subject, put_in, take_out)) {
        put_in();
        time_change(state, take_out, put_in);
        take_out();
    }
}

template <class Subject>
void run_add_many(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    auto&& subject = scratch<Subject>(nodes);
    const std::vector<std::string> names = node_names(nodes, 2 * nodes);
    const auto change = [&] {
        subject.add(names);
    };
    const std::vector<std::string> names_before = node_names(0, nodes);
    const auto undo = [&] {
        subject.assign(names_before);
    };
    if (changes_are_right(state, bench_name<Subject>("add_many"), subject,
                          shared<ring_like<Subject>>(nodes).subject,
                          shared<ring_like<Subject>>(2 * nodes).subject, change, undo)) {
        time_change(state, change, undo);
    }
}

template <class Subject>
void run_set_weight(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    auto&& subject = scratch<Subject>(nodes);
    const std::string name = node_names(nodes - 1, nodes).front();
    ring_like<Subject> after = shared<ring_like<Subject>>(nodes).subject;
    after.remove(name);
    after.add(name, weight{2});
    const auto to_two = [&] {
        subject.set_weight(name, weight{2});
    };
    const auto to_one = [&] {
        subject.set_weight(name, weight{1});
    };
    if (!changes_are_right(state, bench_name<Subject>("set_weight"), subject,
                           shared<ring_like<Subject>>(nodes).subject, after, to_two, to_one)) {
        return;
    }
    bool heavy = false;
    for (auto _ : state) {
        heavy ? to_one() : to_two();
        heavy = !heavy;
    }
    to_one();
    state.SetItemsProcessed(state.iterations());
}

template <class Subject>
void run_assign(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    auto&& subject = scratch<Subject>(nodes);
    const std::vector<std::string> one = node_names(0, nodes);
    const std::vector<std::string> other = node_names(1, nodes + 1);
    const auto to_other = [&] {
        subject.assign(other);
    };
    const auto to_one = [&] {
        subject.assign(one);
    };
    if (!changes_are_right(state, bench_name<Subject>("assign"), subject,
                           shared<ring_like<Subject>>(nodes).subject, ring_like<Subject>(other),
                           to_other, to_one)) {
        return;
    }
    bool changed = false;
    for (auto _ : state) {
        changed ? to_one() : to_other();
        changed = !changed;
    }
    to_one();
    state.SetItemsProcessed(state.iterations());
}

enum class timing { whole_loop, by_hand };

template <class Subject>
void add(const char* operation, void (*run)(benchmark::State&), timing how,
         const std::vector<int>& sizes) {
    auto* registered = benchmark::RegisterBenchmark(bench_name<Subject>(operation).c_str(), run);
    registered->ArgName("nodes")->Unit(benchmark::kMicrosecond);
    if (how == timing::by_hand) {
        registered->UseManualTime();
    }
    for (const int nodes : sizes) {
        registered->Arg(nodes);
    }
}

/// The operations that touch one node are also measured on the sizes in `one_node`.
template <class Subject>
void add_all(const std::vector<int>& sizes, const std::vector<int>& one_node) {
    add<Subject>("build", run_build<Subject>, timing::whole_loop, one_node);
    add<Subject>("add", run_add<Subject>, timing::by_hand, one_node);
    add<Subject>("remove", run_remove<Subject>, timing::by_hand, one_node);
    add<Subject>("add_many", run_add_many<Subject>, timing::by_hand, sizes);
    add<Subject>("set_weight", run_set_weight<Subject>, timing::whole_loop, sizes);
    add<Subject>("assign", run_assign<Subject>, timing::whole_loop, sizes);
}

} // namespace

void register_change_benches() {
    const std::vector<int> usual = {10, 100, 1000};
    const std::vector<int> up_to_10000 = {10, 100, 1000, 10000};
    add_all<ring<schemes::xxh3>>(usual, up_to_10000);
    add_all<ring<schemes::ketama_group>>(usual, usual);
    add_all<ring<schemes::murmur_shard>>(usual, usual);
    add_all<ring<schemes::murmur_shard_named>>(usual, usual);
    add_all<ring<schemes::bkdr_spaced>>(usual, usual);
    add_all<tree_map<schemes::xxh3>>(usual, up_to_10000);
    add_all<sorted_vector<schemes::xxh3>>(usual, up_to_10000);
    add_all<scanned_list<schemes::xxh3>>({10, 100}, {10, 100});
}

} // namespace hashring::bench
