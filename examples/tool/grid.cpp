// SPDX-License-Identifier: MIT
#include "grid.hpp"

#include "failure.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace tool {

namespace {

/// The number of characters of UTF-8 text, which is what a terminal lines up.
std::size_t columns(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    }));
}

bool is_number(std::string_view text) {
    return text == "-" ||
           (!text.empty() && text.find_first_not_of("0123456789.-%") == std::string_view::npos);
}

std::vector<std::size_t> widths_of(const grid& g) {
    std::vector<std::size_t> widths;
    widths.reserve(g.headings.size());
    for (const std::string& heading : g.headings) {
        widths.push_back(columns(heading));
    }
    for (const auto& row : g.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], columns(row[i]));
        }
    }
    return widths;
}

/// A column is set to the right if all that is in it are numbers.
std::vector<bool> numeric_columns(const grid& g) {
    std::vector<bool> numeric(g.headings.size(), !g.rows.empty());
    for (const auto& row : g.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            numeric[i] = numeric[i] && is_number(row[i]);
        }
    }
    return numeric;
}

void print_row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
               const std::vector<bool>& numeric, output& out) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string padding(widths[i] - columns(cells[i]), ' ');
        line += i > 0 ? "  " : "";
        line += numeric[i] ? padding + cells[i] : cells[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
}

} // namespace

format parse_format(std::string_view name) {
    if (name == "table") {
        return format::table;
    }
    if (name == "tsv") {
        return format::tsv;
    }
    if (name == "json") {
        return format::json;
    }
    throw usage_failure(concat("--format ", in_quotes(name), " is none of table, tsv, json"));
}

void print_table(const grid& g, output& out) {
    const std::vector<std::size_t> widths = widths_of(g);
    const std::vector<bool> numeric = numeric_columns(g);
    print_row(g.headings, widths, numeric, out);
    for (const auto& row : g.rows) {
        print_row(row, widths, numeric, out);
    }
    std::size_t longest = 0;
    for (const auto& note : g.notes) {
        longest = std::max(longest, columns(note.first));
    }
    out << (g.notes.empty() ? "" : "\n");
    for (const auto& [name, value] : g.notes) {
        out << name << std::string(longest - columns(name) + 2, ' ') << value << '\n';
    }
}

void print_tsv(const grid& g, output& out) {
    const auto print = [&](const std::vector<std::string>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            out << (i > 0 ? "\t" : "") << cells[i];
        }
        out << '\n';
    };
    print(g.headings);
    for (const auto& row : g.rows) {
        print(row);
    }
    for (const auto& [name, value] : g.notes) {
        out << "# " << name << '\t' << value << '\n';
    }
}

std::string fixed(double value, int digits) {
    std::array<char, 64> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                   std::chars_format::fixed, digits)
                         .ptr;
    return {text.data(), static_cast<std::size_t>(end - text.data())};
}

} // namespace tool
