// SPDX-License-Identifier: MIT
#pragma once

#include "nodes_file.hpp"

#include <hashring/core/weight.hpp>

#include <vector>

namespace tool {

/// The median weight of the nodes that are up and weigh something, of two the lower one; 1 if there
/// is none.
[[nodiscard]] hashring::weight median_weight(const std::vector<listed_node>& nodes);

/// One more node, of the median weight, for the end of the list: named as the last one with another
/// number (the port of `10.0.0.1:11211`, the 7 of `node-7`), or with `-new` behind; so are its
/// address and its id.
[[nodiscard]] listed_node fresh_node(const std::vector<listed_node>& nodes);

} // namespace tool
