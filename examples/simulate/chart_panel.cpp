// SPDX-License-Identifier: MIT
#include "simulate/chart_panel.hpp"

#include "simulate/svg.hpp"

#include <hashring/core/text.hpp>

#include <array>
#include <string_view>

namespace simulate {

namespace {

using hashring::concat;
using hashring::decimal;

constexpr double between_panels = 16.0;
constexpr double digit_width = 10.8;

/// Relative to their middle: circle, square, triangle, diamond, triangle upside down.
constexpr std::array<std::string_view, panel_colors> shapes = {
    "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", "m-4.5 -4.5h9v9h-9z", "m0 -6l6 10h-12z",
    "m0 -6l6 6l-6 6l-6 -6z", "m0 6l6 -10h-12z"};

std::string color(std::string_view kind, std::size_t strategy) {
    return concat(kind, " c", decimal(strategy % panel_colors), strategy % 2 == 1 ? " d" : "");
}

std::string shape(std::size_t strategy, double x, double y) {
    return concat(svg::move_to(x, y), shapes[strategy % panel_colors]);
}

/// The names of places, and which of them there is room for.
struct place_names {
    std::vector<std::string> texts{};
    std::vector<std::size_t> shown{};
};

place_names names_of(const experiment& e, const width_scale& widths) {
    place_names names;
    std::vector<double> sizes;
    for (const std::uint64_t x : e.xs) {
        names.texts.push_back(decimal(x));
        sizes.push_back(static_cast<double>(names.texts.back().size()) * digit_width);
    }
    names.shown = widths.named(sizes);
    return names;
}

std::string draw_strategy(const std::vector<spread>& values, std::size_t strategy,
                          const std::vector<std::size_t>& marked, const width_scale& widths,
                          const height_scale& heights) {
    std::string medians;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double x = widths.x(i, strategy);
        const double y = heights.y(values[i].median);
        medians += i == 0 ? svg::move_to(x, y) : svg::line_to(x, y);
    }
    std::string bars;
    std::string marks;
    for (const std::size_t i : marked) {
        const double x = widths.x(i, strategy);
        bars += svg::move_to(x, heights.y(values[i].p5)) +
                concat("V", svg::number(heights.y(values[i].p95)));
        marks += shape(strategy, x, heights.y(values[i].median));
    }
    return svg::path(color("bar", strategy), bars) + svg::path(color("line", strategy), medians) +
           svg::path(color("mark", strategy), marks);
}

std::string draw_legend(const experiment& e, const chart_panel& panel, double y) {
    std::string out = svg::text("family", panel.left, y, "start", e.strategies[panel.first].family);
    for (std::size_t s = 0; s < panel.count; ++s) {
        y += legend_row;
        out += svg::line(color("line", s), panel.left, y - 6, panel.left + 28, y - 6);
        out += svg::path(color("mark", s), shape(s, panel.left + 14, y - 6));
        out += svg::text("", panel.left + 36, y, "start", e.strategies[panel.first + s].label);
    }
    return out;
}

} // namespace

std::vector<chart_panel> panels_of(const experiment& e, double left, double right) {
    std::vector<chart_panel> panels;
    for (std::size_t s = 0; s < e.strategies.size(); ++s) {
        if (s == 0 || e.strategies[s].family != e.strategies[s - 1].family) {
            panels.push_back({s, 0});
        }
        ++panels.back().count;
    }
    const double step = (right - left + between_panels) / static_cast<double>(panels.size());
    for (std::size_t i = 0; i < panels.size(); ++i) {
        panels[i].left = left + step * static_cast<double>(i);
        panels[i].right = panels[i].left + step - between_panels;
    }
    return panels;
}

std::string draw_panel(const experiment& e, const chart_panel& panel, const chart_rows& rows,
                       const height_scale& heights) {
    const width_scale widths(e.xs.size(), panel.count, panel.left, panel.right);
    const place_names names = names_of(e, widths);
    std::string out = draw_legend(e, panel, rows.legend);
    for (const double tick : heights.ticks()) {
        out += svg::line("grid", panel.left, heights.y(tick), panel.right, heights.y(tick));
    }
    for (const published_figure& f : e.published) {
        out += svg::line("paper", panel.left, heights.y(f.least), panel.right, heights.y(f.least));
        if (f.least < f.most) {
            out +=
                svg::line("paper", panel.left, heights.y(f.most), panel.right, heights.y(f.most));
        }
    }
    out += svg::line("axis", panel.left, rows.bottom, panel.right, rows.bottom);
    for (const std::size_t i : names.shown) {
        out += svg::text("", widths.x(i), rows.bottom + 23, "middle", names.texts[i]);
    }
    out += svg::text("", (panel.left + panel.right) / 2, rows.bottom + 47, "middle", e.x_title);
    for (std::size_t s = 0; s < panel.count; ++s) {
        out +=
            draw_strategy(e.measures[0].values[panel.first + s], s, names.shown, widths, heights);
    }
    return out;
}

} // namespace simulate
