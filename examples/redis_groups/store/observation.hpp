// SPDX-License-Identifier: MIT
#pragma once

#include "address.hpp"
#include "reply.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// What a server says of itself.

namespace redis_groups {

struct observation {
    bool is_master = false;
    std::uint64_t offset = 0;  ///< in the stream of writes, in bytes
    std::string run_id{};      ///< another one after each start
    address follows{};         ///< a replica's master
    bool is_connected = false; ///< a replica: whether it receives the stream

    friend bool operator==(const observation&, const observation&) = default;
};

/// What the answers to `ROLE` and `INFO server` say; nothing if they are no such answers, as from a
/// server that is still loading.
[[nodiscard]] std::optional<observation> read_observation(const reply& role, const reply& info);

} // namespace redis_groups
