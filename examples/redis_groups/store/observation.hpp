// SPDX-License-Identifier: MIT
#pragma once

#include "reply.hpp"

#include <cstdint>
#include <string>

/// \file
/// What a server says of itself.

namespace redis_groups {

/// A replica has the history of the master whose stream it receives: addresses do not tell, as a
/// server may know its master by another one than we do.
struct observation {
    bool answers = false; ///< if not, the rest means nothing
    bool is_master = false;
    std::uint64_t offset = 0;     ///< in the stream of writes, in bytes
    std::string run_id{};         ///< another one after each start
    std::string history{};        ///< `master_replid`: whose stream of writes it has
    std::string former_history{}; ///< `master_replid2`: whose it had before
    bool is_linked = false;       ///< a replica: whether it receives the stream
    bool is_syncing = false;      ///< a replica: whether it is being copied from its master

    friend bool operator==(const observation&, const observation&) = default;
};

/// What the answers to `INFO server` and `INFO replication` say. Other answers, as from a server
/// that is still loading, are taken as none.
[[nodiscard]] observation read_observation(const reply& server, const reply& replication);

} // namespace redis_groups
