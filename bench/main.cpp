// SPDX-License-Identifier: MIT

/// \file
/// All benchmarks.
///
/// ```
/// build/bench/hashring_bench                                     everything, some minutes
/// build/bench/hashring_bench --benchmark_min_time=0.001          a short pass that checks answers
/// build/bench/hashring_bench --benchmark_filter='nodes:1000$'    one size
/// build/bench/hashring_bench --benchmark_list_tests
/// ```
///
/// Names: `hash/…` and `ring/…` are this library, `peer/…` other libraries' hashes, `baseline/…`
/// the classic designs of a ring with the same points. Compare rows of one run with each other: on
/// a machine that is shared, times vary more than their ratios. The program ends with 1 if a
/// benchmark found an answer that is not the ring's; it then shows an error in place of a time.

#include "benches.hpp"
#include "verify.hpp"

#include <benchmark/benchmark.h>

namespace {

/// What `bench/ratios` wants to know beside the times.
void describe_build() {
#if defined(__clang__)
    benchmark::AddCustomContext("compiler", "clang++ " __clang_version__);
#elif defined(__GNUC__)
    benchmark::AddCustomContext("compiler", "g++ " __VERSION__);
#else
    benchmark::AddCustomContext("compiler", "unknown");
#endif
}

} // namespace

int main(int argc, char** argv) {
    describe_build();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    hashring::bench::register_hash_benches();
    hashring::bench::register_ring_benches();
    hashring::bench::register_key_benches();
    hashring::bench::register_lookup_benches();
    hashring::bench::register_batch_benches();
    hashring::bench::register_skew_benches();
    hashring::bench::register_change_benches();
#ifdef HASHRING_BENCH_LIBMEMCACHED
    hashring::bench::register_peer_benches();
#endif
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return hashring::bench::any_failed ? 1 : 0;
}
