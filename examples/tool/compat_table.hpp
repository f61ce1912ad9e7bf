// SPDX-License-Identifier: MIT
#pragma once

#include "commands.hpp"
#include "differences.hpp"

#include <string>
#include <vector>

namespace tool {

/// What one program makes of the nodes and keys.
struct program_row {
    placed_by by;
    std::string refusal;             ///< why it takes no such nodes; the rest is empty then
    std::vector<std::string> shown;  ///< the owners of the keys to show
    double agreement = 0.0;          ///< part of the keys whose owner is the reference's
    std::vector<std::string> unlike; ///< in what it differs, in words
};

/// All programs on the same nodes and keys.
struct compat_table {
    std::string reference;
    std::vector<std::string> shown_keys; ///< as output shows them
    std::size_t keys = 0;                ///< how many agreement is measured over
    bool keys_are_made_up = false;
    /// The reference, then those that agree most; of those that agree as much the order is the
    /// schemes'. Those that refuse come last.
    std::vector<program_row> rows;
    /// Names of those that own every key alike, where there are two or more.
    std::vector<std::vector<std::string>> alike;
};

/// Places the nodes by each scheme. An option goes to every scheme that takes this value for it.
/// Throws `usage_failure` for what no scheme takes, and if the reference takes no such nodes.
[[nodiscard]] compat_table make_compat_table(const request& asked);

} // namespace tool
