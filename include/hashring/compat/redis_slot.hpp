// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/hash/crc16.hpp>
#include <hashring/hash/tag.hpp>

#include <cstdint>
#include <string_view>

/// \file
/// The slots of Redis Cluster.

namespace hashring::compat {

/// How many there are. Who serves which is no formula but the cluster's own table
/// (`CLUSTER SLOTS`).
inline constexpr std::uint32_t redis_slots = 16384;

/// The slot of a key, in [0, redis_slots): the low 14 bits of its CRC-16, and of what stands
/// between its first `{` and the next `}` alone if that is a byte or more. O(length).
///
/// Worked example: `redis_slot("{user1000}.following")` is `redis_slot("user1000")`, 3443.
///
/// Source: Redis 7.0.15, `keyHashSlot` in cluster.c; Redis Cluster's specification, "Key
/// distribution model" and "Hash tags".
[[nodiscard]] constexpr std::uint32_t redis_slot(std::string_view key) noexcept {
    return hash::crc16{}(hash::redis_tag(key)) % redis_slots;
}

} // namespace hashring::compat
