// SPDX-License-Identifier: MIT
#include "simulate/chart.hpp"
#include "support/catch.hpp"
#include "support/xml.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using namespace simulate;

namespace {

/// Two strategies at two places; the second one's label needs escaping.
experiment small() {
    experiment e;
    e.name = "small";
    e.title = "Gap & number <of> nodes";
    e.summary = "A \"small\" one.";
    e.x_name = "nodes";
    e.x_title = "nodes";
    e.xs = {2, 10};
    e.strategies = {{"a", "first"}, {"b", "a < b"}};
    e.measures.push_back({"load_gap", "load gap", true});
    e.measures[0].values = {{{0.01, 0.01, 0.1}, {1.0, 0.5, 1.0}}, {{0.1, 0.1, 0.1}, {0.1, 0, 0.2}}};
    return e;
}

std::size_t count(std::string_view text, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string_view::npos;
         at = text.find(what, at + 1)) {
        ++found;
    }
    return found;
}

} // namespace

TEST_CASE("chart: medians and bars stand where the axes say", "[simulate][chart][golden]") {
    const std::string svg = draw_chart(small());
    // From 0.1 % (the axis, at 496) to 100 % (the top, at 64): 144 a decade. Two places of 302
    // each from 76 on; two strategies beside each other, 105.7 apart.
    CHECK(count(svg, "<path class=\"line s0\" d=\"M174.2 352.0L476.2 64.0\"/>") == 1);
    CHECK(count(svg, "<path class=\"line s1\" stroke-dasharray=\"6 4\" "
                     "d=\"M279.9 208.0L581.9 208.0\"/>") == 1);
    CHECK(count(svg, "<line class=\"bar s0\" x1=\"174.2\" y1=\"352.0\" x2=\"174.2\" "
                     "y2=\"208.0\"/>") == 1);
    CHECK(count(svg, "x1=\"581.9\" y1=\"496.0\" x2=\"581.9\" y2=\"164.7\"/>") == 1);
    CHECK(count(svg, "y=\"356.0\" text-anchor=\"end\">1 %</text>") == 1);
    CHECK(count(svg, "text-anchor=\"end\">0.1 %</text>") == 1);
    CHECK(count(svg, "text-anchor=\"end\">100 %</text>") == 1);
    CHECK(count(svg, "text-anchor=\"end\">200 %</text>") == 0);
}

TEST_CASE("chart: it is well-formed and stands by itself", "[simulate][chart]") {
    const std::string svg = draw_chart(small());
    support::xml_check check(svg);
    CHECK(check.fault() == "");
    CHECK(check.elements().front() == "svg");
    CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    CHECK(count(svg, "http") == 1); // nothing is fetched
    CHECK(count(svg, "href") == 0);
    CHECK(count(svg, "url(") == 0);
    CHECK(count(svg, "@media (prefers-color-scheme:dark)") == 1);
}

TEST_CASE("chart: it says in words what it shows", "[simulate][chart]") {
    const std::string svg = draw_chart(small());
    CHECK(count(svg, "role=\"img\" aria-labelledby=\"title desc\"") == 1);
    CHECK(count(svg, "<title id=\"title\">Gap &amp; number &lt;of&gt; nodes</title>") == 1);
    CHECK(count(svg, "<desc id=\"desc\">A &quot;small&quot; one. first: 1.0 % at 2, 100.0 % at 10. "
                     "a &lt; b: 10.0 % at 2, 10.0 % at 10.</desc>") == 1);
    CHECK(count(svg, "text-anchor=\"start\">a &lt; b</text>") == 1); // the legend
    CHECK(count(svg, "text-anchor=\"middle\">nodes</text>") == 1);
    CHECK(count(svg, "<title>a &lt; b, 10 nodes: 10.0 % (0.0 to 20.0 %)</title>") == 1);
}

TEST_CASE("chart: nothing but zeros, and a single strategy, can be drawn",
          "[simulate][chart][edges]") {
    experiment e = small();
    e.strategies.resize(1);
    e.measures[0].values = {{{0, 0, 0}, {0, 0, 0}}};
    const std::string svg = draw_chart(e);
    CHECK(support::xml_fault(svg) == "");
    CHECK(count(svg, "nan") == 0);
    CHECK(count(svg, "inf") == 0);
    CHECK(count(svg, "d=\"M227.0 496.0L529.0 496.0\"") == 1);
}

TEST_CASE("chart: tenths are rounded to the nearest", "[simulate][chart]") {
    CHECK(tenths_text(0.0) == "0.0");
    CHECK(tenths_text(12.34) == "12.3");
    CHECK(tenths_text(0.96) == "1.0");
    CHECK(tenths_text(-2.56) == "-2.6");
}

TEST_CASE("xml: what is not well-formed is found", "[simulate][support]") {
    CHECK(support::xml_fault("<a b=\"c\"><d/>x &amp; y</a>\n") == "");
    for (const char* bad : {"", "x", "<a>", "<a></b>", "<a/><a/>", "<a b=\"1\" b=\"2\"/>", "<a b/>",
                            "<a b=\"<\"/>", "<a>&</a>", "<a b=\"1/>", "<a></a>x", "</a>", "<a"}) {
        CAPTURE(bad);
        CHECK(support::xml_fault(bad) != "");
    }
}
