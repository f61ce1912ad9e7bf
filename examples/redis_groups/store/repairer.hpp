// SPDX-License-Identifier: MIT
#pragma once

#include "group_link.hpp"
#include "sentinel.hpp"
#include "settings.hpp"

#include <hashring/group/repair.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

/// \file
/// Making the copies of a group complete again.

namespace redis_groups {

/// A repair that did not come to its end in time. What it has done stays, and another one goes on.
class repair_failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Does what `hashring::group::plan_repair` says, step by step, until nothing is left to do. Where
/// sentinels watch the group the master is theirs to choose: it waits for them.
///
/// A server that is told whom to follow drops its other clients first, so that nobody goes on with
/// an old master.
class repairer {
public:
    struct report {
        std::size_t promoted = 0; ///< times that a replica was made the master
        std::size_t copied = 0;   ///< times that a copy was told to take all from the master
        std::uint64_t merged = 0; ///< records that a copy had and the source lacked or had older
        std::size_t down = 0;     ///< copies that do not answer, and so are not repaired
    };
    /// Told of each step in words.
    using listener = std::function<void(std::string_view)>;

    repairer(const group_spec& group, const settings& chosen);

    /// Throws `repair_failure` if it is not done after so long. Clients that were there before a
    /// merge have to be told to `begin_anew`: what they saw said that nobody has all.
    report run(std::chrono::milliseconds patience, const listener& tell = {});

    /// What was last seen of the group.
    [[nodiscard]] const group_view& view() const noexcept { return link_.view(); }

private:
    bool step(const listener& tell);
    void elect_anew(const listener& tell);
    void promote(std::size_t source, const listener& tell);
    void copy_whole(const hashring::group::repair_plan& plan, const listener& tell);
    void merge(const hashring::group::repair_plan& plan, const listener& tell);
    std::uint64_t merge_from(std::size_t target, const hashring::group::repair_plan& plan);
    void hold_writes(const hashring::group::copy_list& copies);
    void follow(std::size_t copy, const address& master);
    [[nodiscard]] std::string name_of(std::size_t copy) const;

    settings settings_;
    sentinels sentinels_;
    group_link link_;
    report done_;
};

} // namespace redis_groups
