// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden_clients.hpp"
#include "support/golden_counts.hpp"
#include "support/golden_proxies.hpp"

#include <hashring/compat/brpc.hpp>
#include <hashring/compat/dubbo.hpp>
#include <hashring/compat/guava.hpp>
#include <hashring/compat/jedis.hpp>
#include <hashring/compat/redis_slot.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/jump.hpp>
#include <hashring/table/table.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Every line of the golden files that client libraries made: a file that lies there is read, and
// one that no rule reads is a failure.

using namespace hashring;
using golden::client_call;
using golden::proxy_file;
using golden::tally;

namespace {

template <class Placed>
[[nodiscard]] Placed placed_by(const client_call& made) {
    using scheme = typename Placed::scheme_type;
    REQUIRE(made.scheme == scheme::name);
    return Placed(made.nodes, golden::with_settings<scheme>(made.options));
}

template <class Placed>
void count_placed(tally& counted, const std::string& prefix,
                  client_call (*call_for)(const proxy_file&)) {
    for (const proxy_file& file : golden::proxy_files("owners", prefix)) {
        const client_call made = call_for(file);
        const auto placed = placed_by<Placed>(made);
        golden::count_owners(counted, file, golden::names_of(made.nodes), golden::owner_by(placed));
    }
}

// A dump that is another's has its name in place of the points.
proxy_file with_points(proxy_file file) {
    if (const std::string same = golden::between(file.head, "the same points as ", ".tsv");
        !same.empty()) {
        REQUIRE(file.rows.empty());
        file.rows = golden::lines("proxy/rings/" + same + ".tsv");
    }
    return file;
}

template <class Scheme>
void count_rings(tally& counted, const std::string& prefix,
                 client_call (*call_for)(const proxy_file&),
                 std::vector<std::string> (*shown)(const client_call&)) {
    for (const proxy_file& file : golden::proxy_files("rings", prefix)) {
        const client_call made = call_for(file);
        golden::count_ring(counted, with_points(file), shown(made),
                           ring<Scheme>(made.nodes, golden::with_settings<Scheme>(made.options)));
    }
}

std::vector<std::string> names_of(const client_call& made) {
    return golden::names_of(made.nodes);
}

// Dumps of Jedis call all shards by their place.
std::vector<std::string> places_of(const client_call& made) {
    std::vector<std::string> places;
    for (std::size_t i = 0; i < made.nodes.size(); ++i) {
        places.push_back("shard" + std::to_string(i));
    }
    return places;
}

// `key TAB buckets TAB bucket` a line, in decimal.
template <class Bucket>
void count_buckets(tally& counted, const std::string& file, Bucket bucket) {
    for (const std::string& line : golden::lines("proxy/owners/" + file + ".tsv")) {
        const auto row = golden::fields(line);
        const auto key = parse_decimal<std::uint64_t>(row.at(0)).value();
        const auto buckets = parse_decimal<std::int32_t>(row.at(1)).value();
        counted.add(decimal(bucket(key, buckets)) == row.at(2), file + " " + line);
    }
}

} // namespace

TEST_CASE("clients: Jedis' placements are met", "[clients][jedis][golden]") {
    tally counted;
    count_placed<ring<compat::jedis>>(counted, "jedis-3.10.0_", golden::jedis_call);
    count_placed<ring<compat::jedis_2_9>>(counted, "jedis-2.9.0_", golden::jedis_call);
    golden::report("Jedis", counted, 27000);
}

TEST_CASE("clients: Jedis' rings are met to the point", "[clients][jedis][golden]") {
    tally counted;
    count_rings<compat::jedis>(counted, "jedis-3.10.0_", golden::jedis_call, places_of);
    count_rings<compat::jedis_2_9>(counted, "jedis-2.9.0_", golden::jedis_call, places_of);
    golden::report("Jedis' rings", counted, 24640);
}

TEST_CASE("clients: the slots of Redis Cluster are met", "[clients][redis][golden]") {
    tally counted;
    for (const proxy_file& file : golden::proxy_files("owners", "redis-cluster_")) {
        REQUIRE((file.table || file.rows.size() == golden::proxy_keys().size()));
        for (std::size_t i = 0; i < file.rows.size(); ++i) {
            const auto row = golden::fields(file.rows[i]);
            const std::string key = file.table ? golden::unhex(row.at(0)) : golden::proxy_keys()[i];
            counted.add(decimal(compat::redis_slot(key)) == row.back(), file.name + " " + row[0]);
        }
    }
    golden::report("Redis Cluster", counted, 2031);
}

TEST_CASE("clients: brpc's placements are met", "[clients][brpc][golden]") {
    tally counted;
    count_placed<ring<compat::brpc>>(counted, "brpc_", golden::brpc_call);
    golden::report("brpc", counted, 12000);
}

TEST_CASE("clients: brpc's rings are met to the point", "[clients][brpc][golden]") {
    tally counted;
    count_rings<compat::brpc>(counted, "brpc_", golden::brpc_call, names_of);
    golden::report("brpc's rings", counted, 2340);
}

TEST_CASE("clients: Dubbo's placements are met", "[clients][dubbo][golden]") {
    tally counted;
    for (const proxy_file& file : golden::proxy_files("owners", "dubbo_")) {
        const client_call made = golden::dubbo_call(file);
        // The second argument of the call, where that counts too.
        const std::string second = golden::between(file.head, "second argument: the Integer ", ")");
        const auto placed = placed_by<ring<compat::dubbo>>(made);
        golden::count_owners(counted, file, names_of(made), [&](const std::string& key) {
            return std::string(placed.owner(key + second)->name());
        });
    }
    golden::report("Dubbo", counted, 7000);
}

TEST_CASE("clients: Dubbo's rings are met to the point", "[clients][dubbo][golden]") {
    tally counted;
    count_rings<compat::dubbo>(counted, "dubbo_", golden::dubbo_call, names_of);
    golden::report("Dubbo's rings", counted, 1280);
}

TEST_CASE("clients: Guava's placements are met", "[clients][guava][golden]") {
    tally counted;
    count_placed<table<compat::guava>>(counted, "guava_consistenthash-md5_", golden::guava_call);
    count_buckets(counted, "guava_consistenthash_integers", compat::guava_bucket);
    count_buckets(counted, "guava_consistenthash_divergence", compat::guava_bucket);
    golden::report("Guava", counted, 4378);
}

TEST_CASE("clients: go-jump's placements are met", "[clients][jump][golden]") {
    tally counted;
    count_placed<table<schemes::jump>>(counted, "go-jump-xxh64_", golden::jump_call);
    count_buckets(counted, "go-jump_integers", jump_hash);
    count_buckets(counted, "go-jump_divergence", jump_hash);
    golden::report("go-jump", counted, 4378);
}

// So that no file lies there unread: what belongs to `proxies_test.cpp`, which looks closer at it,
// to `languages_test.cpp`, to `ring/golden_test.cpp` (shard-node), and to this file.
TEST_CASE("clients: every golden file belongs to a program that is checked", "[clients][golden]") {
    golden::check_all_read({""}, {"nginx_",
                                  "haproxy-",
                                  "envoy",
                                  "grpc-",
                                  "shard-node-100vn_murmur64a_T1",
                                  "jedis-3.10.0_",
                                  "jedis-2.9.0_",
                                  "redis-cluster_keyslot",
                                  "brpc_c_",
                                  "dubbo_consistenthash-md5_",
                                  "guava_consistenthash-md5_",
                                  "guava_consistenthash_integers",
                                  "guava_consistenthash_divergence",
                                  "go-jump-xxh64_",
                                  "go-jump_integers",
                                  "go-jump_divergence",
                                  "dalli-3.0.6_",
                                  "go-stathat-",
                                  "go-groupcache-",
                                  "go-serialx-20190421_",
                                  "go-ketama-dgryski-func",
                                  "go-buraksezer-1.0.0-p",
                                  "npm-hashring-md5"});
}
