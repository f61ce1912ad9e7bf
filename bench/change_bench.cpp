// SPDX-License-Identifier: MIT

/// \file
/// Building and changing a ring, by the number of nodes:
/// `build/bench/hashring_bench
/// --benchmark_filter='/(build|add|add_many|remove|set_weight|assign)/'`.
///
/// | operation | what is timed |
/// | --- | --- |
/// | `build` | a ring of so many nodes from their names |
/// | `add` | one node more |
/// | `add_many` | as many nodes again, in one call |
/// | `remove` | the node that `add` adds |
/// | `set_weight` | a node from 1 to 2, or back |
/// | `assign` | a list in which one node has left and another has come, and the moved arcs |
///
/// What `build`, `add`, `add_many` and `remove` change is put back between two timings, so their
/// rows say `manual_time`. A classic design becomes another list by being emptied and filled anew.
/// `baseline/std_map/build/ketama-group` is the ketama ring as it is usually written.

#include "answers.hpp"
#include "benches.hpp"
#include "classic_ketama.hpp"
#include "rounds.hpp"
#include "subjects.hpp"
#include "verify.hpp"

#include <hashring/core/node.hpp>
#include <hashring/core/weight.hpp>
#include <hashring/placement/bkdr_spaced.hpp>
#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/murmur_shard.hpp>
#include <hashring/placement/xxh3.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hashring::bench {

namespace {

template <class Subject>
void run_build(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    const auto& [once, bytes_per_point] = shared<Subject>(nodes);
    if (!verify(state, bench_name<Subject>("build") + std::to_string(nodes),
                [&] { return check_equal(once, shared<ring_like<Subject>>(nodes).subject); })) {
        return;
    }
    const auto lists = lists_beyond(0, nodes);
    std::optional<Subject> subject;
    const auto build = [&](std::size_t i) {
        benchmark::DoNotOptimize(subject.emplace(lists[i]).point_count());
    };
    time_change(state, build, [&](std::size_t) { subject.reset(); });
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(once.point_count()));
    if (bytes_per_point > 0) {
        state.counters["bytes_per_point"] = bytes_per_point;
    }
}

template <class Subject>
void run_add(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    auto&& subject = scratch<Subject>(nodes);
    const auto names = node_names(nodes, nodes + rounds);
    const auto change = [&](std::size_t i) {
        subject.add(names[i]);
    };
    const auto undo = [&](std::size_t i) {
        subject.remove(names[i]);
    };
    const auto& after = shared<ring_like<Subject>>(nodes + 1).subject;
    if (changes_are_right(state, "add", subject, after, change, undo)) {
        time_change(state, change, undo);
    }
}

template <class Subject>
void run_remove(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    auto&& subject = scratch<Subject>(nodes);
    const auto names = node_names(nodes, nodes + rounds);
    const auto put_in = [&](std::size_t i) {
        subject.add(names[i]);
    };
    const auto take_out = [&](std::size_t i) {
        subject.remove(names[i]);
    };
    const auto& after = shared<ring_like<Subject>>(nodes + 1).subject;
    if (changes_are_right(state, "remove", subject, after, put_in, take_out)) {
        put_in(0);
        const auto put_in_next = [&](std::size_t i) {
            put_in((i + 1) % rounds);
        };
        take_out(time_change(state, take_out, put_in_next));
    }
}

template <class Subject>
void run_add_many(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    auto&& subject = scratch<Subject>(nodes);
    const auto names = node_names(0, nodes);
    const auto more = lists_beyond(nodes, nodes);
    const auto change = [&](std::size_t i) {
        subject.add(more[i]);
    };
    const auto undo = [&](std::size_t) {
        subject.assign(names);
    };
    const auto& after = shared<ring_like<Subject>>(2 * nodes).subject;
    if (changes_are_right(state, "add_many", subject, after, change, undo)) {
        time_change(state, change, undo);
    }
}

template <class Subject>
void run_set_weight(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    auto&& subject = scratch<Subject>(nodes);
    const auto names = node_names(0, nodes);
    const auto set = [&](std::size_t i, weight w) {
        subject.set_weight(names[i % nodes], w);
    };
    const auto to_two = [&](std::size_t i) {
        set(i, weight{2});
    };
    const auto to_one = [&](std::size_t i) {
        set(i, weight{1});
    };
    std::vector<node_spec> specs(names.begin(), names.end());
    specs.front().weight = weight{2};
    if (!changes_are_right(state, "set_weight", subject, ring_like<Subject>(specs), to_two,
                           to_one)) {
        return;
    }
    std::size_t i = 0;
    for (auto _ : state) {
        i % 2 == 0 ? to_two(i / 2) : to_one(i / 2);
        ++i;
    }
    to_one(i / 2);
    state.SetItemsProcessed(state.iterations());
}

template <class Subject>
void run_assign(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    auto&& subject = scratch<Subject>(nodes);
    const auto names = node_names(0, nodes);
    std::vector<std::vector<std::string>> lists(rounds, names);
    for (std::size_t i = 0; i < rounds; ++i) {
        lists[i].back() = node_names(nodes + i, nodes + i + 1).front();
    }
    const auto change = [&](std::size_t i) {
        subject.assign(lists[i]);
    };
    const auto undo = [&](std::size_t) {
        subject.assign(names);
    };
    if (!changes_are_right(state, "assign", subject, ring_like<Subject>(lists.front()), change,
                           undo)) {
        return;
    }
    std::size_t i = 0;
    for (auto _ : state) {
        change(i++ % rounds);
    }
    undo(0);
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
    add<Subject>("build", run_build<Subject>, timing::by_hand, one_node);
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
    add<classic_ketama>("build", run_build<classic_ketama>, timing::by_hand, usual);
}

} // namespace hashring::bench
