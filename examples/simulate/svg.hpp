// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace simulate::svg {

/// Text as it stands between tags or in quotes.
[[nodiscard]] std::string escaped(std::string_view text);

/// A coordinate, to a tenth and no longer than it must be.
[[nodiscard]] std::string number(double value);

/// The beginning of a drawing that follows the reader's light or dark colours, and says in words
/// what it shows; `</svg>` ends it. Classes: title, note, family, grid, axis, line, bar, mark,
/// paper, and c0 to c4 for what is told apart.
[[nodiscard]] std::string begin(double width, double height, std::string_view title,
                                std::string_view description);

/// `M x y`, and `L x y`, of a path.
[[nodiscard]] std::string move_to(double x, double y);
[[nodiscard]] std::string line_to(double x, double y);

[[nodiscard]] std::string path(std::string_view classes, std::string_view d);
[[nodiscard]] std::string line(std::string_view classes, double x1, double y1, double x2,
                               double y2);
/// `anchor` is start, middle or end; `classes` may be empty.
[[nodiscard]] std::string text(std::string_view classes, double x, double y,
                               std::string_view anchor, std::string_view words);

} // namespace simulate::svg
