// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/process.hpp"

#include <hashring/hashring.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <string>
#include <vector>

using hashring::weight;
using nlohmann::json;
using support::outcome;
using support::run_tool;
using support::scratch;

namespace {

std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> result(1);
    for (const char c : line) {
        if (c == '\t') {
            result.emplace_back();
        } else {
            result.back() += c;
        }
    }
    return result;
}

template <class Scheme>
void check_dump(const hashring::ring<Scheme>& ring, const std::string& nodes) {
    std::string expected;
    for (const auto& [position, node] : ring.points()) {
        expected += ring.scheme().text(position) + "\t" + std::string(node.name()) + "\n";
    }
    const outcome o = run_tool({"ring", "--scheme", std::string(Scheme::name), "--nodes", nodes});
    CHECK(o.code == 0);
    CHECK(o.out == expected);
}

} // namespace

TEST_CASE("ring: prints the points of every scheme in order", "[tool][ring]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb 2\n");
    const std::vector<hashring::node_spec> specs = {{"a", weight{1}}, {"b", weight{2}}};
    namespace schemes = hashring::schemes;
    check_dump(hashring::ring<schemes::xxh3>(specs), nodes);
    check_dump(hashring::ring<schemes::ketama_group>(specs), nodes);
    check_dump(hashring::ring<schemes::murmur_shard>(specs), nodes);
    check_dump(hashring::ring<schemes::murmur_shard_named>(specs), nodes);
    check_dump(hashring::ring<schemes::bkdr_spaced>(specs), nodes);
    check_dump(hashring::ring<hashring::compat::libmemcached_weighted>(specs), nodes);
    hashring::compat::libmemcached turned; // by the weight of 2
    turned.weighted = true;
    check_dump(hashring::ring<hashring::compat::libmemcached>(specs, turned), nodes);
}

TEST_CASE("ring: JSON has positions as text and the fingerprint", "[tool][ring]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\n");
    const json whole =
        json::parse(run_tool({"ring", "--nodes", nodes, "--vnodes", "2", "--format", "json"}).out);
    CHECK(whole["scheme"] == "xxh3");
    REQUIRE(whole["points"].size() == 2);
    CHECK(whole["points"][0]["position"].is_string());
    CHECK(whole["points"][1]["node"] == "a");
    CHECK(whole["fingerprint"].get<std::string>().size() == 16);
}

TEST_CASE("ring: names are unescaped, comments and a CR dropped, an address hashed",
          "[tool][ring]") {
    const scratch folder;
    const std::string nodes =
        folder.write("nodes", "# first\r\n  a%20b%25#1\t1 # note\r\n\tc zone=z rack=r host=h id=7 "
                              "guid=g addr=192.0.2.1 #x\n");
    const outcome o =
        run_tool({"report", "--nodes", nodes, "--scheme", "bkdr-spaced", "--format", "tsv"});
    const auto rows = support::lines(o.out);
    CHECK(fields(rows.at(1)).at(0) == "a b%#1");
    CHECK(fields(rows.at(2)).at(0) == "c");
    const auto first = hashring::hash::bkdr_printed<31>{}("192.0.2.1");
    const outcome dump = run_tool({"ring", "--nodes", nodes, "--scheme", "bkdr-spaced"});
    CHECK(dump.out.find(std::to_string(first) + "\tc\n") != std::string::npos);
}

TEST_CASE("report: shares, counts and measures are those of the library", "[tool][report]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "b 2\na\nz 0\nc 0.5\n"); // not by name
    std::string keys;
    for (int i = 0; i < 5000; ++i) {
        keys += std::to_string(i) + "\n";
    }
    const std::string key_file = folder.write("keys", keys);
    const json whole = json::parse(
        run_tool({"report", "--nodes", nodes, "--keys", key_file, "--format", "json"}).out);

    const hashring::ring<> ring{
        {"a", weight{1}}, {"b", weight{2}}, {"c", weight{0.5}}, {"z", weight{0}}};
    std::map<std::string, int> counted;
    for (int i = 0; i < 5000; ++i) {
        ++counted[std::string(ring.owner(std::to_string(i))->name())];
    }
    std::vector<double> loads;
    std::vector<double> key_loads;
    REQUIRE(whole["nodes"].size() == 4);
    CHECK(whole["nodes"][0]["name"] == "b"); // in the order of the file
    for (const json& row : whole["nodes"]) {
        const std::string name = row["name"];
        CAPTURE(name);
        const std::uint32_t i = ring.index_of(name);
        CHECK(row["weight"] == ring.node(i).weight().value());
        CHECK(row["vnodes"] == ring.node(i).vnodes());
        CHECK(row["share"] == ring.shares()[i]);
        CHECK(std::abs(row["wished_share"].get<double>() - ring.node(i).weight().value() / 3.5) <
              1e-12);
        CHECK(row["keys"] == counted[name]);
        if (name != "z") {
            loads.push_back(ring.shares()[i] / ring.node(i).weight().value());
            key_loads.push_back(counted[name] / ring.node(i).weight().value());
        }
    }
    const auto close = [&](const char* key, double expected) {
        CAPTURE(key);
        CHECK(std::abs(whole[key].get<double>() - expected) < 1e-9);
    };
    close("load_gap", hashring::measure(loads).load_gap);
    close("peak_to_mean", hashring::measure(loads).peak_to_mean);
    close("coefficient_of_variation", hashring::measure(loads).coefficient_of_variation);
    close("keys_load_gap", hashring::measure(key_loads).load_gap);
    close("keys_peak_to_mean", hashring::measure(key_loads).peak_to_mean);
    const std::vector<std::uint32_t> vnodes{320, 160, 80};
    close("expected_gap", hashring::expected_load_gap(vnodes));
    CHECK(whole["keys"] == 5000);
}

TEST_CASE("report: what is down takes no share, and its load goes on", "[tool][report]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb\nc down=1\n");
    const json whole = json::parse(run_tool({"report", "--nodes", nodes, "--format", "json"}).out);
    CHECK(whole["nodes"][2]["share"] == 0.0);
    CHECK(whole["nodes"][2]["down"] == true);
    const double sum =
        whole["nodes"][0]["share"].get<double>() + whole["nodes"][1]["share"].get<double>();
    CHECK(std::abs(sum - 1.0) < 1e-12);
    CHECK(whole["load_gap"].get<double>() < 1.0);
}

TEST_CASE("report: spaced virtual nodes promise no better gap than one point each",
          "[tool][report]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb\nc\n");
    const json whole = json::parse(
        run_tool({"report", "--scheme", "bkdr-spaced", "--nodes", nodes, "--format", "json"}).out);
    CHECK(std::abs(whole["expected_gap"].get<double>() - 1.5) < 1e-3); // H_3 − 1/3
}

TEST_CASE("report: the table and TSV hold the same rows", "[tool][report]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "alpha\nb 2\n");
    const auto tsv = support::lines(run_tool({"report", "--nodes", nodes, "--format", "tsv"}).out);
    const auto table = support::lines(run_tool({"report", "--nodes", nodes}).out);
    CHECK(tsv.at(0) == "node\tweight\tvnodes\twished_share\tshare");
    CHECK(table.at(0) == "node   weight  vnodes  wished_share     share");
    CHECK(fields(tsv.at(2)).at(3) == "0.666667");
    CHECK(table.at(2).find("0.666667") != std::string::npos);
    CHECK(tsv.at(3) == "# scheme\txxh3");
}

TEST_CASE("diff: lines are the library's arcs, totals begin with a number sign", "[tool][diff]") {
    const scratch folder;
    const std::string from = folder.write("from", "a\nb\nc\n");
    const std::string to = folder.write("to", "a\nc 2\nd\n");
    const hashring::ring<> before{"a", "b", "c"};
    const hashring::ring<> after{{"a"}, {"c", weight{2}}, {"d"}};
    const auto moved = diff(before, after);
    std::string expected;
    for (const auto& a : moved.arcs()) {
        expected += std::to_string(a.where.first) + "\t" + std::to_string(a.where.last) + "\t" +
                    std::string(moved.name(a.from)) + "\t" + std::string(moved.name(a.to)) + "\n";
    }
    const outcome o = run_tool({"diff", "--from", from, "--to", to});
    CHECK(o.code == 0);
    CHECK(o.out.substr(0, expected.size()) == expected);
    const auto totals = support::lines(o.out.substr(expected.size()));
    for (const std::string& line : totals) {
        CHECK(line.find("# ") == 0);
    }
    CHECK(totals.size() == moved.transfers().size() + 2);
    CHECK(std::abs(std::stod(fields(totals[totals.size() - 2]).at(1)) - moved.moved_fraction()) <
          1e-9);
    CHECK(totals.back() == "# least_share\t0.416666667"); // c grows by 1/6, d by 1/4

    const json whole =
        json::parse(run_tool({"diff", "--from", from, "--to", to, "--format", "json"}).out);
    CHECK(whole["arcs"].size() == moved.arcs().size());
    CHECK(whole["moved_share"] == moved.moved_fraction());
}

TEST_CASE("diff: no owner is a dash, and equal files differ in nothing", "[tool][diff]") {
    const scratch folder;
    const std::string none = folder.write("none", "a 0\n");
    const std::string one = folder.write("one", "a\n");
    const auto gained =
        support::lines(run_tool({"diff", "--from", none, "--to", one, "--vnodes", "1"}).out);
    REQUIRE(gained.size() == 4);
    CHECK(fields(gained[0]).at(2) == "-");
    CHECK(fields(gained[0]).at(3) == "a");
    CHECK(gained[2] == "# moved_share\t1.000000000");
    CHECK(run_tool({"diff", "--from", one, "--to", one}).out ==
          "# moved_share\t0.000000000\n# least_share\t0.000000000\n");
}

TEST_CASE("explain: tells the way of a key step by step", "[tool][explain]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb\nc\n");
    const hashring::ring<> ring{"a", "b", "c"};
    for (const std::string key : {"user:42", "", "x"}) {
        CAPTURE(key);
        const json steps =
            json::parse(run_tool({"explain", "--nodes", nodes, "--format", "json", "--", key}).out);
        const auto order = ring.replicas(key, 3);
        CHECK(steps["position"] == std::to_string(ring.position(key)));
        CHECK(steps["point"] ==
              std::to_string(ring.point_position(ring.point_index(ring.position(key)))));
        CHECK(steps["owner"] == std::string(order[0].name()));
        CHECK(steps["next"][0] == std::string(order[1].name()));
        CHECK(steps["next"][1] == std::string(order[2].name()));
        CHECK(steps["skipped"].empty());
        CHECK(steps["label"].get<std::string>().find("mix(xxh3(" + std::string(order[0].name())) ==
              0);
    }
    const json bytes = json::parse(
        run_tool({"explain", "--nodes", nodes, "--hex", "--format", "json", "4A00"}).out);
    CHECK(bytes["key"] == "4a00");
    CHECK(bytes["hashed_bytes"] == "4a00");
    CHECK(bytes["position"] == std::to_string(ring.position(std::string("J\0", 2))));
}

TEST_CASE("explain: a node that is down behind the owner is not skipped", "[tool][explain]") {
    const scratch folder;
    const hashring::ring<> ring{"a", "b"};
    const std::string owner(ring.owner("k")->name());
    const std::string other = owner == "a" ? "b" : "a";
    const std::string nodes = folder.write("nodes", owner + "\n" + other + " down=1\n");
    const json steps =
        json::parse(run_tool({"explain", "--nodes", nodes, "--format", "json", "k"}).out);
    CHECK(steps["owner"] == owner);
    CHECK(steps["skipped"].empty());
    CHECK(steps["next"].empty());
}

TEST_CASE("diff: who goes down hands on what it answered for", "[tool][diff]") {
    const scratch folder;
    const std::string up = folder.write("up", "a\nb\nc\n");
    const std::string down = folder.write("down", "a\nb down=1\nc\n");
    const hashring::ring<> all{"a", "b", "c"};
    const json one =
        json::parse(run_tool({"diff", "--from", up, "--to", down, "--format", "json"}).out);
    CHECK(one["moved_share"] == all.shares()[1]);
    for (const json& arc : one["arcs"]) {
        CHECK(arc["from"] == "b");
    }
    const std::string none = folder.write("none", "a down=1\nb down=1\nc down=1\n");
    const json gone =
        json::parse(run_tool({"diff", "--from", up, "--to", none, "--format", "json"}).out);
    CHECK(gone["moved_share"] == 1.0);
    CHECK(gone["arcs"][0]["to"] == "-");
}

TEST_CASE("explain: names who is skipped and why", "[tool][explain]") {
    const scratch folder;
    const hashring::ring<> ring{"a", "b"};
    const std::string owner(ring.owner("k")->name());
    const std::string other = owner == "a" ? "b" : "a";
    const std::string nodes = folder.write("nodes", owner + " down=1\n" + other + "\n");
    const json steps =
        json::parse(run_tool({"explain", "--nodes", nodes, "--format", "json", "k"}).out);
    CHECK(steps["owner"] == other);
    CHECK(steps["skipped"][0]["name"] == owner);
    CHECK(steps["skipped"][0]["reason"] == "down");
    const std::string text = run_tool({"explain", "--nodes", nodes, "k"}).out;
    CHECK(text.find("skipped       " + owner + " (down)") != std::string::npos);
}

TEST_CASE("explain: the labels of points lead back to their positions", "[tool][explain]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "GroupA\nGroupB\n");
    const json steps = json::parse(
        run_tool({"explain", "--scheme", "ketama-group", "--nodes", nodes, "--format", "json", "k"})
            .out);
    const std::string label = steps["label"]; // such as "GroupA17 word 2"
    const std::size_t space = label.find(" word ");
    REQUIRE(space != std::string::npos);
    const auto digest = hashring::hash::md5::digest(label.substr(0, space));
    const auto word = static_cast<std::size_t>(label.back() - '0');
    CHECK(steps["point"] == std::to_string(digest.words.at(word)));
    const json shard = json::parse(
        run_tool({"explain", "--scheme", "murmur-shard", "--nodes", nodes, "--format", "json", "k"})
            .out);
    const auto hash =
        hashring::hash::murmur64a{hashring::hash::jedis_seed}(shard["label"].get<std::string>());
    CHECK(shard["point"] == std::to_string(static_cast<std::int64_t>(hash)));
    const json spaced = json::parse(
        run_tool({"explain", "--scheme", "bkdr-spaced", "--nodes", nodes, "--format", "json", "k"})
            .out);
    const std::string steps_on = spaced["label"]; // such as "GroupA, and 17 equal steps on"
    const std::size_t comma = steps_on.find(", and ");
    REQUIRE(comma != std::string::npos);
    const auto origin = hashring::hash::bkdr_printed<31>{}(steps_on.substr(0, comma));
    const auto step = static_cast<std::uint32_t>(std::stoul(steps_on.substr(comma + 6)));
    CHECK(spaced["point"] == std::to_string(hashring::spaced_position(origin, step, 160)));
}

TEST_CASE("schemes: lists names, options and rules", "[tool][schemes]") {
    const json whole = json::parse(run_tool({"schemes", "--format", "json"}).out);
    std::vector<std::string> names;
    for (const json& scheme : whole["schemes"]) {
        if (scheme["rules"].get<std::string>().find("\nnodes: ") != std::string::npos) {
            continue; // a table: see table_test.cpp
        }
        names.push_back(scheme["name"]);
        const std::string name = scheme["name"];
        const bool by_vnodes =
            names.size() <= 5 || name.starts_with("uhashring") || name == "dubbo";
        CHECK((!scheme["options"].empty() && scheme["options"][0]["name"] == "vnodes") ==
              by_vnodes);
        const bool by_hash = name.starts_with("libmemcached") || name == "twemproxy" ||
                             name == "spymemcached" || name.starts_with("jedis") || name == "brpc";
        CHECK((!by_hash || scheme["options"][0]["name"] == "hash"));
        for (const char* part : {"key: ", "\npoints: ", "\nowner: ", "\ntie: "}) {
            CHECK(scheme["rules"].get<std::string>().find(part) != std::string::npos);
        }
    }
    CHECK(names == std::vector<std::string>{"xxh3",
                                            "ketama-group",
                                            "murmur-shard",
                                            "murmur-shard-named",
                                            "bkdr-spaced",
                                            "libmemcached",
                                            "libmemcached-weighted",
                                            "libmemcached-spy",
                                            "twemproxy",
                                            "spymemcached",
                                            "libketama",
                                            "uhashring-ketama",
                                            "uhashring",
                                            "nginx",
                                            "haproxy",
                                            "envoy",
                                            "grpc",
                                            "grpc-core",
                                            "grpc-java-1.41",
                                            "grpc-java-1.49",
                                            "grpc-java-1.68",
                                            "jedis",
                                            "jedis-2.9",
                                            "brpc",
                                            "dubbo",
                                            "dalli",
                                            "stathat",
                                            "groupcache",
                                            "serialx",
                                            "go-ketama",
                                            "npm-hashring"});
    CHECK(run_tool({"schemes"}).out.find("murmur-shard ") != std::string::npos);
}

TEST_CASE("tool: the same nodes in another order give the same placement", "[tool]") {
    const scratch folder;
    const std::string forward = folder.write("f", "a\nb\nc\n");
    const std::string backward = folder.write("b", "c\nb\na\n");
    const auto placed = [&](const std::string& scheme, const std::string& nodes) {
        return run_tool({"place", "--scheme", scheme, "--nodes", nodes},
                        {"1\n2\n3\n4\n5\n6\n7\n8\n"})
            .out;
    };
    for (const std::string scheme : {"xxh3", "murmur-shard-named", "bkdr-spaced", "ketama-group"}) {
        CAPTURE(scheme);
        CHECK(placed(scheme, forward) == placed(scheme, backward));
    }
    CHECK(placed("murmur-shard", forward) != placed("murmur-shard", backward));
}
