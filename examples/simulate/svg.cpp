// SPDX-License-Identifier: MIT
#include "simulate/svg.hpp"

#include "simulate/outcome.hpp"

#include <hashring/core/text.hpp>

namespace simulate::svg {

using hashring::concat;

namespace {

std::string attribute(std::string_view name, std::string_view value) {
    return value.empty() ? std::string() : concat(" ", name, "=\"", value, "\"");
}

} // namespace

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

std::string number(double value) {
    return short_text(value);
}

std::string move_to(double x, double y) {
    return concat("M", number(x), " ", number(y));
}

std::string line_to(double x, double y) {
    return concat("L", number(x), " ", number(y));
}

std::string path(std::string_view classes, std::string_view d) {
    return concat("<path", attribute("class", classes), attribute("d", d), "/>\n");
}

std::string line(std::string_view classes, double x1, double y1, double x2, double y2) {
    return path(classes, concat(move_to(x1, y1), line_to(x2, y2)));
}

std::string text(std::string_view classes, double x, double y, std::string_view anchor,
                 std::string_view words) {
    return concat("<text", attribute("class", classes), attribute("x", number(x)),
                  attribute("y", number(y)),
                  anchor == "start" ? "" : attribute("text-anchor", anchor), ">", escaped(words),
                  "</text>\n");
}

} // namespace simulate::svg
