// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/outcome.hpp"

#include <string>

namespace simulate {

/// The first measure of an experiment as a self-contained SVG: a panel for each family of
/// strategies over one logarithmic y axis, and lines where a paper's own figures are. It follows
/// the reader's light or dark colours, and says in words what it shows.
[[nodiscard]] std::string draw_chart(const experiment& shown);

} // namespace simulate
