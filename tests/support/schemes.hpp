// SPDX-License-Identifier: MIT
#pragma once

#include "support/test_schemes.hpp"

#include <hashring/hashring.hpp>

#include <concepts>
#include <cstdint>

// The lists of schemes that suites run over, for TEMPLATE_TEST_CASE; a new scheme joins them here.
namespace all_schemes {

using hashring::compat::dalli;
using hashring::compat::envoy;
using hashring::compat::go_ketama;
using hashring::compat::grpc_java_1_68;
using hashring::compat::haproxy;
using hashring::compat::libmemcached;
using hashring::compat::libmemcached_weighted;
using hashring::compat::nginx;
using hashring::schemes::bkdr_spaced;
using hashring::schemes::ketama_group;
using hashring::schemes::labelled;
using hashring::schemes::murmur_shard;
using hashring::schemes::murmur_shard_named;
using hashring::schemes::xxh3;

using crc32_dashed =
    labelled<hashring::hash::finalised<hashring::hash::crc32>, hashring::labels::dashed>;
using md5_joined = labelled<hashring::hash::md5, hashring::labels::joined>;
using narrow_first = test_schemes::narrow<hashring::tie_rule::first>;
using narrow_last = test_schemes::narrow<hashring::tie_rule::last>;

} // namespace all_schemes

// `count` virtual nodes a unit of weight, or its own counts if a scheme's are fixed.
template <class Scheme>
Scheme with_vnodes(std::uint32_t count) {
    Scheme scheme;
    if constexpr (requires { scheme.vnodes_per_unit; }) {
        scheme.vnodes_per_unit = count;
    }
    return scheme;
}

// `tenths` tenths of a unit of weight, or as many whole units if a scheme takes no fractions.
template <class Scheme>
hashring::weight weight_in_tenths(std::uint64_t tenths) {
    constexpr bool whole_units = !requires(Scheme scheme) { scheme.vnodes_per_unit; };
    return hashring::weight::from_thousandths(tenths * (whole_units ? 1000 : 100));
}

// The order of the list does not matter, and a node's first points stay when it gets more.
#define HASHRING_INDEPENDENT_SCHEMES                                                               \
    all_schemes::xxh3, all_schemes::murmur_shard_named, all_schemes::md5_joined,                   \
        all_schemes::narrow_first

// The order of the list does not matter.
#define HASHRING_ORDER_FREE_SCHEMES                                                                \
    HASHRING_INDEPENDENT_SCHEMES, all_schemes::narrow_last, all_schemes::crc32_dashed,             \
        all_schemes::bkdr_spaced

// A node's points depend on that node alone.
#define HASHRING_OWN_POINTS_SCHEMES                                                                \
    HASHRING_INDEPENDENT_SCHEMES, all_schemes::bkdr_spaced, all_schemes::ketama_group

// One of each kind between which the ring makes a difference: width of the circle, collisions,
// ties, order of the list, points that depend on the list. Enough where the hash does not matter.
// Counts are by weight, so many a unit.
#define HASHRING_PER_WEIGHT_KINDS                                                                  \
    all_schemes::xxh3, all_schemes::bkdr_spaced, all_schemes::narrow_last,                         \
        all_schemes::ketama_group, all_schemes::murmur_shard

// The same and those whose counts are made otherwise: fixed ones, and shared out over the list,
// also with points beside them.
#define HASHRING_KINDS_OF_SCHEMES                                                                  \
    HASHRING_PER_WEIGHT_KINDS, all_schemes::libmemcached, all_schemes::libmemcached_weighted,      \
        all_schemes::nginx, all_schemes::haproxy, all_schemes::envoy, all_schemes::grpc_java_1_68, \
        all_schemes::dalli, all_schemes::go_ketama
