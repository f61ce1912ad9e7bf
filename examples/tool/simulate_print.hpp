// SPDX-License-Identifier: MIT
#pragma once

#include "grid.hpp"
#include "output.hpp"
#include "simulate/outcome.hpp"

namespace tool {

/// An experiment's outcome: a table a measure with a column a place on the x axis (a selection, if
/// there are many), TSV with a line a median, or JSON.
void print_experiment(const simulate::experiment& shown, const simulate::settings& asked, format as,
                      output& out);

} // namespace tool
