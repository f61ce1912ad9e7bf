// SPDX-License-Identifier: MIT
#include "simulate/svg.hpp"

#include "simulate/outcome.hpp"

#include <hashring/core/text.hpp>

namespace simulate::svg {

using hashring::concat;

namespace {

constexpr std::string_view style = R"(<style>
text{font:17px system-ui,sans-serif;fill:#1f2328}
.ground{fill:#fff}.grid{stroke:#d8dee4}.axis{stroke:#57606a}
.title{font-size:21px;font-weight:600}.family{font-weight:600}.note{fill:#57606a}
.line{fill:none;stroke-width:2.5}.bar{stroke-width:1.5;opacity:.55}.mark{fill:#fff;stroke-width:2.5}
.paper{stroke:#b3261e;stroke-width:2;stroke-dasharray:2 4}text.paper{fill:#b3261e;stroke:none}
.line.d{stroke-dasharray:7 4}
.c0{stroke:#0072b2}.c1{stroke:#c25100}.c2{stroke:#007a55}.c3{stroke:#8a3fb5}.c4{stroke:#57606a}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.ground,.mark{fill:#0d1117}.grid{stroke:#30363d}.axis{stroke:#8b949e}
.note{fill:#8b949e}.paper{stroke:#ff8a80}text.paper{fill:#ff8a80}
.c0{stroke:#56b4e9}.c1{stroke:#ff9c52}.c2{stroke:#3ddc97}.c3{stroke:#c297ff}.c4{stroke:#aeb6bf}
}
</style>
)";

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

std::string begin(double width, double height, std::string_view title,
                  std::string_view description) {
    return concat(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )", number(width), " ",
                  number(height), R"(" role="img" aria-labelledby="title desc">)",
                  "\n<title id=\"title\">", escaped(title), "</title>\n<desc id=\"desc\">",
                  escaped(description), "</desc>\n", style,
                  R"(<rect class="ground" width="100%" height="100%"/>)", "\n");
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
