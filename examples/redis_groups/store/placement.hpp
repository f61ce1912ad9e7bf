// SPDX-License-Identifier: MIT
#pragma once

#include "settings.hpp"

#include <hashring/placement/ketama_group.hpp>
#include <hashring/ring/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Which group a key belongs to, for all clients of a program, also while keys move.

namespace redis_groups {

using group_ring = hashring::ring<hashring::schemes::ketama_group>;

/// Groups are numbered in the order in which they came; a number is not used again.
using group_number = std::uint32_t;
inline constexpr group_number no_group = ~group_number{0};

/// Where a key is written and read; and where it is still looked for, if its arc is moving.
struct route {
    group_number owner = no_group;
    group_number before = no_group;
};

/// The ring that all clients of a program share, and the next one while keys move to it. Changes
/// wait until no client is in the midst of anything, so all of them change at the same moment.
///
/// Clients in other processes have to be told by other means, and must not write what moves between
/// the first one's change and the last one's.
class placement {
public:
    /// Throws what the ring throws for names and weights.
    explicit placement(const std::vector<group_spec>& groups);

    /// While one of these lives, nothing changes.
    class use {
    public:
        explicit use(const placement& from);

        [[nodiscard]] std::vector<route> routes(std::span<const std::string_view> keys) const;
        /// How many groups there have ever been, and each.
        [[nodiscard]] std::size_t group_count() const noexcept { return from_.groups_.size(); }
        [[nodiscard]] const group_spec& group(group_number i) const { return from_.groups_[i]; }
        /// The epoch that versions must have at least.
        [[nodiscard]] std::uint64_t least_epoch() const noexcept { return from_.least_epoch_; }
        [[nodiscard]] const group_ring& ring() const noexcept { return from_.ring_.ring; }
        [[nodiscard]] bool is_moving() const noexcept { return from_.next_.has_value(); }
        /// The numbers of the groups on the ring, in its order.
        [[nodiscard]] const std::vector<group_number>& on_ring() const noexcept {
            return from_.ring_.numbers;
        }

    private:
        const placement& from_;
        std::shared_lock<std::shared_mutex> lock_;
    };

    /// Begins to move to a ring of `groups`: from now on what moves is written to its new owner,
    /// and looked for at the old one if it is not there. Versions that are made from now on are of
    /// an epoch of at least what `least_epoch` returns, which is called while no client writes: it
    /// must be above all that were made before. Throws what the ring and `least_epoch` throw, and
    /// `std::logic_error` if keys are moving already; then nothing has changed.
    void begin_move(const std::vector<group_spec>& groups,
                    const std::function<std::uint64_t()>& least_epoch);
    /// Ends it: the next ring is the ring. Throws `std::logic_error` if nothing moves.
    void end_move();

private:
    struct numbered_ring {
        group_ring ring{};
        std::vector<group_number> numbers{}; ///< by the ring's index
    };

    [[nodiscard]] std::unique_lock<std::shared_mutex> exclusive() const;
    [[nodiscard]] numbered_ring make(const std::vector<group_spec>& groups);

    mutable std::mutex gate_; // so that a change does not wait for clients that come after it
    mutable std::shared_mutex mutex_;
    std::vector<group_spec> groups_; // by number
    numbered_ring ring_;
    std::optional<numbered_ring> next_;
    std::uint64_t least_epoch_ = 0;
};

} // namespace redis_groups
