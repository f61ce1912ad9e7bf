// SPDX-License-Identifier: MIT

/// \file
/// Many look-ups in one call, by the number of nodes:
/// `build/bench/hashring_bench --benchmark_filter='^ring/owners(_at)?/'`.
///
/// `owners_at` is given positions, `owners` keys of 16 bytes, 256 at a time. A row shows the time a
/// look-up, so that `ring/owner_at` and `ring/owner` are what it is to be compared with.

#include "benches.hpp"
#include "keys.hpp"
#include "lookups.hpp"
#include "subjects.hpp"
#include "verify.hpp"

#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/xxh3.hpp>

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hashring::bench {

namespace {

constexpr std::size_t batch = 256;

using answers = std::array<std::uint32_t, batch>;

template <class Ring>
struct by_position {
    static constexpr const char* operation = "owners_at";
    using position = typename Ring::position_type;

    std::array<position, batch> positions{};
    fresh_positions<position> next;

    void take() {
        for (position& p : positions) {
            p = next();
        }
    }
    void ask(const Ring& r, answers& out) const {
        r.owners_at(std::span<const position>(positions), std::span<std::uint32_t>(out));
    }
    [[nodiscard]] std::uint32_t right(const Ring& r, std::size_t i) const {
        return r.owner_index_at(positions[i]);
    }
};

template <class Ring>
struct by_key {
    static constexpr const char* operation = "owners";

    std::array<std::string_view, batch> keys{};
    std::size_t at = 0;

    void take() {
        for (std::string_view& key : keys) {
            key = shared_keys()[at++];
        }
    }
    void ask(const Ring& r, answers& out) const {
        r.owners(std::span<const std::string_view>(keys), std::span<std::uint32_t>(out));
    }
    [[nodiscard]] std::uint32_t right(const Ring& r, std::size_t i) const {
        return r.owner_index_at(r.position(keys[i]));
    }
};

template <class Ring, class Input>
std::string check(const Ring& r) {
    Input input;
    answers out{};
    for (int round = 0; round < 16; ++round) {
        input.take();
        input.ask(r, out);
        for (std::size_t i = 0; i < batch; ++i) {
            if (out[i] != input.right(r, i)) {
                return "many at once have other owners than one by one";
            }
        }
    }
    return {};
}

template <class Ring, class Input>
void run(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    const Ring& r = shared<Ring>(nodes).subject;
    if (!verify(state, bench_name<Ring>(Input::operation) + std::to_string(nodes),
                [&] { return check<Ring, Input>(r); })) {
        return;
    }
    Input input;
    answers out{};
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(batch))) {
        input.take();
        input.ask(r, out);
        benchmark::DoNotOptimize(out);
    }
    state.SetItemsProcessed(state.iterations());
}

template <class Ring, class Input>
void add() {
    auto* registered =
        benchmark::RegisterBenchmark(bench_name<Ring>(Input::operation).c_str(), run<Ring, Input>);
    registered->ArgName("nodes")->Arg(3)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);
}

template <class Ring>
void add_all() {
    add<Ring, by_position<Ring>>();
    add<Ring, by_key<Ring>>();
}

} // namespace

void register_batch_benches() {
    add_all<ring<schemes::xxh3>>();
    add_all<ring<schemes::ketama_group>>();
}

} // namespace hashring::bench
