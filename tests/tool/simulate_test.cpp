// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"
#include "support/xml.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using nlohmann::json;
using support::arguments;
using support::check_refused;
using support::files_in;
using support::outcome;
using support::run_tool;
using support::scratch;
using support::with;

namespace {

/// A quick call of an experiment.
arguments quick(const std::string& experiment, const arguments& more = {}) {
    return with({"simulate", experiment, "--seeds", "2", "--records", "200"}, more);
}

std::string succeeded(const arguments& call) {
    const outcome o = run_tool(call);
    CAPTURE(call);
    CHECK(o.err == ""); // no progress bar where there is no terminal
    REQUIRE(o.code == 0);
    return o.out;
}

} // namespace

TEST_CASE("simulate: JSON says what was asked for and measured", "[tool][simulate]") {
    const json e =
        json::parse(succeeded(quick("homogeneous", {"--format", "json", "--seed", "9"})));
    CHECK(e["experiment"] == "homogeneous");
    CHECK(e["seed"] == "9");
    CHECK(e["seeds"] == 2);
    CHECK(e["strategies"].size() == 10);
    CHECK(e["strategies"][3]["name"] == "plain-vnodes");
    CHECK(e["strategies"][3]["label"] == "postal paper: plain virtual nodes");
    CHECK(e["published"] == json::parse(R"([{"of": "both", "least": 0.05, "most": 0.08}])"));
    CHECK(e["strategies"][3]["points"][4]["nodes"] == 10);
    std::size_t wrong = 0;
    for (const json& strategy : e["strategies"]) {
        for (const json& point : strategy["points"]) {
            const json& gap = point["load_gap"];
            wrong += gap["p5"] <= gap["median"] && gap["median"] <= gap["p95"] ? 0U : 1U;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("simulate: TSV has a line a median, with the numbers of the JSON", "[tool][simulate]") {
    const auto lines = support::lines(succeeded(quick("homogeneous", {"--format", "tsv"})));
    const json e = json::parse(succeeded(quick("homogeneous", {"--format", "json"})));
    REQUIRE(lines.size() == 1 + 10 * 6);
    CHECK(lines[0] == "strategy\tnodes\tmeasure\tmedian\tp5\tp95");
    const double median = e["strategies"][1]["points"][0]["load_gap"]["median"];
    CHECK(lines[7].starts_with("hdfs-default-1\t2\tload_gap\t" + std::to_string(median) + "\t"));
}

TEST_CASE("simulate: a table has a line a strategy", "[tool][simulate]") {
    const auto lines = support::lines(succeeded(quick("homogeneous")));
    REQUIRE(lines.size() == 3 + 10 + 4);
    CHECK(lines[0] == "Equal nodes: load gap by number of nodes");
    CHECK(lines[2].starts_with("load gap, % "));
    CHECK(lines[2].ends_with(" 25 nodes"));
    CHECK(lines[3].starts_with("HDFS: default, 3 replicas "));
    CHECK(lines[15] == "seeds  1, 2 trials");
    CHECK(lines[16] == "paper  both 5-8 %");
}

TEST_CASE("simulate: the same seed gives the same bytes, drawing included", "[tool][simulate]") {
    const scratch folder;
    const std::string a = folder.path("a.svg");
    const std::string b = folder.write("b.svg", "what was there before");
    CHECK(succeeded(quick("homogeneous", {"--svg", a})) ==
          succeeded(quick("homogeneous", {"--svg", b})));
    CHECK(support::slurp(a) == support::slurp(b));
    CHECK(support::xml_fault(support::slurp(a)) == "");
    CHECK(succeeded(quick("homogeneous")) != succeeded(quick("homogeneous", {"--seed", "2"})));
    CHECK(files_in(folder.path(".")) == 2); // nothing is left beside
}

TEST_CASE("simulate: every experiment has its strategies and measures", "[tool][simulate]") {
    const scratch folder;
    struct shape {
        arguments call;
        std::size_t strategies;
        std::size_t places;
        std::vector<std::string> measures;
    };
    const shape shapes[] = {
        {{"heterogeneous", "--records", "200"}, 11, 5, {"load_gap"}},
        {{"dynamic", "--periods", "3"}, 10, 4, {"load_gap", "moved", "operations_gap"}},
        {{"dynamic", "--mixed", "--periods", "9"}, 10, 7, {"load_gap", "moved", "operations_gap"}},
        {{"cascade"}, 14, 4, {"most_hit", "receivers", "lost"}},
    };
    for (const shape& s : shapes) {
        const arguments call = with(with({"simulate"}, s.call), {"--seeds", "1", "--format", "json",
                                                                 "--svg", folder.path("svg")});
        CAPTURE(call);
        const std::string out = succeeded(call);
        const json e = json::parse(out);
        CHECK(e["experiment"] == s.call[0]);
        CHECK(e["strategies"].size() == s.strategies);
        CHECK(e["strategies"][0]["points"].size() == s.places);
        for (const std::string& measure : s.measures) {
            CHECK(e["strategies"].back()["points"].back()[measure]["median"].is_number());
        }
        CHECK(support::xml_fault(support::slurp(folder.path("svg"))) == "");
        CHECK(succeeded(call) == out);
    }
}

TEST_CASE("simulate: a table of many places shows some, the first and the last among them",
          "[tool][simulate]") {
    const auto lines =
        support::lines(succeeded({"simulate", "dynamic", "--seeds", "1", "--periods", "30"}));
    REQUIRE(lines.size() == 2 + 3 * (1 + 10 + 1) + 3);
    const std::string& headings = lines[2];
    CHECK(headings.find("0 periods ") != std::string::npos);
    CHECK(headings.ends_with(" 30 periods"));
    std::size_t columns = 0;
    for (std::size_t at = headings.find("periods"); at != std::string::npos;
         at = headings.find("periods", at + 1)) {
        ++columns;
    }
    CHECK(columns == 8);
    CHECK(lines[14].starts_with("data moved so far, % "));
}

TEST_CASE("simulate: settings change what they are for", "[tool][simulate]") {
    const json few =
        json::parse(succeeded(quick("homogeneous", {"--format", "json", "--vnodes", "1"})));
    const json many =
        json::parse(succeeded(quick("homogeneous", {"--format", "json", "--k", "7"})));
    const json preset = json::parse(succeeded(quick("homogeneous", {"--format", "json"})));
    const auto points = [](const json& e, std::size_t strategy) {
        return e["strategies"][strategy]["points"];
    };
    CHECK(points(few, 0) == points(preset, 0));
    CHECK(points(few, 3) != points(preset, 3));
    CHECK(points(many, 3) == points(preset, 3));
    CHECK(points(many, 5) != points(preset, 5));
}

TEST_CASE("simulate: what is wrong is refused before anything is run", "[tool][simulate][errors]") {
    check_refused({"simulate"}, "simulate needs EXPERIMENT");
    check_refused(
        {"simulate", "figure6"},
        "unknown experiment 'figure6': there are homogeneous, heterogeneous, dynamic, cascade");
    check_refused({"simulate", "homogeneous", "extra"}, "extra");
    check_refused({"simulate", "homogeneous", "--format", "xml"}, "--format 'xml'");
    check_refused({"simulate", "homogeneous", "--seed", "-1"}, "--seed '-1'");
    check_refused({"simulate", "homogeneous", "--seed", "18446744073709551616"}, "--seed '184");
    check_refused({"simulate", "homogeneous", "--seeds", "0"}, "--seeds '0'");
    check_refused({"simulate", "homogeneous", "--seeds", "10001"}, "from 1 to 10000");
    check_refused({"simulate", "homogeneous", "--records", "99"}, "from 100 to 10000000");
    check_refused({"simulate", "homogeneous", "--records", "1e5"}, "--records '1e5'");
    check_refused({"simulate", "homogeneous", "--vnodes", "0"}, "--vnodes '0'");
    check_refused({"simulate", "homogeneous", "--k", ""}, "--k ''");
    check_refused({"simulate", "dynamic", "--periods", "0"}, "--periods '0'");
    check_refused({"simulate", "dynamic", "--records", "500"}, "simulate dynamic has no --records");
    check_refused({"simulate", "cascade", "--records", "500"}, "simulate cascade has no --records");
    check_refused({"simulate", "cascade", "--periods", "5"}, "simulate cascade has no --periods");
    check_refused({"simulate", "homogeneous", "--mixed"}, "simulate homogeneous has no --mixed");
}

TEST_CASE("simulate: a drawing that cannot be written is an error before the trials",
          "[tool][simulate][errors]") {
    const scratch folder;
    const arguments nowhere = quick("homogeneous", {"--svg", folder.path("none/a.svg")});
    check_refused(nowhere, "No such file", {}, 1);
    const outcome o = run_tool(nowhere, {.in = "", .terminal = true});
    CHECK(o.err.find("No such file") != std::string::npos);
    CHECK(o.err.find('#') == std::string::npos); // no trial was run
    check_refused(quick("homogeneous", {"--svg", folder.path(".")}),
                  "not a file that can be replaced", {}, 1);
    check_refused(quick("homogeneous", {"--svg", "/dev/null"}), "not a file that can be replaced",
                  {}, 1);
    check_refused(quick("homogeneous", {"--svg", "-"}), "--svg '-' is not a file");
    check_refused(quick("homogeneous", {"--svg", ""}), "--svg '' is not a file");
}

TEST_CASE("simulate: what goes wrong leaves the drawing of before, and nothing beside it",
          "[tool][simulate][errors]") {
    const scratch folder;
    const std::string svg = folder.write("a.svg", "what was there before");
    check_refused(quick("homogeneous", {"--svg", svg, "--seed", "x"}), "--seed 'x'");
    const outcome full =
        run_tool(quick("homogeneous", {"--svg", svg}), {.in = "", .most_bytes = 1000});
    CHECK(full.code == 1);
    CHECK(full.out == "");
    CHECK(support::lines(full.err).size() == 1);
    CHECK(full.err.find("a.svg: File too large") != std::string::npos);
    CHECK(support::slurp(svg) == "what was there before");
    CHECK(files_in(folder.path(".")) == 1);
}

TEST_CASE("simulate: a table that cannot be written is an error, and the drawing is whole",
          "[tool][simulate][errors]") {
    const scratch folder;
    const std::string svg = folder.path("a.svg");
    const outcome full = run_tool(quick("homogeneous", {"--svg", svg}), {"", "/dev/full"});
    CHECK(full.code == 1);
    CHECK(support::lines(full.err).size() == 1);
    CHECK(full.err.find("standard output: ") != std::string::npos);
    CHECK(support::xml_fault(support::slurp(svg)) == "");
    const outcome gone = run_tool(quick("homogeneous"), {.in = "", .closed_pipe = true});
    CHECK(gone.code == 0);
    CHECK(gone.err == "");
}

TEST_CASE("simulate: on a terminal a bar shows how far it is, and goes", "[tool][simulate]") {
    const arguments call{"simulate", "homogeneous", "--seeds", "4", "--records", "200"};
    const outcome o = run_tool(call, {.in = "", .terminal = true});
    CHECK(o.code == 0);
    CHECK(o.err == "\r[##########..............................] 1 of 4 "
                   "\r[####################....................] 2 of 4 "
                   "\r[##############################..........] 3 of 4 "
                   "\r[########################################] 4 of 4 "
                   "\r\033[K");
    CHECK(o.out == run_tool(call).out);
}
