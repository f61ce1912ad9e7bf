// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/hdfs_samples.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"
#include "support/tool_calls.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring::test;
using support::arguments;
using support::check_refused_with;
using support::outcome;
using support::run_tool;
using support::scratch;
using support::with;

namespace {

std::string path_of(std::string_view name) {
    return concat(HASHRING_GOLDEN_DIR, "/hdfs/", name);
}

arguments plan(const arguments& more) {
    return with({"plan"}, more);
}

/// The plan as JSON; the call must succeed without a word on standard error.
json planned(const arguments& more, const std::string& in = {}) {
    const arguments call = with(plan(more), {"--format", "json"});
    const outcome o = run_tool(call, {in});
    CAPTURE(call, o.err);
    REQUIRE(o.code == 0);
    CHECK(o.err == "");
    return json::parse(o.out);
}

/// One member of all nodes, in order.
json column(const json& p, const char* member) {
    json all = json::array();
    for (const json& node : p["nodes"]) {
        all.push_back(node.contains(member) ? node[member] : json());
    }
    return all;
}

/// What dfsadmin says of so many nodes that are all alike.
std::string equal_nodes(int count) {
    const std::string sample_text = sample("01_hadoop27_three_live.txt");
    const std::size_t name = sample_text.find("Name: ");
    const std::size_t colon = sample_text.find(":50010");
    const std::string rest = sample_text.substr(colon, sample_text.find("Name: ", colon) - colon);
    std::string text =
        replaced(sample_text.substr(0, name), "(3)", concat("(", hdfs::decimal(count), ")"));
    for (int i = 0; i < count; ++i) {
        text += concat("Name: 198.51.", hdfs::decimal(i / 250), ".", hdfs::decimal(i % 250), rest);
    }
    return text;
}

const std::string skewed = "a\t100\t20\t160\nb\t100\t50\t160\nc\t100\t60\t160\n";

} // namespace

TEST_CASE("plan: counts now and next, and why, of a cluster of three", "[tool][plan]") {
    const json p = planned({"--report", path_of("01_hadoop27_three_live.txt")});
    CHECK(p["source"] == "dfsadmin");
    CHECK(p["hadoop_version"] == "2");
    CHECK(p["rule"] == "weights");
    CHECK(p["threshold"] == "5 %");
    CHECK(p["outcome"] == "changes");
    CHECK(column(p, "name") == json({"192.0.2.11:50010", "192.0.2.12:50010", "192.0.2.13:50010"}));
    CHECK(column(p, "state") == json({"live", "live", "live"}));
    CHECK(column(p, "capacity") == json({53687091200, 107374182400, 214748364800}));
    CHECK(column(p, "free") == json({26843545600, 85899345927, 42949672960}));
    CHECK(column(p, "verdict") == json({"within", "underloaded", "overloaded"}));
    CHECK(column(p, "vnodes") == json({69, 137, 274})); // 160 · 3 · {1, 2, 4} / 7
    // the whole step up; the load of 0.8 is 0.3 / 0.8 above, half of which is 51.4
    CHECK(column(p, "next_vnodes") == json({69, 171, 223}));
    CHECK(column(p, "why")[0].is_null());
    CHECK(column(p, "why")[2] ==
          "'192.0.2.13:50010': load 1.366 times the cluster's, 60 % above the "
          "reference of 0.854 (threshold 5 %): 274 -> 223 virtual nodes");
    const auto relative = [&](const char* key) {
        return p[key].get<double>() / p["cluster_load_factor"].get<double>();
    };
    CHECK(std::abs(0.8 / p["cluster_load_factor"].get<double>() - 1.366) < 0.0005);
    CHECK(std::abs(relative("median_load_factor") - 0.854) < 0.0005);
    CHECK(p["median_load_factor"] == 0.5);
    CHECK(p["summary"] == "nodes with another count of vnodes: 2");
}

TEST_CASE("plan: load factors are those of every sample", "[tool][plan]") {
    for (const char* name :
         {"01_hadoop27_three_live", "02_hadoop210_dead_decommissioning", "03_hadoop33_maintenance",
          "07_windows_mixed_eol", "07b_windows_all_crlf", "12_hadoop1_legacy"}) {
        CAPTURE(name);
        const json want = expected(name)["placeable"];
        const json p = planned({"--report", path_of(concat(name, ".txt"))});
        std::size_t taking_part = 0;
        for (const json& node : p["nodes"]) {
            if (node["verdict"] == "left out") {
                CHECK_FALSE(want.contains(node["address"].get<std::string>()));
                CHECK(node["vnodes"] == 0);
                continue;
            }
            ++taking_part;
            const json& values = want[node["address"].get<std::string>()];
            CHECK(node["load_factor"] == values["utilisation_total"]);
            CHECK(node["free"] == values["free"]);
        }
        CHECK(taking_part == want.size());
    }
}

TEST_CASE("plan: a node that leaves, is dead or is in maintenance is listed and left out",
          "[tool][plan]") {
    const json p = planned({"--report", path_of("03_hadoop33_maintenance.txt")});
    CHECK(column(p, "state") == json({"live", "live, entering maintenance", "live", "live",
                                      "dead, in maintenance", "dead"}));
    CHECK(column(p, "verdict") ==
          json({"underloaded", "left out", "within", "overloaded", "left out", "left out"}));
    CHECK(p["nodes"][5]["load_factor"].is_null());
    const json jmx = planned({"--report", path_of("20_jmx_namenodeinfo_3x.json")});
    CHECK(jmx["source"] == "jmx");
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(jmx["nodes"][i]["next_vnodes"] == p["nodes"][i]["next_vnodes"]);
        CHECK(jmx["nodes"][i]["state"] == p["nodes"][i]["state"]);
    }
}

TEST_CASE("plan: equal nodes get no plan by any rule, and it says so", "[tool][plan]") {
    std::string equal;
    for (int i = 0; i < 7; ++i) {
        const std::string size(1, static_cast<char>('1' + i)); // of different sizes
        equal += concat("node-", size, "\t", size, "000\t", size, "00\n");
    }
    for (const char* rule : {"literal", "weights", "transfers"}) {
        CAPTURE(rule);
        const json p = planned({"--report", "-", "--rule", rule}, equal);
        CHECK(p["outcome"] == "balanced");
        CHECK(p["load_gap"] == 0.0);
        CHECK(column(p, "verdict") == json(std::vector<std::string>(7, "within")));
        if (std::string_view(rule) == "transfers") {
            CHECK(p["transfers"] == json::array());
        } else {
            CHECK(column(p, "vnodes") == column(p, "next_vnodes"));
        }
        const outcome o = run_tool(plan({"--report", "-", "--rule", rule}), {equal});
        CHECK(o.out.find("nothing to change: every node is within its threshold") !=
              std::string::npos);
    }
}

TEST_CASE("plan: transfers say who hands how much to whom", "[tool][plan]") {
    const json p = planned({"--report", "-", "--rule", "transfers"}, skewed);
    REQUIRE(p["transfers"].size() == 2); // 170 / 300 each: a has 23 too much, b 6, c 16 too little
    CHECK(p["transfers"][0]["from"] == "a");
    CHECK(p["transfers"][0]["to"] == "c");
    CHECK(p["transfers"][0]["amount"] == 16);
    CHECK(p["transfers"][0]["why"] ==
          "'a' (load 1.412 times the cluster's) hands 16 to 'c' (0.706 times)");
    CHECK(p["transfers"][1]["to"] == "b");
    CHECK(p["transfers"][1]["amount"] == 6);
    CHECK(p["summary"] == "transfers between nodes: 2");
}

TEST_CASE("plan: the literal rule moves one vnode at a time", "[tool][plan]") {
    const json p = planned({"--report", "-", "--rule", "literal"}, skewed);
    CHECK(column(p, "vnodes") == json({160, 160, 160}));
    CHECK(column(p, "next_vnodes") == json({159, 160, 161}));
}

TEST_CASE("plan: a threshold in percent is a part of the median, another is absolute",
          "[tool][plan]") {
    const auto verdicts = [](const char* threshold) {
        return column(planned({"--report", "-", "--threshold", threshold}, skewed), "verdict");
    };
    const json all_within = {"within", "within", "within"};
    CHECK(verdicts("60%") == all_within); // 0.8 is 60 % above 0.5, which is not more
    CHECK(verdicts("59%") == json({"overloaded", "within", "within"}));
    CHECK(verdicts("19%") == json({"overloaded", "within", "underloaded"}));
    CHECK(verdicts("0.31") == all_within);
    CHECK(verdicts("0.29") == json({"overloaded", "within", "within"}));
    CHECK(verdicts("0.09") == json({"overloaded", "within", "underloaded"}));
}

TEST_CASE("plan: a nodes file names the nodes and says their counts", "[tool][plan]") {
    const scratch folder;
    const std::string report = path_of("01_hadoop27_three_live.txt");
    const std::string nodes = folder.write("nodes", "one 2 addr=192.0.2.11:50010\n"
                                                    "dn2.example.net 0.5\n"
                                                    "192.0.2.13:50010\n"
                                                    "elsewhere 3\n");
    const json p = planned({"--report", report, "--nodes", nodes});
    CHECK(column(p, "name") == json({"one", "dn2.example.net", "192.0.2.13:50010"}));
    CHECK(column(p, "vnodes") == json({320, 80, 160}));
    CHECK(p["notes"][0] == "elsewhere is not in the report");
    CHECK(column(p, "why")[1].get<std::string>().find("'dn2.example.net'") == 0);

    const json fewer =
        planned({"--report", report, "--nodes",
                 folder.write("fewer", "dn1.example.net\n192.0.2.13:50010 1 down=1\n")});
    CHECK(column(fewer, "vnodes") == json({160, 0, 160}));
    CHECK(column(fewer, "verdict") == json({"within", "left out", "left out"}));
    CHECK(fewer["outcome"] == "too_few_nodes");
    CHECK(fewer["notes"] == json::array({"192.0.2.12:50010 is not in the nodes file"}));
}

TEST_CASE("plan: of nodes with one host name a nodes file means the one in service",
          "[tool][plan]") {
    const scratch folder;
    const std::string text = sample("02_hadoop210_dead_decommissioning.txt");
    const std::string report = folder.write(
        "report", replaced(text, "Hostname: dn-c.example.org", "Hostname: dn-a.example.org"));
    const json p =
        planned({"--report", report, "--nodes", folder.write("nodes", "dn-a.example.org 2\n")});
    CHECK(p["nodes"][0]["name"] == "dn-a.example.org");
    CHECK(p["nodes"][0]["vnodes"] == 320);
    CHECK(p["nodes"][3]["state"] == "dead");
    CHECK(p["nodes"][3]["name"] == "198.51.100.23:50010");
}

TEST_CASE("plan: TSV has an even line for each note, a table is for reading", "[tool][plan]") {
    const outcome tsv = run_tool(plan({"--report", "-", "--format", "tsv"}), {skewed});
    REQUIRE(tsv.code == 0);
    const auto lines = support::lines(tsv.out);
    REQUIRE(lines.size() > 4);
    CHECK(lines[0] ==
          "node\tstate\tcapacity\tfree\tload_factor\tverdict\tvnodes\tnext_vnodes\twhy");
    CHECK(lines[2] == "b\tlive\t100\t50\t0.500000\twithin\t160\t160\t-");
    CHECK(lines[4] == "# rule\tweights");
    CHECK(lines.back() == "# outcome\tnodes with another count of vnodes: 2");
    const outcome table = run_tool(plan({"--report", "-"}), {skewed});
    CHECK(table.out.find("\noutcome              nodes with another count of vnodes: 2\n") !=
          std::string::npos);
}

TEST_CASE("plan: a report of 1,000 nodes takes under a second in all", "[tool][plan]") {
    const scratch folder;
    std::string text = equal_nodes(1000);
    const std::size_t eighth = text.find("Name: 198.51.0.7:");
    text = text.substr(0, eighth) +
           replaced(text.substr(eighth), "DFS Remaining: 26843545600", "DFS Remaining: 1");
    const std::string file = folder.write("report", text);
    for (const char* rule : {"weights", "transfers", "literal"}) {
        CAPTURE(rule);
        const auto start = std::chrono::steady_clock::now();
        const json p = planned({"--report", file, "--state", folder.path("state"), "--rule", rule});
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        CHECK(p["nodes"].size() == 1000);
        CHECK(p["nodes"][7]["verdict"] == "overloaded");
        CHECK(p["outcome"] == "changes");
        CHECK((is_sanitized || took.count() < 1.0));
    }
}

TEST_CASE("plan: equal nodes get no plan from a report of any form", "[tool][plan]") {
    json live;
    for (const char* name : {"a", "b", "c"}) {
        live[concat(name, ".example.net:9866")] = {{"xferaddr", concat(name, ":9866")},
                                                   {"adminState", "In Service"},
                                                   {"capacity", 9223372036854775807},
                                                   {"usedSpace", 1000},
                                                   {"remaining", 4611686018427387904}};
    }
    const json jmx = {{"beans", {{{"LiveNodes", live.dump()}, {"DeadNodes", "{}"}}}}};
    for (const std::string& text :
         {equal_nodes(3), jmx.dump(), std::string("a 1000 500\nb 2000 1000\n")}) {
        for (const char* rule : {"literal", "weights", "transfers"}) {
            const json p = planned({"--report", "-", "--rule", rule}, text);
            CAPTURE(text, rule);
            CHECK(p["outcome"] == "balanced");
            CHECK(p["summary"] == "nothing to change: every node is within its threshold");
        }
    }
}

TEST_CASE("plan: a report that names a node twice is refused with both lines",
          "[tool][plan][errors]") {
    const std::string file = path_of("09_node_named_twice.txt");
    check_refused_with(
        plan({"--report", file}),
        file + ":63: 192.0.2.71:9866 appears twice in section Live, on lines 23 and 63");
    check_refused_with(plan({"--report", "-"}),
                       "<stdin>:3: a appears twice in section Live, on lines 1 and 3",
                       "a\t2\t1\nb\t2\t1\na\t2\t1\n");
}

TEST_CASE("plan: a report that is cut, damaged or none is refused with file and line",
          "[tool][plan][errors]") {
    const std::string cut = path_of("08_truncated.txt");
    check_refused_with(plan({"--report", cut}), cut +
                                                    ":21: the report is not whole: section Live "
                                                    "declares 4 nodes, 2 complete ones found; file "
                                                    "ends inside a node record");
    const std::string error = path_of("13_error_output.txt");
    check_refused_with(plan({"--report", error}),
                       error + ":1: no report, but an error: 'report: Call");
    const std::string bean = path_of("22_jmx_no_bean.json");
    check_refused_with(plan({"--report", bean}), bean + ":1: no bean lists nodes");
    for (const char* name : {"04_safemode_all_dead_nan.txt", "11_live_option_no_nodes.txt"}) {
        const std::string file = path_of(name);
        check_refused_with(plan({"--report", file}), file + ": no live node in normal service");
    }
    check_refused_with(plan({"--report", "-"}), "<stdin>: the report is empty");
    check_refused_with(plan({"--report", "-"}), "<stdin>:2: free 3 is above total 2",
                       "a\t2\t1\nb\t2\t3");
    check_refused_with(plan({"--report", "/nowhere/report"}), "/nowhere/report: No such file");
    check_refused_with(plan({"--report", "/"}), "/: Is a directory");
}

TEST_CASE("plan: options that are wrong are refused before the report is read",
          "[tool][plan][errors]") {
    check_refused_with({"plan"}, "hashring: plan needs one of --report and --command");
    check_refused_with(plan({"--report", "r", "--command", "c"}), "hashring: plan needs one of");
    check_refused_with(plan({"--report", "r", "--rule", "best"}),
                       "hashring: --rule 'best' is none of");
    check_refused_with(plan({"--report", "r", "--threshold", "5"}), "hashring: --threshold '5'");
    check_refused_with(plan({"--report", "r", "--threshold", "101%"}),
                       "hashring: --threshold '101%'");
    check_refused_with(plan({"--report", "r", "--threshold", "-0.1"}),
                       "hashring: --threshold '-0.1'");
    for (const char* period : {"0s", "30", "s", "-1s", "1.5s", "25h", "99999999999s"}) {
        check_refused_with(plan({"--report", "r", "--period", period}),
                           concat("hashring: --period '", period, "'"));
    }
    check_refused_with(plan({"--report", "r", "--format", "xml"}), "hashring: --format 'xml'");
    check_refused_with(plan({"--report", "-", "--nodes", "-"}),
                       "hashring: standard input cannot be both");
    check_refused_with(plan({"--report", "-", "--watch"}),
                       "hashring: --watch reads a report again");
    check_refused_with(plan({"--report", "r", "--nodes", "/nowhere/nodes"}),
                       "/nowhere/nodes: No such");
}

TEST_CASE("plan: a nodes file that fits no node, or several, is refused with its line",
          "[tool][plan][errors]") {
    const scratch folder;
    const auto check = [&](const std::string& report, const std::string& text,
                           const std::string& reason) {
        const std::string nodes = folder.write("nodes", text);
        check_refused_with(plan({"--report", report, "--nodes", nodes}), nodes + reason);
    };
    const std::string three = path_of("01_hadoop27_three_live.txt");
    check(three, "x\ny\n", ": no NAME and no addr=");
    check(three, "x addr=192.0.2.11:50010\ndn1.example.net\n",
          ":2: 192.0.2.11:50010 of the report stands on line 1 already");
    check(three, "dn1.example.net 1 addr=192.0.2.12:50010\n",
          ":1: NAME and addr= of 'dn1.example.net' are two nodes");
    check(three, "dn1.example.net 999999\n", ":1: a weight of 999999 asks for");
    const std::string twins = folder.write(
        "report", replaced(sample("01_hadoop27_three_live.txt"), "Hostname: dn2", "Hostname: dn1"));
    check(twins, "dn3.example.net\ndn1.example.net\n",
          ":2: 'dn1.example.net' is the host name of several nodes");
    CHECK(planned({"--report", twins, "--nodes",
                   folder.write("nodes", "192.0.2.11:50010\n192.0.2.12:50010\n")})["outcome"] ==
          "changes");
}

TEST_CASE("plan: a full disk is exit 1 with one line, a closed pipe is silent",
          "[tool][plan][errors]") {
    const outcome full = run_tool(plan({"--report", "-"}), {skewed, "/dev/full"});
    CHECK(full.code == 1);
    CHECK(support::lines(full.err).size() == 1);
    const outcome closed = run_tool(plan({"--report", "-"}), {skewed, {}, true});
    CHECK(closed.code == 0);
    CHECK(closed.err == "");
}
