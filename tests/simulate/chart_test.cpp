// SPDX-License-Identifier: MIT
#include "simulate/chart.hpp"
#include "simulate/chart_panel.hpp"
#include "simulate/chart_scale.hpp"
#include "simulate/storing.hpp"
#include "simulate/svg.hpp"
#include "support/catch.hpp"
#include "support/xml.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using namespace simulate;

namespace {

/// Three strategies of two families at two places; the second family's name needs escaping.
experiment small() {
    experiment e;
    e.name = "small";
    e.title = "Gap & number <of> nodes";
    e.summary = "A \"small\" one.";
    e.x_name = "nodes";
    e.x_title = "nodes";
    e.xs = {2, 10};
    e.strategies = {{"a", "one", "first"}, {"b", "one", "second"}, {"c", "a < b", "third"}};
    e.measures.push_back({"load_gap", "load gap", true});
    e.measures[0].values = {{{0.01, 0.01, 0.1}, {1.0, 0.5, 1.0}},
                            {{0.1, 0.1, 0.1}, {0.1, 0, 0.2}},
                            {{0.1, 0.02, 0.1}, {0.055, 0.05, 0.06}}};
    e.published = {{"both", 0.01, 0.1}};
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

bool is_near(double a, double b) {
    return std::fabs(a - b) < 1e-9;
}

} // namespace

TEST_CASE("chart: heights are logarithmic, and what is too small stands on the axis",
          "[simulate][chart]") {
    const height_scale heights(small(), 100.0, 400.0); // from 0.1 % to 100 %: 100 a decade
    CHECK(is_near(heights.y(1.0), 100.0));
    CHECK(is_near(heights.y(0.1), 200.0));
    CHECK(is_near(heights.y(0.001), 400.0));
    CHECK(is_near(heights.y(0.0), 400.0));
    CHECK(heights.is_cut());
    const std::vector<double> ticks = heights.ticks();
    REQUIRE(ticks.size() == 10);
    CHECK(is_near(ticks[0], 0.001));
    CHECK(is_near(ticks[1], 0.002));
    CHECK(is_near(ticks[2], 0.005));
    CHECK(is_near(ticks[9], 1.0));

    experiment e = small();
    e.measures[0].values = {{{0.02, 0.02, 0.02}}};
    e.published.clear();
    const height_scale one_decade(e, 100.0, 400.0);
    CHECK(is_near(one_decade.y(0.01), 400.0));
    CHECK(is_near(one_decade.y(0.1), 100.0));
    CHECK_FALSE(one_decade.is_cut());
    e.published = {{"both", 0.001, 0.5}};
    CHECK(is_near(height_scale(e, 100.0, 400.0).y(0.5), 100.0));
    CHECK(is_near(height_scale(e, 100.0, 400.0).y(0.001), 400.0));
}

TEST_CASE("chart: places stand evenly, and have names where these fit", "[simulate][chart]") {
    const width_scale widths(4, 2, 100.0, 180.0); // 20 each
    CHECK(is_near(widths.x(0), 110.0));
    CHECK(is_near(widths.x(3), 170.0));
    CHECK(is_near(widths.x(1, 0), 126.5)); // 7 apart
    CHECK(is_near(widths.x(1, 1), 133.5));
    using places = std::vector<std::size_t>;
    CHECK(widths.named({14, 14, 14, 14}) == places{0, 1, 2, 3}); // with 6 between them
    CHECK(widths.named({14, 14.2, 14, 14}) == places{0, 2, 3});
    CHECK(widths.named({14, 14, 14.2, 14}) == places{0, 1, 3});
    CHECK(widths.named({80, 80, 80, 80}) == places{3});
    CHECK(width_scale(1, 1, 0.0, 10.0).named({99}) == places{0});
}

TEST_CASE("chart: a panel for each family", "[simulate][chart]") {
    const std::vector<chart_panel> panels = panels_of(small(), 100.0, 516.0);
    REQUIRE(panels.size() == 2);
    CHECK(panels[0].first == 0);
    CHECK(panels[0].count == 2);
    CHECK(panels[1].first == 2);
    CHECK(panels[1].count == 1);
    CHECK(is_near(panels[0].left, 100.0)); // 200 each, 16 between them
    CHECK(is_near(panels[0].right, 300.0));
    CHECK(is_near(panels[1].left, 316.0));
    CHECK(is_near(panels[1].right, 516.0));
}

TEST_CASE("chart: medians and bars stand where the axes say", "[simulate][chart][golden]") {
    const experiment e = small();
    const std::string svg =
        draw_panel(e, {0, 2, 100.0, 300.0}, {50.0, 100.0, 400.0}, height_scale(e, 100.0, 400.0));
    CHECK(count(svg, "<path class=\"line c0\" d=\"M132.5 300L232.5 100\"/>") == 1);
    CHECK(count(svg, "<path class=\"line c1 d\" d=\"M167.5 200L267.5 200\"/>") == 1);
    CHECK(count(svg, "<path class=\"bar c0\" d=\"M132.5 300V200M232.5 130.1V100\"/>") == 1);
    CHECK(count(svg, "<path class=\"bar c1 d\" d=\"M167.5 200V200M267.5 400V169.9\"/>") == 1);
    CHECK(count(svg, "M132.5 300m-5 0a5 5") == 1); // the circle
    CHECK(count(svg, "M267.5 200m-4.5 -4.5h9") == 1);
    CHECK(count(svg, "<path class=\"paper\" d=\"M100 200L300 200\"/>") == 1);
    CHECK(count(svg, "<path class=\"paper\" d=\"M100 300L300 300\"/>") == 1);
    CHECK(count(svg, "<path class=\"grid\"") == 10);
    CHECK(count(svg, "<text x=\"250\" y=\"423\" text-anchor=\"middle\">10</text>") == 1);
    CHECK(count(svg, "<text x=\"200\" y=\"447\" text-anchor=\"middle\">nodes</text>") == 1);
    CHECK(count(svg, "<text class=\"family\" x=\"100\" y=\"50\">one</text>") == 1);
    CHECK(count(svg, "<text x=\"136\" y=\"100\">second</text>") == 1);
    CHECK(count(svg, "third") == 0);
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
    CHECK(count(svg, "class=\"family\"") == 2);
    CHECK(count(svg, ">third</text>") == 1);
}

TEST_CASE("chart: it says in words what it shows", "[simulate][chart]") {
    const std::string svg = draw_chart(small());
    CHECK(count(svg, "role=\"img\" aria-labelledby=\"title desc\"") == 1);
    CHECK(count(svg, "<title id=\"title\">Gap &amp; number &lt;of&gt; nodes</title>") == 1);
    CHECK(count(svg, "<desc id=\"desc\">A &quot;small&quot; one. The paper has 1-10 % (both). "
                     "one: first: 1 % at 2, 100 % at 10. one: second: 10 % at 2, 10 % at 10. "
                     "a &lt; b: third: 10 % at 2, 5.5 % at 10.</desc>") == 1);
    CHECK(count(svg, "class=\"family\" x=\"466\" y=\"98\">a &lt; b</text>") == 1);
    CHECK(count(svg, ">paper: 1-10 %</text>") == 1);
    CHECK(count(svg, ">both</text>") == 1);
    CHECK(count(svg, ">&lt; 0.1 %</text>") == 1);
    CHECK(count(svg, "\">100 %</text>") == 1);
    CHECK(count(svg, "200 %") == 0);
}

TEST_CASE("chart: nothing but zeros, and a single strategy, can be drawn",
          "[simulate][chart][edges]") {
    experiment e = small();
    e.strategies.resize(1);
    e.published.clear();
    e.measures[0].values = {{{0, 0, 0}, {0, 0, 0}}};
    const std::string svg = draw_chart(e);
    CHECK(support::xml_fault(svg) == "");
    CHECK(count(svg, "nan") == 0);
    CHECK(count(svg, "inf") == 0);
    CHECK(count(svg, "paper: ") == 0);
}

TEST_CASE("chart: every family has colours enough, and labels fit beside their marks",
          "[simulate][chart]") {
    for (int s = 0; s <= static_cast<int>(strategy::transfers); ++s) {
        const strategy_name name = name_of(static_cast<strategy>(s));
        CAPTURE(name.label);
        CHECK(name.label.size() <= 22);
    }
}

TEST_CASE("svg: numbers are short and texts are escaped", "[simulate][chart]") {
    CHECK(svg::number(12.04) == "12");
    CHECK(svg::number(-0.46) == "-0.5");
    CHECK(svg::escaped("a<b>&\"c\"") == "a&lt;b&gt;&amp;&quot;c&quot;");
    CHECK(svg::line("grid", 1, 2.5, 3, 4) == "<path class=\"grid\" d=\"M1 2.5L3 4\"/>\n");
    CHECK(svg::text("", 1, 2, "start", "<") == "<text x=\"1\" y=\"2\">&lt;</text>\n");
}

TEST_CASE("xml: what is not well-formed is found", "[simulate][support]") {
    CHECK(support::xml_fault("<a b=\"c\"><d/>x &amp; y</a>\n") == "");
    for (const char* bad : {"", "x", "<a>", "<a></b>", "<a/><a/>", "<a b=\"1\" b=\"2\"/>", "<a b/>",
                            "<a b=\"<\"/>", "<a>&</a>", "<a b=\"1/>", "<a></a>x", "</a>", "<a"}) {
        CAPTURE(bad);
        CHECK(support::xml_fault(bad) != "");
    }
}
