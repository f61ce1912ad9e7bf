// SPDX-License-Identifier: MIT
#pragma once

#include "placement.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tool {

/// What a change of one node moves, as parts of all keys.
struct movement {
    double moved_share = 0.0;
    double least_share = 0.0; ///< what has to move for those that are up to have what they wish
};

/// What a scheme moves when a node comes and when one goes.
struct movements {
    std::optional<movement> join;
    std::string join_refusal;         ///< why the scheme does not take one more node
    std::string leave_refusal;        ///< why it does not take the list without one of them
    std::vector<movement> leaves;     ///< one for each of `leaving`
    std::vector<std::size_t> leaving; ///< places of those that were let go
    bool by_keys = false;             ///< counted over keys, as shares do not say what moves
};

/// What is moved over what has to be, nothing if nothing has to.
[[nodiscard]] std::optional<double> times_least(std::span<const movement> moves);

/// The sum of what moves over the number of changes; nothing without any.
[[nodiscard]] std::optional<double> mean_moved(std::span<const movement> moves);

/// Lets one more node come (`fresh`), and at most three go one by one: the first, the middle and
/// the last of those that take keys, or the last alone where only that may go; nobody if it is the
/// only one. `sample` are keys to count by where a placement has no arcs or slots to compare.
[[nodiscard]] movements move_nodes(const scheme_entry& scheme, const option_values& options,
                                   const placement& before, const std::vector<listed_node>& nodes,
                                   const listed_node& fresh, std::span<const std::string> sample);

} // namespace tool
