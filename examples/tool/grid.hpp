// SPDX-License-Identifier: MIT
#pragma once

#include "output.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

enum class format { table, tsv, json };

/// The format called `name`; throws `usage_failure`.
[[nodiscard]] format parse_format(std::string_view name);

/// Rows under headings, and what is said below them.
struct grid {
    std::vector<std::string> headings;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::pair<std::string, std::string>> notes;
};

/// Columns in line for reading: texts to the left, numbers to the right, notes below.
void print_table(const grid& g, output& out);

/// A line of headings, a line a row, and the notes on lines that begin with `#`.
void print_tsv(const grid& g, output& out);

/// `value` with so many digits behind the point, without a locale.
[[nodiscard]] std::string fixed(double value, int digits);

} // namespace tool
