// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

// All schemes of the library, for TEMPLATE_TEST_CASE; who uses a list includes its headers.
// `tool/law_schemes_test.cpp` sees that none is left out.
namespace hashring {
namespace compat {}
namespace schemes {}
} // namespace hashring

namespace law_schemes {

using namespace hashring::compat;
using namespace hashring::schemes;

// With few points, where there is an option, so that many histories are affordable. Counts are odd,
// so that halves of them are rounded.
template <class Scheme>
Scheme small() {
    Scheme scheme;
    if constexpr (requires { scheme.vnodes_per_unit; }) {
        scheme.vnodes_per_unit = 7;
    }
    if constexpr (requires { scheme.min_size; }) {
        scheme.min_size = 50;
    }
    if constexpr (requires { scheme.vnodes_per_node; }) {
        scheme.vnodes_per_node = 12;
    }
    return scheme;
}

} // namespace law_schemes

#define HASHRING_OWN_RINGS                                                                         \
    law_schemes::xxh3, law_schemes::ketama_group, law_schemes::murmur_shard,                       \
        law_schemes::murmur_shard_named, law_schemes::bkdr_spaced

#define HASHRING_MEMCACHED_RINGS                                                                   \
    law_schemes::libmemcached, law_schemes::libmemcached_weighted, law_schemes::libmemcached_spy,  \
        law_schemes::twemproxy, law_schemes::spymemcached, law_schemes::libketama,                 \
        law_schemes::uhashring_ketama, law_schemes::uhashring

#define HASHRING_PROXY_RINGS                                                                       \
    law_schemes::nginx, law_schemes::haproxy, law_schemes::envoy, law_schemes::grpc,               \
        law_schemes::grpc_core, law_schemes::grpc_java_1_41, law_schemes::grpc_java_1_49,          \
        law_schemes::grpc_java_1_68

#define HASHRING_CLIENT_RINGS                                                                      \
    law_schemes::jedis, law_schemes::jedis_2_9, law_schemes::brpc, law_schemes::dubbo,             \
        law_schemes::dalli, law_schemes::stathat, law_schemes::groupcache, law_schemes::serialx,   \
        law_schemes::go_ketama, law_schemes::npm_hashring

#define HASHRING_TABLES                                                                            \
    law_schemes::maglev, law_schemes::jump, law_schemes::rendezvous, law_schemes::multi_probe,     \
        law_schemes::anchor, law_schemes::libmemcached_modula, law_schemes::twemproxy_modula,      \
        law_schemes::spymemcached_array_mod, law_schemes::nginx_modulo,                            \
        law_schemes::haproxy_map_based, law_schemes::envoy_maglev, law_schemes::envoy_maglev_1_26, \
        law_schemes::guava, law_schemes::buraksezer
