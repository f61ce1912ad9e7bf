// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <hashring/hashring.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <set>
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

const std::string five_nodes = "10.0.0.1:11211\n10.0.0.2:11211\n10.0.0.3:11211\n"
                               "10.0.0.4:11211\n10.0.0.5:11211\n";
const std::string five_more = five_nodes + "10.0.0.5:11212\n"; // the one that comes

std::string some_keys(int count) {
    std::string keys;
    for (int i = 0; i < count; ++i) {
        keys += "user:" + std::to_string(i) + "\n";
    }
    return keys;
}

json compare(const scratch& folder, const std::string& nodes, const arguments& more) {
    const outcome o = run_tool(
        with({"compare", "--nodes", folder.write("nodes", nodes), "--format", "json", "--no-time"},
             more));
    CAPTURE(o.err, more);
    REQUIRE(o.code == 0);
    return json::parse(o.out);
}

json row_of(const json& whole, const std::string& scheme, const std::string& allocator = "") {
    for (const json& row : whole["schemes"]) {
        if (row["scheme"] == scheme && row.value("allocator", "") == allocator) {
            return row;
        }
    }
    FAIL(scheme);
    return {};
}

double difference(const json& a, const json& b, const char* figure) {
    return a[figure].get<double>() - b[figure].get<double>();
}

json json_of(const arguments& call) {
    const outcome o = run_tool(call);
    CAPTURE(o.err, call);
    REQUIRE(o.code == 0);
    return json::parse(o.out);
}

} // namespace

TEST_CASE("compare: a table of the schemes that were asked for, to be read", "[tool][compare]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb\nc\n");
    const outcome o = run_tool({"compare", "--nodes", nodes, "--keys",
                                folder.write("keys", some_keys(1000)), "--no-time", "--scheme",
                                "maglev", "--scheme", "nginx-modulo", "--table-size", "101"});
    CHECK(o.code == 0);
    CHECK(o.err == "");
    CHECK(
        lines(o.out) ==
        std::vector<std::string>{
            "scheme                     gap   peak  gap of keys  peak of keys  join  leave  bytes",
            "nginx-modulo             0.00%  1.000        2.40%         1.011  3.00   2.00     32",
            "maglev --table-size 101  2.97%  1.010        7.80%         1.050  1.07   1.04    202",
            "", "nodes                              3", "keys                               1000",
            "join                               what moves when c-new of weight 1 comes, over the "
            "least that has to",
            "leave                              the same when the first, the middle or the last "
            "node goes",
            "moves over 100000 keys of our own  nginx-modulo"});
}

TEST_CASE("compare: all schemes have a row, and the default one also corrected",
          "[tool][compare]") {
    const scratch folder;
    const json whole = compare(folder, five_nodes, {"--keys", folder.write("k", some_keys(2000))});
    std::vector<std::string> names;
    for (const json& row : whole["schemes"]) {
        if (!row.contains("allocator")) {
            names.push_back(row["scheme"]);
        }
        if (row.contains("refused")) {
            CHECK(row["refused"] != "");
            continue;
        }
        CAPTURE(row);
        CHECK(row["load_gap"] >= 0.0);
        CHECK(row["peak_to_mean"] >= 1.0);
        CHECK(row["keys_peak_to_mean"] >= 1.0);
        CHECK(row["join_moved_share"] > 0.0);
        CHECK(row["leave_moved_share"] > 0.0);
        const std::set<std::string> lists = {"jump", "guava", "anchor"}; // only the last can leave
        CHECK(row["leaves"].size() == (lists.contains(row["scheme"].get<std::string>()) ? 1U : 3U));
        CHECK_FALSE(row.contains("ns_per_lookup"));
    }
    std::vector<std::string> all;
    const json known = json_of({"schemes", "--format", "json"});
    for (const json& scheme : known["schemes"]) {
        all.push_back(scheme["name"]);
    }
    CHECK(names == all);
    CHECK(row_of(whole, "xxh3", "corrected")["load_gap"] < 0.01);
    CHECK(whole["nodes"] == 5);
    CHECK(whole["keys"] == 2000);
    CHECK(whole["keys_are_made_up"] == false);
    CHECK(whole["joining"]["name"] == "10.0.0.5:11212");
}

TEST_CASE("compare: how even shares and keys are is what `report` says", "[tool][compare]") {
    const scratch folder;
    const std::string keys = folder.write("keys", some_keys(3000));
    const json whole = compare(folder, "a\nb 2\nc 5 down=1\nd 0\ne 3\n", {"--keys", keys});
    for (const char* scheme :
         {"xxh3", "ketama-group", "maglev", "rendezvous", "multi-probe", "dubbo", "dalli"}) {
        const json row = row_of(whole, scheme);
        const json report = json_of({"report", "--scheme", scheme, "--nodes", folder.path("nodes"),
                                     "--keys", keys, "--format", "json"});
        CAPTURE(scheme);
        CHECK(row["load_gap"] == report["load_gap"]);
        CHECK(row["peak_to_mean"] == report["peak_to_mean"]);
        CHECK(row["keys_load_gap"] == report["keys_load_gap"]);
        CHECK(row["keys_peak_to_mean"] == report["keys_peak_to_mean"]);
    }
}

TEST_CASE("compare: what moves is what `diff` says of the same lists", "[tool][compare]") {
    const scratch folder;
    const json whole = compare(folder, five_nodes, {"--keys", folder.write("k", some_keys(10))});
    const std::string before = folder.path("nodes");
    const std::string joined = folder.write("joined", five_more);
    const std::string left = folder.write("left", five_nodes.substr(five_nodes.find('\n') + 1));
    for (const char* scheme :
         {"xxh3", "maglev", "envoy", "libmemcached", "twemproxy", "uhashring", "buraksezer"}) {
        const json row = row_of(whole, scheme);
        CAPTURE(scheme);
        CHECK(row["moves_counted_by_keys"] == false);
        const json join = json_of(
            {"diff", "--scheme", scheme, "--from", before, "--to", joined, "--format", "json"});
        CHECK(row["join"]["moved_share"] == join["moved_share"]);
        CHECK(std::abs(difference(row["join"], join, "least_share")) < 1e-12);
        CHECK(row["join_moved_share"] == join["moved_share"]);
        const json leave = json_of(
            {"diff", "--scheme", scheme, "--from", before, "--to", left, "--format", "json"});
        CHECK(row["leaves"][0]["name"] == "10.0.0.1:11211");
        CHECK(row["leaves"][0]["moved_share"] == leave["moved_share"]);
        CHECK(std::abs(difference(row["leaves"][0], leave, "least_share")) < 1e-12);
    }
}

TEST_CASE("compare: the mean over the nodes that leave is over the least of all of them",
          "[tool][compare]") {
    const scratch folder;
    const json row = row_of(compare(folder, "a\nb 2\nc 3\nd 4\n", {"--scheme", "xxh3"}), "xxh3");
    REQUIRE(row["leaves"].size() == 3);
    CHECK(row["leaves"][0]["name"] == "a");
    CHECK(row["leaves"][1]["name"] == "c");
    CHECK(row["leaves"][2]["name"] == "d");
    double moved = 0.0;
    double least = 0.0;
    for (const json& leave : row["leaves"]) {
        moved += leave["moved_share"].get<double>();
        least += leave["least_share"].get<double>();
    }
    CHECK(std::abs(least - 0.8) < 1e-9);
    CHECK(std::abs(row["leave_moved_share"].get<double>() - moved / 3) < 1e-12);
    CHECK(std::abs(row["leave_times_least"].get<double>() - moved / least) < 1e-12);
    CHECK(std::abs(row["join"]["least_share"].get<double>() - 2.0 / 12.0) < 1e-9); // the median
}

TEST_CASE("compare: where slots do not tell, moves are counted over keys", "[tool][compare]") {
    const scratch folder;
    const json whole =
        compare(folder, five_nodes,
                {"--scheme", "jump", "nginx-modulo", "rendezvous", "multi-probe", "xxh3"});
    CHECK(whole["keys"] == 100'000);
    CHECK(whole["keys_are_made_up"] == true);
    CHECK(whole["schemes"].size() == 6);
    CHECK(row_of(whole, "xxh3")["moves_counted_by_keys"] == false);
    for (const char* scheme : {"jump", "rendezvous", "multi-probe"}) {
        const json row = row_of(whole, scheme);
        CAPTURE(scheme, row);
        CHECK(row["moves_counted_by_keys"] == true);
        CHECK(std::abs(row["join_times_least"].get<double>() - 1.0) < 0.2);
    }
    // By a remainder all but a sixth move: of the numbers modulo 5 and modulo 6 one in 6 is alike.
    const json modulo = row_of(whole, "nginx-modulo");
    CHECK(std::abs(modulo["join_moved_share"].get<double>() - 5.0 / 6.0) < 0.01);
    CHECK(std::abs(modulo["join_times_least"].get<double>() - 5.0) < 0.05);
}

TEST_CASE("diff: slots of another number are not compared, as they hold other keys",
          "[tool][compare]") {
    const scratch folder;
    const std::string from = folder.write("from", five_nodes);
    const std::string to = folder.write("to", five_more);
    check_refused({"diff", "--scheme", "nginx-modulo", "--from", from, "--to", to},
                  "scheme nginx-modulo has 5 slots before and 6 after");
    const std::string other = folder.write("other", five_nodes.substr(0, 60) + "10.0.0.9:11211\n");
    const outcome same =
        run_tool({"diff", "--scheme", "nginx-modulo", "--from", from, "--to", other});
    CHECK(same.code == 0);
    CHECK(same.out == "4\t4\t10.0.0.5:11211\t10.0.0.9:11211\n"
                      "# moved\t10.0.0.5:11211\t10.0.0.9:11211\t0.200000000\n"
                      "# moved_share\t0.200000000\n# least_share\t0.200000000\n");
}

TEST_CASE("compare: memory is what the library says", "[tool][compare]") {
    const scratch folder;
    const json whole =
        compare(folder, "a\nb\nc 2\n", {"--scheme", "xxh3", "maglev", "rendezvous", "multi-probe"});
    const std::vector<hashring::node_spec> specs = {
        {"a", hashring::weight{1}}, {"b", hashring::weight{1}}, {"c", hashring::weight{2}}};
    namespace schemes = hashring::schemes;
    CHECK(row_of(whole, "xxh3")["memory_bytes"] == hashring::ring<>(specs).memory_bytes());
    CHECK(row_of(whole, "maglev")["memory_bytes"] ==
          hashring::table<schemes::maglev>(specs).memory_bytes());
    CHECK(row_of(whole, "maglev")["memory_bytes"] == 2 * 65537);
    CHECK(row_of(whole, "multi-probe")["memory_bytes"] ==
          hashring::table<schemes::multi_probe>(specs).memory_bytes());
    CHECK(row_of(whole, "rendezvous")["memory_bytes"] ==
          hashring::table<schemes::rendezvous>(specs).memory_bytes());
    CHECK(row_of(whole, "rendezvous")["memory_bytes"] > 3 * 12 - 1);
    const std::size_t points = 4 * 160;
    CHECK(row_of(whole, "xxh3")["memory_bytes"] >= points * 12);
    CHECK(row_of(whole, "xxh3")["memory_bytes"] < points * 24);
    CHECK(hashring::ring<>().memory_bytes() == 0);
    CHECK(hashring::table<schemes::jump>({"a", "b"}).memory_bytes() == 0);
}

TEST_CASE("compare: nothing but the time differs from run to run", "[tool][compare]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", five_nodes);
    const std::string keys = folder.write("keys", some_keys(500));
    for (const char* format : {"table", "tsv", "json"}) {
        const arguments call = {"compare",   "--nodes",  nodes,   "--keys",   keys,
                                "--no-time", "--format", format,  "--scheme", "xxh3",
                                "jump",      "dubbo",    "maglev"};
        CHECK(run_tool(call).out == run_tool(call).out);
    }
    const json timed = json_of({"compare", "--nodes", nodes, "--keys", keys, "--format", "json",
                                "--scheme", "xxh3", "jump", "rendezvous", "libketama"});
    CHECK(timed["schemes"].size() == 5);
    for (const json& row : timed["schemes"]) {
        CAPTURE(row);
        CHECK(row["ns_per_lookup"].get<double>() > 0.0);
    }
    const auto tsv = lines(run_tool({"compare", "--nodes", nodes, "--keys", keys, "--format", "tsv",
                                     "--scheme", "jump"})
                               .out);
    CHECK(tsv.at(0) == "scheme\tload_gap\tpeak_to_mean\tkeys_load_gap\tkeys_peak_to_mean\t"
                       "join_moved_share\tjoin_times_least\tleave_moved_share\tleave_times_least\t"
                       "memory_bytes\tns_per_lookup\trefused");
    CHECK(tsv.at(1).find("jump\t0.000000\t1.000000\t") == 0);
}

TEST_CASE("compare: a scheme that cannot read these nodes says why, and is no failure",
          "[tool][compare]") {
    const scratch folder;
    const std::string weighted = "a\nb 2\nc\n";
    const json whole = compare(folder, weighted, {"--scheme", "jump", "xxh3", "brpc"});
    CHECK(row_of(whole, "xxh3").contains("load_gap"));
    CHECK(row_of(whole, "jump")["refused"].get<std::string>().find(
              folder.path("nodes") + ":2: the node 'b' has a weight of 2") == 0);
    CHECK_FALSE(row_of(whole, "jump").contains("load_gap"));
    CHECK(row_of(whole, "brpc")["refused"] != "");
    const outcome table =
        run_tool({"compare", "--nodes", folder.path("nodes"), "--no-time", "--scheme", "jump"});
    CHECK(table.code == 0);
    CHECK(lines(table.out).back().find("jump ") == 0);
    CHECK(lines(table.out).back().find("  refused: " + folder.path("nodes") + ":2: ") !=
          std::string::npos);
    const outcome tsv = run_tool({"compare", "--nodes", folder.path("nodes"), "--no-time",
                                  "--scheme", "jump", "--format", "tsv"});
    CHECK(tsv.out.find("jump\t-\t-\t-\t-\t-\t-\t-\t-\t-\t" + folder.path("nodes") + ":2: ") !=
          std::string::npos);
}

TEST_CASE("compare: one node, nodes that are down and weights of 0", "[tool][compare]") {
    const scratch folder;
    const arguments two = {"--scheme", "xxh3", "maglev"};
    const json one = compare(folder, "only\n", two);
    for (const char* scheme : {"xxh3", "maglev"}) {
        const json row = row_of(one, scheme);
        CAPTURE(row);
        CHECK(row["load_gap"] == 0.0);
        CHECK(row["peak_to_mean"] == 1.0);
        CHECK(row["join"]["least_share"] == 0.5);
        CHECK(row["leaves"].empty());
        CHECK(row["leave_times_least"].is_null());
    }
    CHECK(one["joining"]["name"] == "only-new");
    const json some = compare(folder, "a 0\nb down=1\nc\nd\n", two);
    CHECK(row_of(some, "xxh3")["leaves"].size() == 2);
    CHECK(row_of(some, "xxh3")["leaves"][0]["name"] == "c");
    // Of those that are up one more has a third, and half remains for each of two.
    CHECK(std::abs(row_of(some, "xxh3")["join"]["least_share"].get<double>() - 1.0 / 3.0) < 1e-9);
    CHECK(std::abs(row_of(some, "xxh3")["leaves"][1]["least_share"].get<double>() - 0.5) < 1e-9);
    check_refused({"compare", "--nodes", folder.write("down", "a down=1\nb 0\n")},
                  folder.path("down") + ": no node takes keys: all are down or weigh 0");
}

TEST_CASE("compare: the node that comes is named as the last, and no other is", "[tool][compare]") {
    const scratch folder;
    const auto fresh = [&](const std::string& nodes) {
        return compare(folder, nodes, {"--scheme", "xxh3"})["joining"];
    };
    CHECK(fresh("a\nb\n")["name"] == "b-new");
    CHECK(fresh("node-8\nnode-7\n")["name"] == "node-9");
    CHECK(fresh("h:65535\n")["name"] == "h:1");
    CHECK(fresh("10.0.0.254\n10.0.0.1\n10.0.0.254x\n10.0.0.253\n")["name"] == "10.0.0.2");
    CHECK(fresh("b-new\nb\n")["name"] == "b-new-new");
    CHECK(fresh("a 1\nb 5\nc 3\nd 0\ne 9 down=1\n")["weight"] == 3.0);
    CHECK(fresh("a 1\nb 5\n")["weight"] == 1.0);
}

TEST_CASE("compare: memory does not grow with the number of keys", "[tool][compare]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb\n");
    const std::string keys = some_keys(20'000);
    std::string more;
    for (int i = 0; i < 40; ++i) {
        more += keys;
    }
    const arguments call = {"compare",  "--nodes", nodes,   "--no-time",
                            "--scheme", "maglev",  "--keys"};
    const outcome few = run_tool(with(call, {folder.write("few", keys)}));
    const outcome many = run_tool(with(call, {folder.write("many", more)}));
    CHECK(few.code == 0);
    CHECK(many.out.find("800000") != std::string::npos);
    CHECK(many.peak_kilobytes < few.peak_kilobytes + 4096);
}

TEST_CASE("compare: what is wrong is refused", "[tool][compare]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb\n");
    const arguments call = {"compare", "--nodes", nodes};
    check_refused({"compare"}, "needs --nodes");
    check_refused(with(call, {"--scheme", "md6"}), "unknown scheme 'md6'");
    check_refused(with(call, {"--table-size", "100"}), "no scheme takes '100' for --table-size");
    check_refused(with(call, {"--format", "xml"}), "--format 'xml'");
    check_refused(with(call, {"--hex"}), "--hex");
    check_refused(with(call, {"--keys", folder.write("empty", "")}),
                  folder.path("empty") + ": no keys to compare by");
    check_refused(with(call, {"--keys", folder.path("missing")}), "No such file");
    check_refused(with(call, {"--keys", folder.write("tab", "k\nk\t2\n")}),
                  folder.path("tab") + ":2: ");
    check_refused({"compare", "--nodes", "-", "--keys", "-"}, "standard input cannot be both");
    check_refused({"compare", "--nodes", folder.write("none", "# none\n")}, "no nodes");
}
