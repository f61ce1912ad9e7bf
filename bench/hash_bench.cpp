// SPDX-License-Identifier: MIT

/// \file
/// Hashes by the length of the key, one key after the other:
/// `build/bench/hashring_bench --benchmark_filter='(hash|peer)/'`.
///
/// All keys of a row have one length, so that branches on it are predicted; keys of mixed lengths
/// cost the word-wise hashes a misprediction each.

#include "benches.hpp"
#include "keys.hpp"
#include "peers.hpp"
#include "verify.hpp"

#include <hashring/hash/bkdr.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/hash/xxhash.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hashring::bench {

namespace {

/// A hash, and what is right: its value for the pangram below, and another program's hash that must
/// agree on the keys.
template <hash_function Hash, hash_function Twin>
struct hash_case {
    Hash hash;
    std::uint64_t of_pangram;
    Twin twin;
};

constexpr std::string_view pangram = "The quick brown fox jumps over the lazy dog";

constexpr std::size_t compared_keys = 4096;

template <class Hash, class Twin>
std::string check(const hash_case<Hash, Twin>& c, const hashed_keys& keys) {
    if (c.hash(pangram) != c.of_pangram) {
        return "the value of the known text is wrong";
    }
    for (std::size_t i = 0; i < compared_keys; ++i) {
        if (c.hash(keys[i]) != c.twin(keys[i])) {
            return "differs from " + std::string(Twin::name);
        }
    }
    return {};
}

bool keys_are_right(benchmark::State& state, const hashed_keys& keys) {
    return verify(state, "keys of " + std::to_string(state.range(0)), [&]() -> std::string {
        return keys.all_different() ? "" : "two keys are equal";
    });
}

template <class Hash, class Twin>
void run(benchmark::State& state, const std::string& family, const hash_case<Hash, Twin>& c) {
    const auto length = static_cast<std::size_t>(state.range(0));
    const hashed_keys keys = make_hashed_keys(length);
    if (!keys_are_right(state, keys) ||
        !verify(state, family + std::to_string(length), [&] { return check(c, keys); })) {
        return;
    }
    std::size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(c.hash(keys[i++]));
    }
    state.SetItemsProcessed(state.iterations());
    state.SetBytesProcessed(state.iterations() * state.range(0));
}

template <hash_function Hash, hash_function Twin = Hash>
void add(std::string family, std::uint64_t of_pangram, Hash hash = {}, Twin twin = {}) {
    family += Hash::name;
    auto* registered = benchmark::RegisterBenchmark(
        family.c_str(), [family, c = hash_case<Hash, Twin>{hash, of_pangram, twin}](
                            benchmark::State& state) { run(state, family, c); });
    registered->ArgName("bytes");
    for (const int length : {4, 8, 16, 32, 64, 100, 256, 1024}) {
        registered->Arg(length);
    }
}

} // namespace

void register_hash_benches() {
    using namespace hashring::hash;
    // The values are those of independent programs: zlib, OpenSSL, libxxhash, and the definitions
    // of BKDR, MurmurHash64A and the finaliser written down in Python.
    add<hash::xxh3>("hash/", 0xce7d19a5418fb365U);
    add<xxh64>("hash/", 0x0b242d361fda71bcU);
    add<murmur64a>("hash/", 0x4db63d5441cbaa99U, murmur64a{jedis_seed}, murmur64a{jedis_seed});
    add<bkdr<131>>("hash/", 0x2535704bU);
    add<bkdr_printed<31>>("hash/", 0x33a87231U);
    add<finalised<bkdr<131>>>("hash/", 0x0b600650e490a144U);
    add<finalised<bkdr_printed<31>>>("hash/", 0x56ebc96e3dd926c4U);
    add<finalised<crc32>>("hash/", 0xcad83b1f81872ccbU);
    add<hash::crc32, zlib_crc32>("hash/", 0x414fa339U);
    add<zlib_crc32, hash::crc32>("peer/", 0x414fa339U);
    add<md5, openssl_md5>("hash/", 0x9d7d109eU);
    add<openssl_md5, md5>("peer/", 0x9d7d109eU);
    add<openssl_sha1>("peer/", 0xfc282d7ac6e1d42fU);
}

} // namespace hashring::bench
