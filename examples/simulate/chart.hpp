// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/outcome.hpp"

#include <string>

namespace simulate {

/// The first measure of an experiment as a self-contained SVG: a line of medians for each strategy,
/// bars from the 5th to the 95th percentile, a logarithmic y axis, a legend. It follows the
/// reader's light or dark colours, and says in words what it shows.
[[nodiscard]] std::string draw_chart(const experiment& shown);

/// `value` with one digit behind the point.
[[nodiscard]] std::string tenths_text(double value);

} // namespace simulate
