// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/group/copy.hpp>

/// \file
/// The state of a copy from what is seen of its server.

namespace hashring::group {

/// What one look at a copy's server shows.
struct observation {
    /// It answered in time. If not, the rest means nothing.
    bool answers = false;
    /// It has kept what it had when it was last seen: the same process (in Redis the same `run_id`)
    /// with the same history (the group's last known `master_replid` is its `master_replid` or
    /// `master_replid2`). A server that restarted, or that was copied from somewhere, has not.
    bool is_continuous = false;
    /// It is being copied from its master (`master_sync_in_progress`).
    bool is_syncing = false;
    /// It follows the group's master, which is complete, and their link is up
    /// (`master_link_status:up`): it has all that the master had when it began to.
    bool follows_complete_master = false;

    friend constexpr bool operator==(const observation&, const observation&) = default;
};

/// The state of a copy that was in `before` and is seen so. The master is to be looked at first.
///
/// A copy becomes complete only by following a complete master, and stays so only while it answers
/// and keeps what it had: one that restarted empty between two looks is behind, also if it is the
/// master, and so are replicas that were copied from it. A master that is behind becomes complete
/// by no observation, only by what `plan_repair` says. Who begins to watch a group takes its master
/// as complete: nothing is known that it could lack.
[[nodiscard]] constexpr copy_state next_state(copy_state before, const observation& seen) noexcept {
    if (!seen.answers) {
        return copy_state::down;
    }
    if (seen.is_syncing) {
        return copy_state::repairing;
    }
    const bool is_kept = before == copy_state::up && seen.is_continuous;
    return seen.follows_complete_master || is_kept ? copy_state::up : copy_state::behind;
}

} // namespace hashring::group
