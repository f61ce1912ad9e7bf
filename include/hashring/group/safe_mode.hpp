// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/group/members.hpp>
#include <hashring/group/rules.hpp>

#include <cstdint>
#include <string_view>

/// \file
/// When a group stops to take writes, and when it takes them again.

namespace hashring::group {

/// Whether a group takes writes.
enum class mode : std::uint8_t {
    normal,
    safe, ///< no writes; copies are checked and completed
};

/// The mode in one word.
[[nodiscard]] constexpr std::string_view describe(mode m) noexcept {
    return m == mode::safe ? "safe" : "normal";
}

/// Whether half of the copies or more are lost: down, or not complete, as such a copy cannot vouch
/// for anything. Then the rest are no majority. A group without copies has lost them.
[[nodiscard]] inline bool has_lost_half(const members& group) noexcept {
    return 2 * group.complete() <= group.size();
}

/// The mode after `before`, when the copies are as `group` says. To be called whenever that
/// changes; a group begins in `mode::normal`, or in `mode::safe` where nothing is known yet.
///
/// It enters safe mode as soon as half of the copies or more are lost. It leaves it only when all
/// are complete, or with `safe_exit::majority` when more than half are and none that answers is
/// behind or being repaired: a copy that merely answers again ends nothing.
///
/// Law: `next_mode(next_mode(m, g), g) == next_mode(m, g)`; normal mode means that a majority is
/// complete. Source: Redis paper, safe mode ("as an HDFS NameNode").
[[nodiscard]] inline mode next_mode(mode before, const members& group,
                                    safe_exit leave = safe_exit::all_copies) noexcept {
    if (has_lost_half(group)) {
        return mode::safe;
    }
    const bool is_whole =
        group.complete() == (leave == safe_exit::all_copies ? group.size() : group.answering());
    return before == mode::safe && !is_whole ? mode::safe : mode::normal;
}

} // namespace hashring::group
