// SPDX-License-Identifier: MIT
#pragma once

#include "group_link.hpp"
#include "settings.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Whether all copies of a group hold the same.

namespace redis_groups {

/// What a comparison of the copies of a group found.
struct copy_comparison {
    std::uint64_t keys = 0;            ///< of the master that were compared
    std::size_t copies = 0;            ///< that were compared with the master
    std::uint64_t different = 0;       ///< keys that a copy lacks, has besides, or has otherwise
    std::vector<std::string> which{};  ///< the first of them
    std::vector<std::string> silent{}; ///< copies that do not answer, of which nothing is known

    /// Whether all copies hold the same: what a silent one holds nobody can say.
    [[nodiscard]] bool is_equal() const noexcept { return different == 0 && silent.empty(); }
};

/// Compares each key of the copies that answer with the master's, whatever its type is, and its
/// time to live; `page` keys at a time. Where somebody writes meanwhile, keys may differ that will
/// not. The link has been looked at. Throws `connection_failure`, `server_failure`.
[[nodiscard]] copy_comparison compare_copies(group_link& group, std::size_t page);
/// The same with connections of its own, to the copies that there are now.
[[nodiscard]] copy_comparison compare_copies(const group_spec& group, const settings& chosen);

} // namespace redis_groups
