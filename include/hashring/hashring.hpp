// SPDX-License-Identifier: MIT
#pragma once

/// \file
/// All of hashring. It needs `<xxhash.h>`, as the default scheme does; a program without it
/// includes `ring/ring.hpp` and another scheme's header.

#include <hashring/balance/expected_gap.hpp>
#include <hashring/balance/measures.hpp>
#include <hashring/compat/binary32.hpp>
#include <hashring/compat/libmemcached.hpp>
#include <hashring/compat/memcached_hash.hpp>
#include <hashring/compat/memcached_ident.hpp>
#include <hashring/compat/memcached_options.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/bytes.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/key.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/core/weight.hpp>
#include <hashring/hash/bkdr.hpp>
#include <hashring/hash/concept.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/hash/fnv.hpp>
#include <hashring/hash/hsieh.hpp>
#include <hashring/hash/lookup3.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/hash/murmur2.hpp>
#include <hashring/hash/murmur3.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/hash/one_at_a_time.hpp>
#include <hashring/hash/widening.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/allocate.hpp>
#include <hashring/placement/bkdr_spaced.hpp>
#include <hashring/placement/describe.hpp>
#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/labelled.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/murmur_shard.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/placement/spacing.hpp>
#include <hashring/placement/xxh3.hpp>
#include <hashring/ring/arc.hpp>
#include <hashring/ring/diff.hpp>
#include <hashring/ring/node_ref.hpp>
#include <hashring/ring/point_range.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/ring/walk.hpp>
#include <hashring/version.hpp>
