// SPDX-License-Identifier: MIT

/// \file
/// The real libmemcached beside our ring of its placement, by the number of servers; keys of 16
/// bytes: `build/bench/hashring_bench --benchmark_filter='libmemcached'`.
///
/// `memcached_generate_hash` is the library's call that only places a key: it hashes it, searches
/// its ring and returns the number of the server. With more than 100 servers it stops the program.
/// No time is shown before both have placed all keys alike.

#include "benches.hpp"
#include "keys.hpp"
#include "lookups.hpp"
#include "verify.hpp"

#include <hashring/compat/libmemcached.hpp>
#include <hashring/core/text.hpp>
#include <hashring/ring/ring.hpp>

#include <benchmark/benchmark.h>
#include <libmemcached/memcached.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hashring::bench {

namespace {

std::vector<std::string> hosts(std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        names.push_back(concat("10.0.0.", decimal(i + 1)));
    }
    return names;
}

/// A key hash by our name for it, and libmemcached's number for it.
struct key_hash {
    std::string_view name;
    std::uint64_t number;
};

template <class Scheme>
struct ours {
    static constexpr std::string_view family = "ring/owner/";

    ring<Scheme> servers;

    ours(std::size_t count, const key_hash& hash) : servers(hosts(count), scheme_of(hash)) {}
    [[nodiscard]] std::uint32_t server(std::string_view key) const noexcept {
        return servers.owner_index_at(servers.position(key));
    }

private:
    static Scheme scheme_of(const key_hash& hash) {
        Scheme scheme;
        scheme.set("hash", hash.name);
        return scheme;
    }
};

template <class Scheme>
struct theirs {
    static constexpr std::string_view family = "peer/";

    theirs(std::size_t count, const key_hash& hash) : client_(memcached_create(nullptr)) {
        const auto ring = std::same_as<Scheme, compat::libmemcached_weighted>
                              ? MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED
                              : MEMCACHED_BEHAVIOR_KETAMA;
        memcached_behavior_set(client_.get(), ring, 1);
        memcached_behavior_set(client_.get(), MEMCACHED_BEHAVIOR_HASH, hash.number);
        for (const std::string& host : hosts(count)) {
            memcached_server_add(client_.get(), host.c_str(), 11211);
        }
    }
    [[nodiscard]] std::uint32_t server(std::string_view key) const noexcept {
        return memcached_generate_hash(client_.get(), key.data(), key.size());
    }

private:
    struct free {
        void operator()(memcached_st* client) const noexcept { memcached_free(client); }
    };
    std::unique_ptr<memcached_st, free> client_;
};

template <class Scheme>
std::string check(std::size_t servers, const key_hash& hash) {
    const ours<Scheme> us(servers, hash);
    const theirs<Scheme> them(servers, hash);
    for (std::size_t i = 0; i < looked_up_keys::count; ++i) {
        if (us.server(shared_keys()[i]) != them.server(shared_keys()[i])) {
            return "libmemcached has another server for key " + std::string(shared_keys()[i]);
        }
    }
    return {};
}

template <class Scheme, class Side>
void add(const key_hash& hash) {
    const std::string name = concat(Side::family, Scheme::name, "/", hash.name);
    const auto run = [hash, name](benchmark::State& state) {
        const auto servers = static_cast<std::size_t>(state.range(0));
        if (!verify(state, concat(Scheme::name, " ", hash.name, " ", decimal(servers)),
                    [&] { return check<Scheme>(servers, hash); })) {
            return;
        }
        const Side side(servers, hash);
        std::size_t i = 0;
        time_throughput(state, [&] { return side.server(shared_keys()[i++]); });
    };
    benchmark::RegisterBenchmark(name.c_str(), run)->ArgName("nodes")->Arg(3)->Arg(10)->Arg(100);
}

template <class Scheme>
void add_both(const key_hash& hash) {
    add<Scheme, ours<Scheme>>(hash);
    add<Scheme, theirs<Scheme>>(hash);
}

} // namespace

void register_peer_benches() {
    add_both<compat::libmemcached_weighted>({"md5", MEMCACHED_HASH_MD5});
    add_both<compat::libmemcached_weighted>({"fnv1a_32", MEMCACHED_HASH_FNV1A_32});
    add_both<compat::libmemcached>({"default", MEMCACHED_HASH_DEFAULT});
}

} // namespace hashring::bench
