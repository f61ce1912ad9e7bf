// SPDX-License-Identifier: MIT
#include "simulate/chart.hpp"

#include "simulate/chart_panel.hpp"
#include "simulate/chart_scale.hpp"
#include "simulate/svg.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace simulate {

namespace {

using hashring::concat;
using hashring::decimal;

constexpr double width = 960;
constexpr double lines_height = 340;

std::string draw_heights(const height_scale& heights, double left) {
    std::string out;
    for (const double tick : heights.ticks()) {
        const bool is_least = out.empty() && heights.is_cut();
        out += svg::text("", left - 8, heights.y(tick) + 6, "end",
                         concat(is_least ? "< " : "", percent_text(tick)));
    }
    return out;
}

std::string draw_published(const experiment& e, const height_scale& heights, double left) {
    std::string out;
    for (const published_figure& f : e.published) {
        const double y = (heights.y(f.least) + heights.y(f.most)) / 2;
        out += svg::text("paper", left, y, "start", concat("paper: ", f.percent_text()));
        out += svg::text("paper", left, y + 19, "start", f.of);
    }
    return out;
}

/// Medians and published figures in words, for those who do not see the lines.
std::string description(const experiment& e) {
    std::string out = e.summary;
    for (const published_figure& f : e.published) {
        out += concat(" The paper has ", f.percent_text(), " (", f.of, ").");
    }
    for (std::size_t s = 0; s < e.strategies.size(); ++s) {
        out += concat(" ", e.strategies[s].full_label(), ":");
        for (std::size_t i = 0; i < e.xs.size(); ++i) {
            out += concat(i == 0 ? " " : ", ", percent_text(e.measures[0].values[s][i].median),
                          " at ", decimal(e.xs[i]));
        }
        out += ".";
    }
    return out;
}

} // namespace

std::string draw_chart(const experiment& shown) {
    const double left = 82;
    const double right = width - (shown.published.empty() ? 14 : 126);
    const std::vector<chart_panel> panels = panels_of(shown, left, right);
    std::size_t most = 0;
    for (const chart_panel& panel : panels) {
        most = std::max(most, panel.count);
    }
    chart_rows rows;
    rows.legend = 98;
    rows.top = rows.legend + legend_row * static_cast<double>(most) + 20;
    rows.bottom = rows.top + lines_height;
    const height_scale heights(shown, rows.top, rows.bottom);
    std::string out = svg::begin(width, rows.bottom + 60, shown.title, description(shown));
    out += svg::text("title", 16, 32, "start", shown.title);
    out += svg::text("note", 16, 58, "start",
                     concat(shown.measures[0].title,
                            ", logarithmic; lines: medians of the trials, bars: 5th to 95th "
                            "percentile"));
    out += draw_heights(heights, left);
    for (const chart_panel& panel : panels) {
        out += draw_panel(shown, panel, rows, heights);
    }
    return out + draw_published(shown, heights, right + 8) + "</svg>\n";
}

} // namespace simulate
