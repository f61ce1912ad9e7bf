// SPDX-License-Identifier: MIT

#include "group_view.hpp"

namespace redis_groups {

using hashring::group::copy;
using hashring::group::copy_state;
using hashring::group::members;
using hashring::group::no_copy;
using hashring::group::role;
using observations = std::span<const std::optional<observation>>;

namespace {

members listed(const members& so_far, const address& one_more) {
    std::vector<copy> copies(so_far.begin(), so_far.end());
    copies.push_back({describe(one_more), role::replica, copy_state::down, 100, 0});
    return members(std::move(copies));
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
    for (const auto& other : seen) {
        count += other && !other->is_master && other->follows == known_[copy].where ? 1U : 0U;
    }
    return count;
}

std::size_t group_view::master_among(observations seen, const std::optional<address>& named) const {
    std::size_t best = no_copy;
    std::size_t most = 0;
    bool is_tied = false;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (!seen[i] || !seen[i]->is_master || (named && known_[i].where != *named)) {
            continue;
        }
        const std::size_t followers = followers_of(i, seen);
        is_tied = best != no_copy && followers == most;
        if (best == no_copy || followers > most) {
            best = i;
            most = followers;
        }
    }
    return is_tied ? no_copy : best;
}

copy_state group_view::judge_returned(std::size_t copy, observations seen, std::size_t master) {
    const observation& now = *seen[copy];
    if (copy == master) {
        return copy_state::behind;
    }
    if (master == no_copy || !now.is_connected || now.follows != known_[master].where) {
        known_[copy].goal.reset();
        return copy_state::behind;
    }
    if (!known_[copy].goal) {
        known_[copy].goal = seen[master]->offset;
    }
    return now.offset >= *known_[copy].goal ? copy_state::up : copy_state::repairing;
}

copy_state group_view::judge(std::size_t copy, observations seen, std::size_t master) {
    known_copy& known = known_[copy];
    if (!seen[copy]) {
        known.goal.reset();
        return copy_state::down;
    }
    const observation& now = *seen[copy];
    if (known.run_id != now.run_id) {
        known.goal.reset();
        known.has_restarted = !is_first_look_;
        known.run_id = now.run_id;
    }
    if (is_first_look_) { // nothing else is known of it
        return now.is_master || now.is_connected ? copy_state::up : copy_state::behind;
    }
    const bool is_master = copy == master;
    const bool has_all = !known.has_restarted && (is_master || is_complete(members_[copy].state));
    const bool needs_nobody = is_master && members_.size() == 1;
    const copy_state state =
        has_all || needs_nobody ? copy_state::up : judge_returned(copy, seen, master);
    known.has_restarted = known.has_restarted && state != copy_state::up;
    return state;
}

void group_view::look(observations seen, const std::optional<address>& named) {
    const std::size_t master = master_among(seen, named);
    for (std::size_t i = 0; i < seen.size(); ++i) {
        members_.set_state(i, judge(i, seen, master));
        if (seen[i]) {
            members_.set_offset(i, seen[i]->offset);
        }
    }
    members_.set_master(master);
    is_first_look_ = false;
    mode_ = next_mode(mode_, members_, leave_);
}

void group_view::lost(std::size_t copy) {
    members_.set_state(copy, copy_state::down);
    known_[copy].goal.reset();
    mode_ = next_mode(mode_, members_, leave_);
}

} // namespace redis_groups
