// SPDX-License-Identifier: MIT

/// \file
/// Hash and look-up together, by the length of the key and the number of nodes (160 points each):
/// `build/bench/hashring_bench --benchmark_filter='/bytes:[0-9-]+/nodes'`.
///
/// The rings differ in the hash of their keys: XXH3 (the default scheme), MurmurHash64A, BKDR
/// behind the finaliser, and MD5. `bytes:8-40` are keys of mixed lengths, whose ends are
/// mispredicted. The baseline is what programs with a ketama ring do: a tree map, and OpenSSL's MD5
/// of the key.

#include "answers.hpp"
#include "benches.hpp"
#include "classic_ketama.hpp"
#include "keys.hpp"
#include "lookups.hpp"
#include "subjects.hpp"
#include "verify.hpp"

#include <hashring/hash/bkdr.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/labelled.hpp>
#include <hashring/placement/xxh3.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace hashring::bench {

namespace {

/// Keys of 8 to 40 bytes in no order of length.
class mixed_keys {
public:
    static constexpr std::size_t count = arriving_keys::count;

    mixed_keys() : bytes_(random_bytes(count + 40)) {
        for (std::size_t i = 0; i < count; ++i) {
            lengths_.push_back(static_cast<char>(8 + (hash::mix(i) >> 32U) % 33));
        }
    }
    [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
        const std::size_t at = i % count;
        return {bytes_.data() + at, static_cast<std::size_t>(lengths_[at])};
    }

private:
    std::string bytes_;
    std::string lengths_;
};

/// Keys hashed with `Hash`, and points at the hashes of labels.
template <class Hash>
struct keyed_by : schemes::labelled<Hash> {
    static constexpr std::string_view name = Hash::name;
};

template <class Subject, class Keys>
void run(benchmark::State& state, const Keys& keys) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    const Subject& subject = shared<Subject>(nodes).subject;
    if (!verify(state, bench_name<Subject>("owner") + std::to_string(nodes),
                [&] { return check_owners(subject, shared<ring_like<Subject>>(nodes).subject); })) {
        return;
    }
    std::size_t i = 0;
    time_throughput(state, [&] { return answer(subject, subject.position(keys[i++])); });
}

template <class Subject>
void run_mixed(benchmark::State& state) {
    static const mixed_keys keys;
    run<Subject>(state, keys);
}

template <class Subject>
void add(int length) {
    const std::string family = bench_name<Subject>("owner") + "/bytes:";
    auto* fixed = benchmark::RegisterBenchmark(
        (family + std::to_string(length)).c_str(), [length](benchmark::State& state) {
            run<Subject>(state, make_arriving_keys(static_cast<std::size_t>(length)));
        });
    fixed->ArgName("nodes")->Arg(3)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);
}

template <class Subject>
void add_all() {
    for (const int length : {16, 32, 100}) {
        add<Subject>(length);
    }
    auto* mixed = benchmark::RegisterBenchmark(
        (bench_name<Subject>("owner") + "/bytes:8-40").c_str(), run_mixed<Subject>);
    mixed->ArgName("nodes")->Arg(3)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);
}

} // namespace

void register_key_benches() {
    add_all<ring<schemes::xxh3>>();
    add_all<ring<keyed_by<hash::murmur64a>>>();
    add_all<ring<keyed_by<hash::finalised<hash::bkdr<131>>>>>();
    add_all<ring<schemes::ketama_group>>();
    add_all<classic_ketama>();
}

} // namespace hashring::bench
