// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// One copy of a group's data: what it is, and in which state.

namespace hashring::group {

/// What a copy does in its group.
enum class role : std::uint8_t {
    master,  ///< takes the writes and passes them on
    replica, ///< follows the master
};

/// What is known of a copy.
///
/// The line that matters runs between `up` and the rest: a copy that is `up` has kept all that it
/// ever acknowledged, so it vouches for it in a majority. A replica that is merely some writes
/// late, as all replicas are, is `up`. One that comes back after it was down is `behind`, whatever
/// it says of itself, until it has been completed: it may have restarted without its data.
enum class copy_state : std::uint8_t {
    up,        ///< answers, and has kept all that it acknowledged
    behind,    ///< answers, but may lack what it once acknowledged; waits to be completed
    repairing, ///< answers, and is being completed from another copy
    down,      ///< does not answer
};

/// Whether the copy answers at all.
[[nodiscard]] constexpr bool is_answering(copy_state state) noexcept {
    return state != copy_state::down;
}

/// Whether the copy vouches for what it acknowledged: it is `up`.
[[nodiscard]] constexpr bool is_complete(copy_state state) noexcept {
    return state == copy_state::up;
}

/// The state in one word, as metrics name it.
[[nodiscard]] constexpr std::string_view describe(copy_state state) noexcept {
    switch (state) {
    case copy_state::up:
        return "up";
    case copy_state::behind:
        return "behind";
    case copy_state::repairing:
        return "repairing";
    case copy_state::down:
        return "down";
    }
    return "";
}

/// A copy of a group.
struct copy {
    /// What tells it from the others of its group, such as `host:port`; any bytes but none.
    std::string name{};
    hashring::group::role role = role::replica;
    copy_state state = copy_state::up;
    /// Who is preferred as the next master: the lowest; 0 never becomes one.
    std::uint32_t priority = 100;
    /// How far it has followed the writes, in bytes or any unit that is the same for the group.
    std::uint64_t offset = 0;

    friend bool operator==(const copy&, const copy&) = default;
};

} // namespace hashring::group
