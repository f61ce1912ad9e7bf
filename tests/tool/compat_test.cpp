// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/golden_rings.hpp"
#include "support/memcached_files.hpp"
#include "support/mismatches.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Golden files of other programs against the command line that is to place as they do.

using support::arguments;
using support::check_refused;
using support::outcome;
using support::run_tool;
using support::scratch;

namespace {

// A file's nodes as the tool reads them.
std::string nodes_text(const std::vector<hashring::node_spec>& nodes) {
    std::string text;
    for (const auto& node : nodes) {
        text += node.name + " " + node.weight.text();
        text += (node.address.empty() ? "" : " addr=" + node.address) + "\n";
    }
    return text;
}

arguments arguments_of(const golden::memcached_call& call) {
    arguments options{"place", "--scheme", call.scheme};
    for (const auto& [option, value] : call.options) {
        options.push_back("--" + option);
        if (value != "1") { // no flag
            options.push_back(value);
        }
    }
    return options;
}

// Whether each key that the program takes gets its owner.
bool places_like(const golden::memcached_file& file, const golden::memcached_call& call) {
    const scratch folder;
    const auto nodes = golden::nodes_of(file);
    const outcome o = run_tool(support::with(
        arguments_of(call), {"--nodes", folder.write("nodes", nodes_text(nodes)), "--keys",
                             std::string(HASHRING_GOLDEN_DIR) + "/" + file.keys, "--hex"}));
    const auto keys = golden::lines(file.keys);
    const auto owners = golden::lines(file.path);
    const auto placed = support::lines(o.out);
    bool same = o.code == 0 && o.err.empty() && placed.size() == keys.size();
    for (std::size_t i = 0; same && i < keys.size(); ++i) {
        same = owners.at(i) == "-" ||
               placed[i] == keys[i] + "\t" + nodes.at(std::stoul(owners[i])).name;
    }
    return same;
}

} // namespace

// All lines that a call can make; `compat/memcached_golden_test.cpp` has the others.
TEST_CASE("compat: the tool places every golden file as its program did", "[tool][compat][heavy]") {
    hashring::test::mismatches wrong;
    std::size_t files = 0;
    for (const golden::memcached_file& file : golden::memcached_files("memcached/owners")) {
        if (const auto call = golden::call_of(file)) {
            ++files;
            wrong.expect(places_like(file, *call), file.path);
        }
    }
    CHECK(wrong.report() == "");
    CHECK(files > 150);
}

TEST_CASE("compat: the ring of libmemcached is printed as it dumps it", "[tool][compat]") {
    const std::string topology = GENERATE("T1", "T2");
    const scratch folder;
    const outcome o = run_tool(
        {"ring", "--scheme", "libmemcached", "--nodes",
         folder.write("nodes",
                      nodes_text(golden::topology("memcached/topo/" + topology + ".tsv")))});
    CHECK(o.code == 0);
    CHECK((support::lines(o.out) ==
           golden::lines("memcached/rings/libmemcached.ketama.default." + topology + ".tsv")));
}

TEST_CASE("compat: libmemcached takes a weight of 0 for 1", "[tool][compat]") {
    const std::string scheme = GENERATE("libmemcached", "libmemcached-weighted");
    const scratch folder;
    const auto dumped = [&](std::string_view nodes) {
        return run_tool({"ring", "--scheme", scheme, "--nodes", folder.write("nodes", nodes)}).out;
    };
    CHECK(support::lines(dumped("a 0\nb\n")).size() > 100);
    CHECK(dumped("a 0\nb\n") == dumped("a 1\nb\n"));
    CHECK(dumped("a 0\nb 2\n") == dumped("a 1\nb 2\n"));
    const outcome o = run_tool({"report", "--scheme", scheme, "--nodes",
                                folder.write("nodes", "a 0\nb\n"), "--format", "tsv"});
    CHECK(golden::fields(support::lines(o.out).at(1)).at(1) == "1");
}

TEST_CASE("compat: libmemcached refuses fractions and counts by option", "[tool][compat]") {
    const std::string scheme = GENERATE("libmemcached", "libmemcached-weighted");
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb 0.5\n");
    check_refused({"report", "--scheme", scheme, "--nodes", nodes},
                  nodes + ":2: the weight 0.5 of 'b' is not a whole number");
    const std::string good = folder.write("good", "a\nb 2\n");
    check_refused({"report", "--scheme", scheme, "--nodes", good, "--vnodes", "40"},
                  "scheme " + scheme + " has no option --vnodes");
    check_refused({"report", "--scheme", scheme, "--nodes", good, "--hash", "sha1"},
                  "--hash 'sha1' is none of default, md5");
    check_refused({"report", "--scheme", "ketama-group", "--nodes", good, "--hash", "md5"},
                  "scheme ketama-group has no option --hash");
}

TEST_CASE("compat: explain says which of libmemcached's hashes it was", "[tool][compat]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a:11211\nb:11212 2\n");
    const std::string text =
        run_tool({"explain", "--scheme", "libmemcached", "--hash", "md5", "--nodes", nodes, "k"})
            .out;
    CHECK(text.find("by the option hash; hash = md5; unsigned-char = 0; weighted = 1\n") !=
          std::string::npos);
    CHECK(text.find(" word ") != std::string::npos);
}

// The counts of all depend on how many there are: 25 servers have 156 points each, 24 have 160.
TEST_CASE("compat: a program that ejects places like one without the node that is down",
          "[tool][compat]") {
    const std::string scheme = GENERATE("twemproxy", "twemproxy-modula", "libmemcached-weighted",
                                        "libmemcached-spy", "envoy", "envoy-maglev");
    std::string with_down;
    std::string without;
    for (int i = 0; i < 25; ++i) {
        const std::string node = "cache" + std::to_string(i);
        with_down += node + (i == 7 ? " down=1\n" : "\n");
        without += i == 7 ? "" : node + "\n";
    }
    std::string keys;
    for (int i = 0; i < 1000; ++i) {
        keys += "key" + std::to_string(i) + "\n";
    }
    const scratch folder;
    const auto placed = [&](std::string_view nodes) {
        return support::answers(
            {"place", "--scheme", scheme, "--nodes", folder.write("nodes", nodes)}, keys);
    };
    CHECK((placed(with_down) == placed(without)));
    const outcome o = run_tool({"report", "--scheme", scheme, "--nodes",
                                folder.write("nodes", with_down), "--format", "tsv"});
    CHECK(golden::fields(support::lines(o.out).at(8)).at(1) == "1"); // its weight is the file's
}

// Where counts depend on the whole list, a node that is down leaves those of the others alone.
TEST_CASE("compat: place and explain agree on who answers for a node that is down",
          "[tool][compat][heavy]") {
    const std::string scheme =
        GENERATE("libmemcached-weighted", "libmemcached", "murmur-shard", "nginx", "nginx-modulo",
                 "haproxy", "haproxy-map-based", "envoy", "envoy-maglev", "grpc", "grpc-java-1.41",
                 "grpc-java-1.49", "grpc-java-1.68", "dalli", "spymemcached", "serialx",
                 "go-ketama", "buraksezer", "npm-hashring", "maglev");
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a 7\nb\nc 2 down=1\nd 3\n");
    std::string keys;
    for (int i = 0; i < 40; ++i) {
        keys += "key" + std::to_string(i) + "\n";
    }
    const auto placed =
        support::lines(run_tool({"place", "--scheme", scheme, "--nodes", nodes}, {keys}).out);
    REQUIRE(placed.size() == 40);
    hashring::test::mismatches wrong;
    for (const std::string& line : placed) {
        const auto row = golden::fields(line);
        const outcome o = run_tool(
            {"explain", "--scheme", scheme, "--nodes", nodes, "--format", "tsv", row.at(0)});
        wrong.expect(o.out.find("\nowner\t" + row.at(1) + "\n") != std::string::npos, scheme,
                     row[0]);
    }
    CHECK(wrong.report() == "");
}
