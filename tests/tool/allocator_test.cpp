// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/process.hpp"
#include "support/shares_with_copies.hpp"
#include "support/tool_calls.hpp"

#include <hashring/hashring.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// `--allocator corrected`, from end to end.

using namespace hashring;
using nlohmann::json;
using support::arguments;
using support::outcome;
using support::run_tool;
using support::scratch;
using support::with;

namespace {

using corrected = schemes::corrected<schemes::xxh3>;

const std::string five_nodes = "e\nb 2\na\nd 0.5\nc\nidle 0\n"; // not by name
const std::vector<node_spec> five_specs = {{"e"}, {"b", weight{2}},   {"a"}, {"d", weight{0.5}},
                                           {"c"}, {"idle", weight{0}}};

json json_of(const arguments& call) {
    const outcome o = run_tool(with(call, {"--allocator", "corrected", "--format", "json"}));
    CAPTURE(call, o.err);
    REQUIRE(o.code == 0);
    return json::parse(o.out);
}

void check_refused(const arguments& call, const std::string& reason) {
    support::check_refused(call, reason, "k\n");
}

std::vector<std::string> some_keys() {
    std::vector<std::string> keys;
    for (int i = 0; i < 3000; ++i) {
        keys.push_back("user:" + std::to_string(i));
    }
    return keys;
}

/// What `place` answers for each of `keys`: the names behind the key.
std::vector<std::string> answers(const arguments& call, const std::vector<std::string>& keys) {
    std::string in;
    for (const std::string& key : keys) {
        in += key + "\n";
    }
    auto nodes = support::answers(with({"place", "--allocator", "corrected"}, call), in);
    REQUIRE(nodes.size() == keys.size());
    return nodes;
}

template <class Scheme>
void check_points_and_gap() {
    const scratch folder;
    const std::string name(Scheme::name);
    CAPTURE(name);
    const arguments of = {"--scheme", name, "--nodes", folder.write("nodes", five_nodes)};
    const ring<schemes::corrected<Scheme>> ring(five_specs);
    std::string expected;
    for (const auto& [position, node] : ring.points()) {
        expected += ring.scheme().text(position) + "\t" + std::string(node.name()) + "\n";
    }
    CHECK(run_tool(with({"ring", "--allocator", "corrected"}, of)).out == expected);
    const json whole = json_of(with({"report"}, of));
    CHECK(whole["scheme"] == name);
    CHECK(whole["allocator"] == "corrected");
    CHECK(std::stoull(whole["fingerprint"].get<std::string>(), nullptr, 16) == ring.fingerprint());
    CHECK(whole["load_gap"].get<double>() <= 0.005);
    CHECK(whole["expected_gap"] == whole["load_gap"]);
    CHECK(whole["nodes"][0]["vnodes"] == ring.find("e")->vnodes());
    CHECK(whole["nodes"][5]["share"] == 0.0);
}

} // namespace

TEST_CASE("corrected: ring and report are those of the library, for every scheme that can be",
          "[tool][corrected]") {
    check_points_and_gap<schemes::xxh3>();
    check_points_and_gap<schemes::ketama_group>();
    check_points_and_gap<schemes::murmur_shard>();
    check_points_and_gap<schemes::murmur_shard_named>();
}

TEST_CASE("corrected: place and diff are those of the library", "[tool][corrected]") {
    const scratch folder;
    const std::string from = folder.write("from", five_nodes);
    const std::string to = folder.write("to", "a\nb\nc\n");
    const ring<corrected> before(five_specs);
    const ring<corrected> after{"a", "b", "c"};
    std::vector<std::string> owners;
    std::vector<std::string> two;
    for (const std::string& key : some_keys()) {
        const auto both = before.replicas(key, 2);
        owners.emplace_back(both[0].name());
        two.push_back(std::string(both[0].name()) + "\t" + std::string(both[1].name()));
    }
    CHECK(answers({"--nodes", from}, some_keys()) == owners);
    CHECK(answers({"--nodes", from, "--copies", "2"}, some_keys()) == two);
    const auto moved = diff(before, after);
    const json whole = json_of({"diff", "--from", from, "--to", to});
    CHECK(whole["allocator"] == "corrected");
    CHECK(whole["arcs"].size() == moved.arcs().size());
    CHECK(whole["moved_share"] == moved.moved_fraction());
    CHECK(whole["least_share"] == moved.least_fraction());
}

TEST_CASE("corrected: options reach the allocator", "[tool][corrected]") {
    const scratch folder;
    const arguments of = {"report", "--nodes", folder.write("nodes", "a\nb\nc\nd\ne\nf\n")};
    corrected scheme;
    scheme.vnodes_per_unit = 64;
    scheme.tolerance = 30'000;
    const ring<corrected> ring({"a", "b", "c", "d", "e", "f"}, scheme);
    const json wide = json_of(with(of, {"--tolerance", "30000", "--vnodes", "64"}));
    CHECK(std::stoull(wide["fingerprint"].get<std::string>(), nullptr, 16) == ring.fingerprint());
    CHECK(wide["load_gap"].get<double>() <= 0.06);
    CHECK(wide["load_gap"].get<double>() > 0.01);
}

TEST_CASE("report: with copies it is the share with copies that can be corrected",
          "[tool][corrected]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "c\na\nb\nd\ne\nf\n");
    const arguments of = {"report", "--nodes", nodes, "--copies", "3"};
    const json plain = json::parse(run_tool(with(of, {"--format", "json"})).out);
    const auto shares = shares_with_copies(ring<>{"a", "b", "c", "d", "e", "f"}, 3);
    CHECK_FALSE(plain.contains("allocator"));
    double sum = 0;
    for (const json& row : plain["nodes"]) {
        const auto i = static_cast<std::size_t>(row["name"].get<std::string>()[0] - 'a');
        CHECK(std::abs(row["share_with_copies"].get<double>() - shares[i]) < 1e-12);
        sum += row["share_with_copies"].get<double>();
    }
    CHECK(std::abs(sum - 3.0) < 1e-12);
    CHECK(std::abs(plain["copies_load_gap"].get<double>() - measure(shares).load_gap) < 1e-12);
    CHECK(plain["copies_load_gap"].get<double>() > 0.02);

    const json even = json_of(with(of, {"--corrected-copies", "3", "--vnodes", "512"}));
    CHECK(even["copies_load_gap"].get<double>() <= 0.005);
    CHECK(even["load_gap"].get<double>() > 0.02); // of owners alone
    const auto tsv = support::lines(run_tool(with(of, {"--format", "tsv"})).out);
    CHECK(tsv.at(0) == "node\tweight\tvnodes\twished_share\tshare\tshare_with_copies");
    const json all = json_of({"report", "--nodes", nodes, "--copies", "7"});
    CHECK(all["nodes"][0]["share_with_copies"] == 1.0);
    CHECK(all["copies_load_gap"] == 0.0);
}

TEST_CASE("report: a node that is down holds no copies", "[tool][corrected]") {
    const scratch folder;
    const json whole =
        json_of({"report", "--nodes", folder.write("n", "a\nb down=1\nc\n"), "--copies", "2"});
    CHECK(whole["nodes"][0]["share_with_copies"] == 1.0);
    CHECK(whole["nodes"][1]["share_with_copies"] == 0.0);
    CHECK(whole["nodes"][2]["share_with_copies"] == 1.0);
}

TEST_CASE("corrected: explain finds labels behind as many as the node has", "[tool][corrected]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", five_nodes);
    const ring<corrected> ring(five_specs);
    std::size_t behind = 0;
    for (const std::string& key : some_keys()) {
        if (behind == 3) {
            break;
        }
        const auto owner = *ring.owner(key);
        const std::size_t point = ring.point_index(ring.position(key));
        std::vector<std::uint64_t> first(owner.vnodes());
        ring.scheme().points({owner.name(), {}, {}, 0}, first);
        if (std::count(first.begin(), first.end(), ring.point_position(point)) > 0) {
            continue;
        }
        ++behind;
        CAPTURE(key);
        const json steps = json_of({"explain", "--nodes", nodes, key});
        CHECK(steps["owner"] == std::string(owner.name()));
        CHECK(steps["point"] == std::to_string(ring.point_position(point)));
        const auto label = steps["label"].get<std::string>(); // mix(xxh3(NAME) + J * ...
        const auto j = std::stoull(label.substr(label.find(" + ") + 3));
        CHECK(j > owner.vnodes());
        CHECK(steps["point"] ==
              std::to_string(hashed_once_position(hash::xxh3{}(owner.name()), j - 1)));
    }
    CHECK(behind == 3);
}

TEST_CASE("corrected: who goes down hands on its keys, and no other key moves",
          "[tool][corrected]") {
    const scratch folder;
    const ring<corrected> all(five_specs);
    const std::string up = folder.write("up", five_nodes);
    const std::string down = folder.write("down", "e\nb 2 down=1\na\nd 0.5 down=1\nc\nidle 0\n");
    std::vector<std::string> expected;
    for (const std::string& key : some_keys()) {
        for (const auto& node : all.replicas(key, 5)) {
            if (node.name() != "b" && node.name() != "d") {
                expected.emplace_back(node.name());
                break;
            }
        }
    }
    CHECK(answers({"--nodes", down}, some_keys()) == expected);
    const auto shares = all.shares();
    const json moved = json_of({"diff", "--from", up, "--to", down});
    CHECK(std::abs(moved["moved_share"].get<double>() - shares[all.index_of("b")] -
                   shares[all.index_of("d")]) < 1e-12);
    const json report = json_of({"report", "--nodes", down});
    CHECK(report["nodes"][1]["share"] == 0.0);
    CHECK(report["nodes"][1]["vnodes"] == all.find("b")->vnodes());
    CHECK(report["fingerprint"] == json_of({"report", "--nodes", up})["fingerprint"]);
    CHECK(run_tool({"ring", "--allocator", "corrected", "--nodes", down}).out ==
          run_tool({"ring", "--allocator", "corrected", "--nodes", up}).out);
    CHECK(answers({"--nodes", folder.write("none", "a down=1\nb down=1\n")}, {"k"}) ==
          std::vector<std::string>{"-"});
}

TEST_CASE("corrected: the order of the file does not matter where names place",
          "[tool][corrected]") {
    const scratch folder;
    const std::string forward = folder.write("f", "a\nb 2\nc\n");
    const std::string backward = folder.write("b", "c\nb 2\na\n");
    for (const std::string scheme : {"xxh3", "murmur-shard-named"}) {
        CAPTURE(scheme);
        CHECK(answers({"--scheme", scheme, "--nodes", forward}, some_keys()) ==
              answers({"--scheme", scheme, "--nodes", backward}, some_keys()));
    }
}

TEST_CASE("tool: the plain allocator is what there is without one", "[tool][corrected]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", five_nodes);
    for (const std::string scheme :
         {"xxh3", "ketama-group", "murmur-shard", "murmur-shard-named", "bkdr-spaced"}) {
        CAPTURE(scheme);
        const arguments call = {"report", "--scheme", scheme, "--nodes", nodes};
        const outcome plain = run_tool(with(call, {"--allocator", "plain"}));
        CHECK(plain.code == 0);
        CHECK(plain.out == run_tool(call).out);
    }
}

TEST_CASE("schemes: say which can be corrected, and with what options", "[tool][corrected]") {
    const json whole = json::parse(run_tool({"schemes", "--format", "json"}).out);
    arguments can_be;
    for (const json& scheme : whole["schemes"]) {
        const bool counts = scheme["options"].dump().find("virtual nodes a unit of weight") !=
                            std::string::npos; // not of each node, or of the whole list
        CHECK(scheme.contains("allocators") == counts);
        if (scheme.contains("options_when_corrected")) {
            can_be.push_back(scheme["name"]);
            CHECK(scheme["allocators"] == json({"plain", "corrected"}));
            CHECK(scheme["options_when_corrected"][0]["name"] == "corrected-copies");
            CHECK(scheme["options_when_corrected"][1]["name"] == "tolerance");
        }
    }
    CHECK(can_be == arguments{"xxh3", "ketama-group", "murmur-shard", "murmur-shard-named"});
    CHECK(run_tool({"schemes"}).out.find("--allocator plain|corrected  plain") !=
          std::string::npos);
    const std::string help = run_tool({"diff", "--help"}).out;
    CHECK(help.find("--allocator plain|corrected") != std::string::npos);
    CHECK(help.find("--corrected-copies R") != std::string::npos);
}

TEST_CASE("corrected: what cannot be is refused in one line", "[tool][corrected][errors]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb\n");
    const auto corrects = [&](const arguments& more) {
        return with({"place", "--nodes", nodes, "--allocator", "corrected"}, more);
    };
    check_refused(corrects({"--scheme", "bkdr-spaced"}), "do not lie independently");
    check_refused(corrects({"--scheme", "uhashring"}), "its circle has more than 64 bits");
    for (const std::string allocator : {"plain", "corrected"}) {
        for (const std::string scheme :
             {"libmemcached", "libmemcached-weighted", "twemproxy", "spymemcached", "libketama"}) {
            check_refused({"place", "--nodes", nodes, "--scheme", scheme, "--allocator", allocator},
                          "scheme " + scheme + " has counts of its own: it takes no --allocator");
        }
        for (const std::string scheme : {"maglev", "jump"}) {
            check_refused({"place", "--nodes", nodes, "--scheme", scheme, "--allocator", allocator},
                          "scheme " + scheme + " has no virtual nodes");
        }
    }
    check_refused({"place", "--nodes", nodes, "--allocator", "best"}, "plain and corrected are");
    check_refused({"place", "--nodes", nodes, "--tolerance", "9"},
                  "--tolerance needs --allocator corrected");
    check_refused({"place", "--nodes", nodes, "--corrected-copies", "2"},
                  "--corrected-copies needs --allocator corrected");
    check_refused({"place", "--scheme", "maglev", "--nodes", nodes, "--tolerance", "9"},
                  "scheme maglev has no option --tolerance");
    check_refused(corrects({"--corrected-copies", "0"}), "--corrected-copies '0'");
    check_refused(corrects({"--corrected-copies", "256"}), "--corrected-copies '256'");
    check_refused(corrects({"--tolerance", "1000001"}), "--tolerance '1000001'");
    check_refused(corrects({"--tolerance", "0.2%"}), "--tolerance '0.2%'");
    check_refused(corrects({"--table-size", "7"}), "no option --table-size");
    const std::string heavy = folder.write("heavy", "a\nb 1000000\n");
    check_refused({"report", "--allocator", "corrected", "--nodes", heavy},
                  heavy + ":2: a weight of 1000000 asks for");
    check_refused({"report", "--allocator", "corrected", "--nodes",
                   folder.write("many", "a 100000\nb 100000\n")},
                  "32000000 points");
    check_refused({"report", "--nodes", nodes, "--copies", "0"}, "--copies '0'");
    check_refused({"report", "--scheme", "jump", "--nodes", nodes, "--copies", "2"},
                  "no --copies above 1");
}
