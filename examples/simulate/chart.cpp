// SPDX-License-Identifier: MIT
#include "simulate/chart.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace simulate {

namespace {

using hashring::concat;
using hashring::decimal;

// The drawing is 960 wide and 560 high.
constexpr double left = 76;
constexpr double right = 680;
constexpr double top = 64;
constexpr double bottom = 496;

/// What is below is drawn on the axis: no reader cares whether 0.01 or 0.001 % is lost.
constexpr double least_percent = 0.1;

constexpr std::size_t colors = 13;
constexpr std::string_view style = R"(<style>
text{font:13px system-ui,sans-serif;fill:#1f2328}
.ground{fill:#ffffff}.grid{stroke:#d0d7de}.axis{stroke:#57606a}
.title{font-size:17px;font-weight:600}.line{fill:none;stroke-width:2}.bar{stroke-width:1;opacity:.6}
.s0{stroke:#d55e00}.s1{stroke:#a65300}.s2{stroke:#b8860b}.s3{stroke:#0072b2}.s4{stroke:#cc3377}
.s5{stroke:#7b3fb5}.s6{stroke:#57606a}.s7{stroke:#00805a}.s8{stroke:#008b8b}.s9{stroke:#1f2328}
.s10{stroke:#2e5c1a}.s11{stroke:#9c1c1c}.s12{stroke:#3b49df}
.mark{fill:#ffffff;stroke-width:2}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.ground,.mark{fill:#0d1117}.grid{stroke:#30363d}.axis{stroke:#8b949e}
.s0{stroke:#ff8c42}.s1{stroke:#d9a066}.s2{stroke:#f0d060}.s3{stroke:#56b4e9}.s4{stroke:#ff7eb6}
.s5{stroke:#c297ff}.s6{stroke:#aeb6bf}.s7{stroke:#3ddc97}.s8{stroke:#39d0d0}.s9{stroke:#e6edf3}
.s10{stroke:#a5d68a}.s11{stroke:#ff9c9c}.s12{stroke:#9aa5ff}
}
</style>
)";

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

/// Where values and places stand.
class axes {
public:
    explicit axes(const experiment& e) : count_(e.xs.size()), strategies_(e.strategies.size()) {
        double least = 100.0;
        double most = least_percent;
        for (const auto& of_strategy : e.measures[0].values) {
            for (const spread& s : of_strategy) {
                least = std::min(least, s.p5 * 100.0);
                most = std::max(most, s.p95 * 100.0);
            }
        }
        low_ = std::pow(10.0, std::floor(std::log10(std::max(least, least_percent))));
        high_ = std::max(most, low_ * 10.0);
    }

    [[nodiscard]] double y(double percent) const {
        const double part = std::log(std::max(percent, low_) / low_) / std::log(high_ / low_);
        return bottom - part * (bottom - top);
    }
    [[nodiscard]] double x(std::size_t place) const {
        return left + step() * (static_cast<double>(place) + 0.5);
    }
    /// The places of several strategies beside each other, so that their bars can be told apart.
    [[nodiscard]] double x(std::size_t place, std::size_t strategy) const {
        const double middle = static_cast<double>(strategies_ - 1) / 2.0;
        const double room = step() * 0.7 / static_cast<double>(strategies_);
        return x(place) + room * (static_cast<double>(strategy) - middle);
    }
    [[nodiscard]] double low() const { return low_; }
    [[nodiscard]] double high() const { return high_; }

private:
    [[nodiscard]] double step() const { return (right - left) / static_cast<double>(count_); }

    std::size_t count_;
    std::size_t strategies_;
    double low_ = 0.0;
    double high_ = 0.0;
};

std::string line(std::string_view classes, double x1, double y1, double x2, double y2) {
    return concat("<line class=\"", classes, "\" x1=\"", tenths_text(x1), "\" y1=\"",
                  tenths_text(y1), "\" x2=\"", tenths_text(x2), "\" y2=\"", tenths_text(y2),
                  "\"/>\n");
}

std::string label(double x, double y, std::string_view anchor, std::string_view words) {
    return concat("<text x=\"", tenths_text(x), "\" y=\"", tenths_text(y), "\" text-anchor=\"",
                  anchor, "\">", escaped(words), "</text>\n");
}

std::string percent_text(double percent) {
    std::string text = tenths_text(percent);
    if (text.ends_with(".0")) {
        text.resize(text.size() - 2);
    }
    return text + " %";
}

std::string draw_axes(const experiment& e, const axes& at) {
    std::string out;
    for (double decade = at.low(); decade <= at.high(); decade *= 10.0) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double percent = decade * factor;
            if (percent <= at.high()) {
                out += line("grid", left, at.y(percent), right, at.y(percent));
                out += label(left - 8, at.y(percent) + 4, "end", percent_text(percent));
            }
        }
    }
    out += line("axis", left, bottom, right, bottom);
    out += line("axis", left, top, left, bottom);
    for (std::size_t i = 0; i < e.xs.size(); ++i) {
        out += label(at.x(i), bottom + 20, "middle", decimal(e.xs[i]));
    }
    out += label((left + right) / 2, bottom + 46, "middle", e.x_title);
    return out + label(left - 60, top - 14, "start", e.measures[0].title + ", logarithmic");
}

/// Shapes go round faster than colours, so that two near lines differ in both.
std::string mark(std::size_t strategy, double x, double y) {
    const std::string classes = concat("mark s", decimal(strategy % colors));
    const auto path = [&](std::string_view d) {
        return concat("<path class=\"", classes, "\" d=\"M", tenths_text(x), " ", tenths_text(y), d,
                      "\"/>\n");
    };
    constexpr std::array<std::string_view, 4> shapes = {"m-4 -4h8v8h-8z", "m0 -5l5 9h-10z",
                                                        "m0 -5l5 5l-5 5l-5 -5z", "m0 5l5 -9h-10z"};
    if (strategy % 5 == 0) {
        return concat("<circle class=\"", classes, "\" cx=\"", tenths_text(x), "\" cy=\"",
                      tenths_text(y), "\" r=\"4\"/>\n");
    }
    return path(shapes[strategy % 5 - 1]);
}

std::string draw_strategy(const experiment& e, const axes& at, std::size_t s) {
    const std::string color = concat("s", decimal(s % colors));
    const std::vector<spread>& values = e.measures[0].values[s];
    std::string points;
    std::string marks;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double x = at.x(i, s);
        const double y = at.y(values[i].median * 100.0);
        points += concat(i == 0 ? "M" : "L", tenths_text(x), " ", tenths_text(y));
        marks += concat("<g><title>", escaped(e.strategies[s].label), ", ", decimal(e.xs[i]), " ",
                        escaped(e.x_title), ": ", tenths_text(values[i].median * 100.0), " % (",
                        tenths_text(values[i].p5 * 100.0), " to ",
                        tenths_text(values[i].p95 * 100.0), " %)</title>\n");
        marks += line(concat("bar ", color), x, at.y(values[i].p5 * 100.0), x,
                      at.y(values[i].p95 * 100.0));
        marks += concat(mark(s, x, y), "</g>\n");
    }
    const char* dash = s % 2 == 1 ? " stroke-dasharray=\"6 4\"" : "";
    return concat("<path class=\"line ", color, "\"", dash, " d=\"", points, "\"/>\n", marks);
}

std::string draw_legend(const experiment& e) {
    std::string out;
    for (std::size_t s = 0; s < e.strategies.size(); ++s) {
        const double y = top + 8 + 26 * static_cast<double>(s);
        out += line(concat("line s", decimal(s % colors)), right + 18, y, right + 46, y);
        out += mark(s, right + 32, y);
        out += label(right + 54, y + 4, "start", e.strategies[s].label);
    }
    const double below = top + 20 + 26 * static_cast<double>(e.strategies.size());
    out += label(right + 18, below, "start", "lines: medians of the trials");
    return out + label(right + 18, below + 18, "start", "bars: 5th to 95th percentile");
}

/// The medians in words, for those who do not see the lines.
std::string description(const experiment& e) {
    std::string out = e.summary;
    for (std::size_t s = 0; s < e.strategies.size(); ++s) {
        out += concat(" ", e.strategies[s].label, ":");
        for (std::size_t i = 0; i < e.xs.size(); ++i) {
            out +=
                concat(i == 0 ? " " : ", ", tenths_text(e.measures[0].values[s][i].median * 100.0),
                       " % at ", decimal(e.xs[i]));
        }
        out += ".";
    }
    return out;
}

} // namespace

std::string tenths_text(double value) {
    const std::int64_t tenths = std::llround(value * 10.0);
    const auto magnitude = static_cast<std::uint64_t>(tenths < 0 ? -tenths : tenths);
    return concat(tenths < 0 ? "-" : "", decimal(magnitude / 10), ".", decimal(magnitude % 10));
}

std::string draw_chart(const experiment& shown) {
    const axes at(shown);
    std::string out =
        concat("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 560\" role=\"img\" "
               "aria-labelledby=\"title desc\">\n",
               "<title id=\"title\">", escaped(shown.title), "</title>\n<desc id=\"desc\">",
               escaped(description(shown)), "</desc>\n", style);
    out += concat("<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
    out += concat("<text class=\"title\" x=\"16\" y=\"28\">", escaped(shown.title), "</text>\n");
    out += draw_axes(shown, at);
    for (std::size_t s = 0; s < shown.strategies.size(); ++s) {
        out += draw_strategy(shown, at, s);
    }
    return out + draw_legend(shown) + "</svg>\n";
}

} // namespace simulate
