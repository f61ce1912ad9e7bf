// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <hashring/hashring.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

using namespace hashring;
using nlohmann::json;
using support::answers;
using support::arguments;
using support::outcome;
using support::run_tool;
using support::scratch;

namespace {

const std::string four_nodes = "a\nb 2\nc 0.5\nd 0\n";
const std::vector<node_spec> four_specs = {
    {"a", weight{1}}, {"b", weight{2}}, {"c", weight{0.5}}, {"d", weight{0}}};

void check_refused(const arguments& call, const std::string& reason) {
    support::check_refused(call, reason, "k\n");
}

std::string thousand_keys() {
    std::string keys;
    for (int i = 0; i < 1000; ++i) {
        keys += "user:" + std::to_string(i) + "\n";
    }
    return keys;
}

} // namespace

TEST_CASE("tables: place by maglev is the library's", "[tool][place]") {
    const scratch folder;
    const table<schemes::maglev> t(four_specs, schemes::maglev(1009));
    const std::string keys = thousand_keys();
    std::vector<std::string> expected;
    for (const std::string& key : support::lines(keys)) {
        expected.emplace_back(t.owner(key)->name());
    }
    CHECK(answers({"place", "--scheme", "maglev", "--table-size", "1009", "--nodes",
                   folder.write("nodes", four_nodes)},
                  keys) == expected);
}

TEST_CASE("tables: a node that is down owns nothing, and few other keys move", "[tool][place]") {
    const scratch folder;
    const std::string keys = thousand_keys();
    const auto all =
        answers({"place", "--scheme", "maglev", "--nodes", folder.write("up", "a\nb\nc\n")}, keys);
    const auto some = answers(
        {"place", "--scheme", "maglev", "--nodes", folder.write("down", "a\nb down=1\nc\n")}, keys);
    REQUIRE(all.size() == some.size());
    int others = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        others += all[i] != "b" && all[i] != some[i] ? 1 : 0;
    }
    CHECK(std::count(some.begin(), some.end(), "b") == 0);
    CHECK(std::count(some.begin(), some.end(), "-") == 0);
    CHECK(others < 20);
    CHECK(answers({"place", "--scheme", "maglev", "--nodes", folder.write("n", "a down=1\n")},
                  "k\n") == std::vector<std::string>{"-"});
}

TEST_CASE("tables: nobody answers for a jump node that is down", "[tool][place]") {
    const scratch folder;
    const std::string keys = thousand_keys();
    auto all =
        answers({"place", "--scheme", "jump", "--nodes", folder.write("up", "a\nb\nc\n")}, keys);
    std::replace(all.begin(), all.end(), std::string("b"), std::string("-"));
    CHECK(
        answers({"place", "--scheme", "jump", "--nodes", folder.write("down", "a\nb down=1\nc\n")},
                keys) == all);
}

TEST_CASE("tables: ring lists the slots", "[tool][ring]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", four_nodes);
    const table<schemes::maglev> t(four_specs, schemes::maglev(101));
    std::string expected;
    for (std::size_t i = 0; i < 101; ++i) {
        expected += std::to_string(i) + "\t" + std::string(t.node(t.slot_owner(i)).name()) + "\n";
    }
    const arguments call = {"ring", "--scheme", "maglev", "--nodes", nodes, "--table-size", "101"};
    CHECK(run_tool(call).out == expected);
    arguments as_json = call;
    as_json.insert(as_json.end(), {"--format", "json"});
    const json whole = json::parse(run_tool(as_json).out);
    CHECK(whole["slots"].size() == 101);
    CHECK(whole["slots"][100]["slot"] == "100");
    CHECK(std::stoull(whole["fingerprint"].get<std::string>(), nullptr, 16) == t.fingerprint());
}

TEST_CASE("tables: report counts slots and gives the shares that they make", "[tool][report]") {
    const scratch folder;
    const json maglev =
        json::parse(run_tool({"report", "--scheme", "maglev", "--table-size", "7", "--nodes",
                              folder.write("nodes", four_nodes), "--format", "json"})
                        .out);
    CHECK(maglev["nodes"][0]["vnodes"] == 2);
    CHECK(maglev["nodes"][1]["vnodes"] == 4);
    CHECK(maglev["nodes"][2]["vnodes"] == 1);
    CHECK(maglev["nodes"][3]["vnodes"] == 0);
    CHECK(maglev["nodes"][1]["share"].get<double>() == 4.0 / 7.0);
    CHECK(maglev["load_gap"] == maglev["expected_gap"]);
    const json jump = json::parse(run_tool({"report", "--scheme", "jump", "--nodes",
                                            folder.write("three", "z\ny\nx\n"), "--format", "json"})
                                      .out);
    CHECK(jump["nodes"][0]["name"] == "z");
    CHECK(jump["nodes"][0]["share"].get<double>() == 1.0 / 3.0);
    CHECK(jump["load_gap"] == 0.0);
    CHECK(jump["expected_gap"] == 0.0);
    const json rendezvous =
        json::parse(run_tool({"report", "--scheme", "rendezvous", "--nodes",
                              folder.write("down", "a\nb 2 down=1\nc 3\n"), "--format", "json"})
                        .out);
    CHECK(rendezvous["nodes"][0]["share"] == 0.25);
    CHECK(rendezvous["nodes"][1]["share"] == 0.0);
    CHECK(rendezvous["nodes"][2]["share"] == 0.75);
    const json probes =
        json::parse(run_tool({"report", "--scheme", "multi-probe", "--probes", "2", "--nodes",
                              folder.write("probed", "a\nb\nc\n"), "--format", "json"})
                        .out);
    schemes::multi_probe two;
    two.set("probes", "2");
    const std::vector<double> shares = table<schemes::multi_probe>({"a", "b", "c"}, two).shares();
    CHECK(probes["nodes"][1]["share"].get<double>() == shares[1]);
    CHECK(probes["nodes"][1]["wished_share"].get<double>() == 1.0 / 3.0);
    CHECK(probes["load_gap"].get<double>() > 0.1);
}

TEST_CASE("tables: diff names runs of slots, and what the tables say", "[tool][diff]") {
    const scratch folder;
    const std::string from = folder.write("from", "a\nb 2\n");
    const std::string to = folder.write("to", "a\nb 2\nc\n");
    const table<schemes::maglev> before({"a", {"b", weight{2}}}, schemes::maglev(101));
    table<schemes::maglev> after = before;
    after.add("c");
    const outcome o =
        run_tool({"diff", "--scheme", "maglev", "--table-size", "101", "--from", from, "--to", to});
    std::vector<std::string> slots(101, "");
    std::vector<std::string> totals;
    for (const std::string& line : support::lines(o.out)) {
        const auto row = golden::fields(line);
        if (line.front() == '#') {
            totals.push_back(row.at(0));
            continue;
        }
        for (std::size_t i = std::stoul(row.at(0)); i <= std::stoul(row.at(1)); ++i) {
            slots.at(i) = row.at(2) + ">" + row.at(3);
        }
    }
    std::size_t moved = 0;
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < 101; ++i) {
        const std::string old_name(before.node(before.slot_owner(i)).name());
        const std::string new_name(after.node(after.slot_owner(i)).name());
        expected.push_back(old_name == new_name ? "" : old_name + ">" + new_name);
        moved += old_name == new_name ? 0U : 1U;
    }
    CHECK(slots == expected);
    CHECK(moved > 20);
    CHECK(totals.at(totals.size() - 2) == "# moved_share");
    CHECK(o.out.find("# least_share\t0.250000000\n") != std::string::npos);
    const json as_json = json::parse(run_tool({"diff", "--scheme", "maglev", "--table-size", "101",
                                               "--from", from, "--to", to, "--format", "json"})
                                         .out);
    CHECK(as_json["moved_share"].get<double>() == static_cast<double>(moved) / 101.0);
    CHECK(run_tool({"diff", "--scheme", "maglev", "--from", from, "--to", from}).out ==
          "# moved_share\t0.000000000\n# least_share\t0.000000000\n");
    const outcome gone = run_tool({"diff", "--scheme", "maglev", "--table-size", "2", "--from",
                                   from, "--to", folder.write("none", "a 0\n")});
    CHECK(support::lines(gone.out).back() == "# least_share\t0.000000000");
    CHECK(gone.out.find("# moved_share\t1.000000000") != std::string::npos);
}

TEST_CASE("tables: explain names the slot, and who answers for a node that is down",
          "[tool][explain]") {
    const scratch folder;
    const std::string up = folder.write("up", "a\nb\n");
    const std::string down = folder.write("down", "a down=1\nb\n");
    const table<schemes::maglev> t{"a", "b"};
    std::string key = "k";
    while (*t.owner(key) != "a") {
        key += "k";
    }
    const auto explained = [&](const std::string& scheme, const std::string& nodes) {
        return json::parse(
            run_tool({"explain", "--scheme", scheme, "--nodes", nodes, key, "--format", "json"})
                .out);
    };
    CHECK(explained("maglev", up)["owner"] == "a");
    CHECK(explained("maglev", up)["slot"] ==
          decimal(schemes::maglev::slot_of(t.position(key), 65537)));
    CHECK(explained("maglev", up)["position"] == decimal(t.position(key)));
    CHECK(explained("maglev", up)["hash"] == "xxh3 of the key");
    CHECK(explained("maglev", down)["owner"] == "b");
    CHECK(explained("maglev", down)["skipped"][0]["name"] == "a");
    const std::uint32_t bucket =
        table<schemes::jump>{"a", "b"}.owner_index_at(table<schemes::jump>().position(key));
    CHECK(explained("jump", up)["slot"] == decimal(bucket));
    const outcome text = run_tool({"explain", "--scheme", "maglev", "--nodes", up, key});
    CHECK(text.out.find(" of 65537\n") != std::string::npos);
    CHECK(run_tool({"explain", "--scheme", "maglev", "--nodes", up, key, "--format", "tsv"})
              .out.find("\nslot\t") != std::string::npos);
}

TEST_CASE("tables: schemes lists them with their options and rules", "[tool][schemes]") {
    const json whole = json::parse(run_tool({"schemes", "--format", "json"}).out);
    std::vector<std::string> options;
    for (const json& scheme : whole["schemes"]) {
        const auto rules = scheme["rules"].get<std::string>();
        if (rules.find("\nnodes: ") == std::string::npos) {
            continue;
        }
        options.push_back(scheme["name"].get<std::string>() + " " + scheme["options"].dump());
        CHECK(rules.find("key: ") == 0);
        CHECK(rules.find("\nowner: ") != std::string::npos);
        CHECK(rules.find("\norder of the list: ") != std::string::npos);
    }
    const auto of = [&](const std::string& name) {
        const auto found = std::find_if(options.begin(), options.end(), [&](const auto& text) {
            return text.find(name + " ") == 0;
        });
        return found == options.end() ? "" : *found;
    };
    CHECK(of("maglev").find("\"default\":\"65537\"") != std::string::npos);
    CHECK(of("maglev").find("\"name\":\"table-size\"") != std::string::npos);
    CHECK(of("jump") == "jump []");
    CHECK(of("rendezvous") == "rendezvous []");
    CHECK(of("multi-probe").find("\"name\":\"probes\"") != std::string::npos);
    CHECK(of("libmemcached-modula").find("\"name\":\"hash\"") != std::string::npos);
    CHECK(of("nginx-modulo") == "nginx-modulo []");
}

TEST_CASE("tables: what they cannot do is refused in one line", "[tool][errors]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb\n");
    const std::string heavy = folder.write("heavy", "a\nb 2\n");
    check_refused({"ring", "--scheme", "jump", "--nodes", nodes}, "neither points nor slots");
    check_refused({"diff", "--scheme", "jump", "--from", nodes, "--to", nodes},
                  "neither points nor slots");
    check_refused({"place", "--scheme", "jump", "--nodes", heavy}, heavy + ":2: ");
    check_refused({"place", "--scheme", "jump", "--nodes", nodes, "--table-size", "7"},
                  "no option --table-size");
    check_refused({"place", "--scheme", "maglev", "--nodes", nodes, "--copies", "2"}, "--copies");
    check_refused({"place", "--scheme", "maglev", "--nodes", nodes, "--vnodes", "7"},
                  "no option --vnodes");
    check_refused({"place", "--scheme", "maglev", "--nodes", nodes, "--table-size", "65536"},
                  "the next one is 65537");
    check_refused({"place", "--scheme", "maglev", "--nodes", folder.write("three", "a\nb\nc\n"),
                   "--table-size", "2"},
                  "a table of 2 slots cannot give each of 3 nodes one");
}
