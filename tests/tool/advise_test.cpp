// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <hashring/hashring.hpp>
#include <hashring/ring/exact_ring.hpp>

#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <vector>

using nlohmann::json;
using support::arguments;
using support::check_refused;
using support::lines;
using support::outcome;
using support::run_tool;
using support::scratch;
using support::with;

namespace {

const std::string weighted_nodes = "a\nb 2\nc 0.5\nd 3\ne 0\nf 1.25\ng 4 down=1\n";

json advise(const arguments& more) {
    const outcome o = run_tool(with({"advise", "--format", "json", "--no-time"}, more));
    CAPTURE(o.err, more);
    REQUIRE(o.code == 0);
    return json::parse(o.out);
}

json choice_of(const json& whole, const std::string& name) {
    for (const json& choice : whole["choices"]) {
        if (choice["choice"] == name) {
            return choice;
        }
    }
    FAIL(name);
    return {};
}

arguments words_of(const std::string& text) {
    std::istringstream stream(text);
    arguments words;
    for (std::string word; stream >> word;) {
        words.push_back(word);
    }
    return words;
}

/// What `report` says of nodes placed as advised.
json report_by(const json& choice, const std::string& nodes) {
    const outcome o = run_tool(with({"report", "--nodes", nodes, "--format", "json"},
                                    words_of(choice["arguments"].get<std::string>())));
    CAPTURE(o.err, choice);
    REQUIRE(o.code == 0);
    return json::parse(o.out);
}

} // namespace

TEST_CASE("advise: what to use comes first, and then what each choice costs", "[tool][advise]") {
    const outcome o = run_tool({"advise", "--gap", "5%", "--count", "10", "--no-time"});
    CHECK(o.code == 0);
    CHECK(o.err == "");
    const auto said = lines(o.out);
    REQUIRE(said.size() > 9);
    CHECK(said[0] == "use --scheme xxh3 --vnodes 4700  (moves only what it must, and has copies)");
    CHECK(said[1] == "");
    CHECK(said[2].find("choice") == 0);
    CHECK(said[3].find("--scheme xxh3 --vnodes 4700 ") == 0);
    const auto tsv = lines(
        run_tool({"advise", "--gap", "5%", "--count", "10", "--no-time", "--format", "tsv"}).out);
    CHECK(tsv.at(0) == "# " + said[0]);
    CHECK(tsv.at(1) == "choice\treaches\tload_gap\tpeak_to_mean\tjoin_times_least\t"
                       "leave_times_least\tpoints\tmemory_bytes\tlook-up");
    CHECK(tsv.at(2).find("--scheme xxh3 --vnodes 4700\tyes\t0.0") == 0);
    CHECK(tsv.at(4).find("exact ring\tyes\t0.000000\t1.000000\t1.00\t1.00\t") == 0);
}

TEST_CASE("advise: `report` finds the gap that was asked for wherever it says so",
          "[tool][advise][heavy]") {
    const scratch folder;
    const std::string equal = folder.write("equal", "a\nb\nc\nd\ne\nf\ng\nh\n");
    const std::string weighted = folder.write("weighted", weighted_nodes);
    for (const std::string& nodes : {equal, weighted}) {
        for (const double gap : {0.3, 0.06}) {
            const json whole = advise({"--nodes", nodes, "--gap", std::to_string(gap)});
            int reached = 0;
            for (const json& choice : whole["choices"]) {
                if (!choice.contains("arguments") || !choice.contains("load_gap")) {
                    continue;
                }
                const json report = report_by(choice, nodes);
                CAPTURE(gap, choice);
                CHECK(report["load_gap"] == choice["load_gap"]);
                CHECK(report["peak_to_mean"] == choice["peak_to_mean"]);
                CHECK(choice["reaches"] == (report["load_gap"].get<double>() <= gap));
                reached += choice["reaches"] == true ? 1 : 0;
            }
            CHECK(reached >= 5);
            CHECK(whole["recommended"]["choice"] == "ring");
        }
    }
}

TEST_CASE("advise: the ring's count is the least round one to expect it of, and holds here",
          "[tool][advise][heavy]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", weighted_nodes);
    for (const char* gap : {"0.4", "0.1"}) {
        const json ring = choice_of(advise({"--nodes", nodes, "--gap", gap}), "ring");
        const int vnodes = std::stoi(ring["options"]["vnodes"].get<std::string>());
        const auto expected_at = [](double count) { // of the weights 1, 2, 0.5, 3 and 1.25
            std::vector<std::uint32_t> counts;
            for (const double weight : {1.0, 2.0, 0.5, 3.0, 1.25}) {
                counts.push_back(static_cast<std::uint32_t>(weight * count + 0.5));
            }
            return hashring::expected_load_gap(counts);
        };
        CAPTURE(gap, vnodes);
        CHECK(expected_at(vnodes) <= std::stod(gap));
        CHECK(expected_at(vnodes / 2.0) > std::stod(gap));
        CHECK(ring["join_times_least"].get<double>() < 1.2);
    }
}

TEST_CASE("advise: what it costs is what the library says", "[tool][advise]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb 2\nc\n");
    const std::vector<hashring::node_spec> specs = {
        {"a", hashring::weight{1}}, {"b", hashring::weight{2}}, {"c", hashring::weight{1}}};
    const json whole = advise({"--nodes", nodes, "--gap", "5%"});
    const json ring = choice_of(whole, "ring");
    hashring::schemes::xxh3 scheme;
    scheme.set("vnodes", ring["options"]["vnodes"].get<std::string>());
    const hashring::ring<> built(specs, scheme);
    CHECK(ring["points"] == built.point_count());
    CHECK(ring["memory_bytes"] == built.memory_bytes());
    const json exact = choice_of(whole, "exact ring");
    hashring::exact_ring<> cut(specs);
    CHECK(exact["points"] == cut.point_count());
    CHECK(exact["memory_bytes"] == cut.memory_bytes());
    CHECK(exact["load_gap"].get<double>() < 1e-9);
    const auto left = cut.leave("c");
    CHECK(exact["leave_times_least"] == left.moved_fraction() / left.least_fraction());
    CHECK_FALSE(exact.contains("arguments"));
    CHECK(choice_of(whole, "corrected ring")["join_times_least"].get<double>() > 1.0);
    CHECK(choice_of(whole, "jump")["reaches"] == false);
    CHECK(choice_of(whole, "jump")["note"].get<std::string>().find("the node 'b' has a weight") ==
          0);
    CHECK(choice_of(whole, "anchor")["reaches"] == false);
    CHECK(choice_of(whole, "rendezvous")["lookup"] == "O(nodes)");
}

TEST_CASE("advise: an anchor table is to have room for twice the nodes", "[tool][advise][heavy]") {
    const json few = choice_of(advise({"--count", "512", "--gap", "90%"}), "anchor");
    CHECK(few["reaches"] == true);
    CHECK(few["arguments"] == "--scheme anchor");
    CHECK(few["memory_bytes"] == 24 * 1024);
    const json many = choice_of(advise({"--count", "513", "--gap", "90%"}), "anchor");
    CHECK(many["arguments"] == "--scheme anchor --capacity 1026");
}

TEST_CASE("advise: a gap that no ring reaches is said to be so, and others reach it",
          "[tool][advise][heavy]") {
    const json few = advise({"--count", "10", "--gap", "0.01%"});
    const json ring = choice_of(few, "ring");
    CHECK(ring["reaches"] == false);
    CHECK_FALSE(ring.contains("load_gap"));
    CHECK(ring["note"] == "the most points that a ring holds, 16777216, come to a gap of 0.24%");
    CHECK(choice_of(few, "multi-probe")["reaches"] == false);
    CHECK(choice_of(few, "maglev")["reaches"] == true);
    CHECK(choice_of(few, "maglev")["options"]["table-size"] == "131101"); // twice the preset
    CHECK(few["recommended"]["arguments"] == "--scheme rendezvous");
    const json many = advise({"--count", "257", "--gap", "1%"});
    CHECK(choice_of(many, "ring")["reaches"] == false);
    CHECK(many["recommended"]["choice"] == "maglev");
}

TEST_CASE("advise: times are measured unless they are not wanted", "[tool][advise]") {
    const json timed =
        json::parse(run_tool({"advise", "--count", "3", "--gap", "20%", "--format", "json"}).out);
    for (const json& choice : timed["choices"]) {
        CAPTURE(choice);
        if (choice["choice"] != "exact ring") {
            CHECK(choice["ns_per_lookup"].get<double>() > 0.0);
        }
    }
    const arguments call = {"advise", "--count", "3", "--gap", "20%", "--no-time"};
    CHECK(run_tool(call).out == run_tool(call).out);
    CHECK(run_tool(call).out.find("ns_per") == std::string::npos);
}

TEST_CASE("advise: one node is even by itself", "[tool][advise]") {
    const json whole = advise({"--count", "1", "--gap", "5%"});
    CHECK(whole["recommended"]["arguments"] == "--scheme xxh3 --vnodes 1");
    CHECK(choice_of(whole, "ring")["leave_times_least"].is_null());
    CHECK(advise({"--count", "1", "--gap", "0.05"}) == whole);
}

TEST_CASE("advise: what is wrong is refused", "[tool][advise]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb\n");
    check_refused({"advise", "--nodes", nodes}, "advise needs --gap");
    check_refused({"advise", "--gap", "5%"}, "advise needs one of --nodes and --count");
    check_refused({"advise", "--gap", "5%", "--nodes", nodes, "--count", "3"},
                  "advise needs one of --nodes and --count");
    for (const char* gap : {"", "x", "-1%", "5%%", "101%", "1.5", "nan"}) {
        check_refused({"advise", "--nodes", nodes, "--gap", gap}, "is neither a part such as 5%");
    }
    check_refused({"advise", "--nodes", nodes, "--gap", "0%"}, "--gap is above 0");
    for (const char* count : {"0", "10001", "1e3", ""}) {
        check_refused({"advise", "--gap", "5%", "--count", count}, "is not a whole number from 1");
    }
    check_refused({"advise", "--gap", "5%", "--nodes", folder.write("bad", "a\nb x\n")},
                  folder.path("bad") + ":2: ");
    check_refused({"advise", "--gap", "5%", "--nodes", folder.write("down", "a down=1\n")},
                  "no node takes keys");
    check_refused({"advise", "--gap", "5%", "--nodes", nodes, "--format", "xml"}, "--format 'xml'");
}
