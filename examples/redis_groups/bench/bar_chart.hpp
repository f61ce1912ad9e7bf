// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

/// \file
/// Bars in groups, as a drawing.

namespace redis_groups::bench {

/// One bar, and from where to where its value was measured.
struct bar {
    double value = 0.0;
    double least = 0.0;
    double most = 0.0;
};

/// Bars of one kind, one at each place of the x axis; a value below 0 is none.
struct bar_series {
    std::string name;
    std::vector<bar> bars;
};

struct bar_chart {
    std::string title;
    std::string note;    ///< what the heights are
    std::string summary; ///< in words, for those who do not see it
    std::vector<std::string> places{};
    std::vector<bar_series> series{};
    int digits = 0; ///< behind the point, of values
};

/// A self-contained SVG with heights from 0 on, so that they can be compared.
[[nodiscard]] std::string draw(const bar_chart& shown);

} // namespace redis_groups::bench
