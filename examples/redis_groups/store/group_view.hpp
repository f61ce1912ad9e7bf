// SPDX-License-Identifier: MIT
#pragma once

#include "address.hpp"
#include "observation.hpp"

#include <hashring/group/members.hpp>
#include <hashring/group/rules.hpp>
#include <hashring/group/safe_mode.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// \file
/// What is known of a group's copies, from look to look. Pure: it judges what servers said.

namespace redis_groups {

/// The copies of a group as they were last seen.
class group_view {
public:
    group_view(const std::vector<address>& copies, hashring::group::safe_exit leave);

    /// Adds a copy that is not listed yet; it is down until it is seen. Returns its index. Throws
    /// `hashring::invalid_group` beyond `max_copies`.
    std::size_t add(const address& copy);

    /// Takes in what each copy said. `named` is who Sentinel
    /// says is the master, which must say so itself; without it the one is the master that says so
    /// and that most others follow, and nobody if two are equal.
    ///
    /// A copy's state follows from `hashring::group::next_state`. One that did not answer for a
    /// while and is the same process with the same history has kept what it had.
    void look(std::span<const observation> seen, const std::optional<address>& named);
    /// Forgets what was seen before: so much may have happened meanwhile that nothing follows from
    /// it any more, and the next look is a first one.
    void begin_anew() noexcept { history_.clear(); }

    [[nodiscard]] const hashring::group::members& copies() const noexcept { return members_; }
    [[nodiscard]] const address& where(std::size_t copy) const noexcept {
        return known_[copy].where;
    }
    [[nodiscard]] hashring::group::mode mode() const noexcept { return mode_; }

private:
    struct known_copy {
        address where;
        std::string run_id{}; ///< empty until it was seen
        /// How it was when it last answered.
        hashring::group::copy_state state = hashring::group::copy_state::behind;
    };

    [[nodiscard]] std::size_t master_among(std::span<const observation> seen,
                                           const std::optional<address>& named) const;
    [[nodiscard]] std::size_t followers_of(std::size_t copy,
                                           std::span<const observation> seen) const;
    void judge(std::size_t copy, std::span<const observation> all, std::size_t master);
    [[nodiscard]] bool has_our_history(const observation& seen) const;

    std::vector<known_copy> known_;
    hashring::group::members members_;
    hashring::group::mode mode_ = hashring::group::mode::normal;
    hashring::group::safe_exit leave_;
    std::string history_; // of the last master that was complete; empty before the first look
};

} // namespace redis_groups
