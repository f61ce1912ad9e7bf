// SPDX-License-Identifier: MIT

#include "group_view.hpp"

#include <hashring/group/observe.hpp>

namespace redis_groups {

using hashring::group::copy;
using hashring::group::copy_state;
using hashring::group::members;
using hashring::group::no_copy;
using hashring::group::role;
using observations = std::span<const observation>;

namespace {

members listed(const members& so_far, const address& one_more) {
    std::vector<copy> copies(so_far.begin(), so_far.end());
    copies.push_back({describe(one_more), role::replica, copy_state::down, 100, 0});
    return members(std::move(copies));
}

/// Whether a replica receives what this master writes.
bool follows(const observation& replica, const observation& master) {
    return replica.answers && !replica.is_master && replica.is_linked &&
           replica.history == master.history;
}

} // namespace

group_view::group_view(const std::vector<address>& copies, hashring::group::safe_exit leave)
    : leave_(leave) {
    for (const address& where : copies) {
        add(where);
    }
}

std::size_t group_view::add(const address& copy) {
    for (std::size_t i = 0; i < known_.size(); ++i) {
        if (known_[i].where == copy) {
            return i;
        }
    }
    members_ = listed(members_, copy);
    known_.push_back({copy});
    return known_.size() - 1;
}

std::size_t group_view::followers_of(std::size_t copy, observations seen) const {
    std::size_t count = 0;
    for (const observation& other : seen) {
        count += follows(other, seen[copy]) ? 1U : 0U;
    }
    return count;
}

std::size_t group_view::master_among(observations seen, const std::optional<address>& named) const {
    std::size_t best = no_copy;
    std::size_t most = 0;
    bool is_tied = false;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (!seen[i].answers || !seen[i].is_master || (named && known_[i].where != *named)) {
            continue;
        }
        const std::size_t followers = followers_of(i, seen);
        if (best == no_copy || followers > most) {
            best = i;
            most = followers;
            is_tied = false;
        } else if (followers == most) {
            is_tied = true;
        }
    }
    return is_tied ? no_copy : best;
}

bool group_view::has_our_history(const observation& seen) const {
    return seen.history == history_ || seen.former_history == history_;
}

void group_view::judge(std::size_t copy, observations all, std::size_t master) {
    known_copy& known = known_[copy];
    const observation& seen = all[copy];
    hashring::group::observation what;
    if (seen.answers) {
        const bool is_master = copy == master;
        const bool is_first_look = history_.empty(); // nothing is known that a master could lack
        const bool is_alone = known_.size() == 1;    // and nobody could complete it
        const bool is_taken_on_trust = is_master && (is_first_look || is_alone);
        what.answers = true;
        what.is_continuous = known.run_id == seen.run_id && (is_master || has_our_history(seen));
        what.is_syncing = seen.is_syncing;
        what.follows_complete_master =
            is_taken_on_trust || (!is_master && master != no_copy && follows(seen, all[master]) &&
                                  is_complete(members_[master].state));
        known.state = next_state(known.state, what);
        known.run_id = seen.run_id;
        members_.set_offset(copy, seen.offset);
    }
    members_.set_state(copy, seen.answers ? known.state : copy_state::down);
}

void group_view::look(observations seen, const std::optional<address>& named) {
    const std::size_t master = master_among(seen, named);
    if (master != no_copy) { // first, as the others' states depend on its
        judge(master, seen, master);
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (i != master) {
            judge(i, seen, master);
        }
    }
    members_.set_master(master);
    if (master != no_copy && is_complete(members_[master].state)) {
        history_ = seen[master].history;
    }
    mode_ = next_mode(mode_, members_, leave_);
}

} // namespace redis_groups
