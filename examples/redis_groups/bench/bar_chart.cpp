// SPDX-License-Identifier: MIT

#include "bar_chart.hpp"

#include "../../simulate/svg.hpp"
#include "../../tool/grid.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace redis_groups::bench {

namespace {

using hashring::concat;
using hashring::decimal;
namespace svg = simulate::svg;

constexpr double width = 960;
constexpr double left = 100;
constexpr double right = width - 16;
constexpr double top = 130;
constexpr double bottom = 460;
constexpr double gap = 0.3; // of a place's width, between places

/// A round number that is at least `value`: 1, 2, 2.5, 4, 5 or 10 of a power of ten.
double round_above(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 2.5, 4.0, 5.0}) {
        if (step * power >= value) {
            return step * power;
        }
    }
    return 10.0 * power;
}

double highest(const bar_chart& shown) {
    double most = 0.0;
    for (const bar_series& series : shown.series) {
        for (const bar& each : series.bars) {
            most = std::max({most, each.value, each.most});
        }
    }
    return most > 0.0 ? round_above(most) : 1.0;
}

std::string color(std::size_t series) {
    return concat("c", decimal(series % 5));
}

class drawing {
public:
    explicit drawing(const bar_chart& shown) : shown_(shown), high_(highest(shown)) {}

    [[nodiscard]] std::string draw() const {
        std::string out = svg::begin(width, bottom + 60, shown_.title, description());
        out += svg::text("title", 16, 32, "start", shown_.title);
        out += svg::text("note", 16, 58, "start", shown_.note);
        out += draw_heights() + draw_legend();
        for (std::size_t place = 0; place < shown_.places.size(); ++place) {
            out += draw_place(place);
        }
        return out + "</svg>\n";
    }

private:
    [[nodiscard]] double y(double value) const { return bottom - (bottom - top) * value / high_; }
    [[nodiscard]] double place_width() const {
        return (right - left) / static_cast<double>(shown_.places.size());
    }
    [[nodiscard]] std::string number(double value) const {
        return tool::fixed(value, shown_.digits);
    }

    [[nodiscard]] std::string draw_heights() const {
        std::string out;
        for (int i = 0; i <= 4; ++i) {
            const double value = high_ * i / 4;
            out += svg::line(i == 0 ? "axis" : "grid", left, y(value), right, y(value));
            out += svg::text("", left - 8, y(value) + 6, "end", number(value));
        }
        return out;
    }

    [[nodiscard]] std::string draw_legend() const {
        std::string out;
        double x = left;
        for (std::size_t s = 0; s < shown_.series.size(); ++s) {
            out += thick_line(s, x, 92, x + 24, 92, 12);
            out += svg::text("", x + 32, 98, "start", shown_.series[s].name);
            x += 60 + 10.0 * static_cast<double>(shown_.series[s].name.size());
        }
        return out;
    }

    [[nodiscard]] std::string draw_place(std::size_t place) const {
        const double begin = left + place_width() * (static_cast<double>(place) + gap / 2);
        const double bar_width =
            place_width() * (1 - gap) / static_cast<double>(shown_.series.size());
        std::string out = svg::text("", begin + place_width() * (1 - gap) / 2, bottom + 28,
                                    "middle", shown_.places[place]);
        for (std::size_t s = 0; s < shown_.series.size(); ++s) {
            const bar& each = shown_.series[s].bars[place];
            if (each.value < 0) {
                continue;
            }
            const double x = begin + bar_width * (static_cast<double>(s) + 0.5);
            out += thick_line(s, x, bottom, x, y(each.value), 0.8 * bar_width);
            out += svg::text("", x, y(std::max(each.value, each.most)) - 7, "middle",
                             number(each.value));
            if (each.most > each.least) {
                out += svg::line("axis", x, y(each.least), x, y(each.most));
            }
        }
        return out;
    }

    [[nodiscard]] static std::string thick_line(std::size_t series, double x1, double y1, double x2,
                                                double y2, double thickness) {
        return concat("<path class=\"", color(series),
                      "\" style=\"stroke-width:", svg::number(thickness), "\" d=\"",
                      svg::move_to(x1, y1), svg::line_to(x2, y2), "\"/>\n");
    }

    [[nodiscard]] std::string description() const {
        std::string out = shown_.summary;
        for (const bar_series& series : shown_.series) {
            out += concat(" ", series.name, ":");
            for (std::size_t i = 0; i < shown_.places.size(); ++i) {
                if (series.bars[i].value >= 0) {
                    out += concat(" ", shown_.places[i], " ", number(series.bars[i].value), ";");
                }
            }
        }
        return out;
    }

    const bar_chart& shown_;
    double high_;
};

} // namespace

std::string draw(const bar_chart& shown) {
    return drawing(shown).draw();
}

} // namespace redis_groups::bench
