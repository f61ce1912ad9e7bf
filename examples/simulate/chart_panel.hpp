// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/chart_scale.hpp"
#include "simulate/outcome.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace simulate {

/// The strategies of one family beside the others': what they are called, lines of their medians,
/// and bars from the 5th to the 95th percentile.
struct chart_panel {
    std::size_t first = 0; ///< strategy
    std::size_t count = 0;
    double left = 0.0;
    double right = 0.0;
};

/// Heights in the drawing.
struct chart_rows {
    double legend = 0.0; ///< of the family's name
    double top = 0.0;    ///< of the lines
    double bottom = 0.0;
};

/// A row of the legend is so high.
inline constexpr double legend_row = 25.0;

/// How many strategies one panel tells apart by colour and shape; of more, colours come again.
inline constexpr std::size_t panel_colors = 5;

/// A panel for each family of `e`, of equal width between `left` and `right`.
[[nodiscard]] std::vector<chart_panel> panels_of(const experiment& e, double left, double right);

[[nodiscard]] std::string draw_panel(const experiment& e, const chart_panel& panel,
                                     const chart_rows& rows, const height_scale& heights);

} // namespace simulate
