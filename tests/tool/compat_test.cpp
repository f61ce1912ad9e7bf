// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
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

const std::string memcached = std::string(HASHRING_GOLDEN_DIR) + "/memcached/";

// A topology as a nodes file, and the names of its nodes.
struct nodes_file {
    std::string text;
    std::vector<std::string> names;

    explicit nodes_file(const std::string& topology) {
        for (const std::string& line : golden::lines("memcached/topo/" + topology + ".tsv")) {
            const auto row = golden::fields(line);
            names.push_back(row.at(0) + ":" + row.at(1));
            text += names.back() + " " + row.at(2) + "\n";
        }
    }
};

// All of the 2,000 keys of `owners/libmemcached/FILE.TOPOLOGY.txt`.
void check_place(const std::string& file, const std::string& topology, arguments options) {
    const scratch folder;
    const nodes_file nodes(topology);
    options.insert(options.begin(), "place");
    for (const std::string& more :
         {std::string("--nodes"), folder.write("nodes", nodes.text), std::string("--keys"),
          memcached + "keys.hex", std::string("--hex")}) {
        options.push_back(more);
    }
    const outcome o = run_tool(options);
    CAPTURE(options);
    CHECK(o.code == 0);
    CHECK(o.err == "");
    const auto keys = golden::lines("memcached/keys.hex");
    const auto owners =
        golden::lines("memcached/owners/libmemcached/" + file + "." + topology + ".txt");
    std::string expected;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        expected += keys[i] + "\t" + nodes.names.at(std::stoul(owners.at(i))) + "\n";
    }
    CHECK((o.out == expected));
}

} // namespace

// T2 has weights, so that the program leaves its plain ring for the weighted one.
TEST_CASE("compat: libmemcached is placed like by its hash and topology", "[tool][compat]") {
    const std::string hash = GENERATE("default", "md5", "crc", "fnv1_64", "fnv1a_64", "fnv1_32",
                                      "fnv1a_32", "hsieh", "murmur", "murmur3", "jenkins");
    const std::string topology = GENERATE("T1", "T2");
    check_place("ketama." + hash, topology, {"--scheme", "libmemcached", "--hash", hash});
}

TEST_CASE("compat: libmemcached's weighted ring is placed like", "[tool][compat]") {
    const std::string hash = GENERATE("default", "md5", "murmur");
    check_place("ketama_weighted." + hash, "T2",
                {"--scheme", "libmemcached-weighted", "--hash", hash});
}

TEST_CASE("compat: libmemcached's own hashes need no option", "[tool][compat]") {
    check_place("ketama.default", "T1L", {"--scheme", "libmemcached"});
    check_place("ketama_weighted.md5", "T2L", {"--scheme", "libmemcached-weighted"});
}

TEST_CASE("compat: libmemcached is placed like where char is unsigned", "[tool][compat]") {
    const std::string hash = GENERATE("default", "fnv1a_64", "hsieh");
    check_place("uchar_ketama." + hash, "T1",
                {"--scheme", "libmemcached", "--hash", hash, "--unsigned-char"});
}

TEST_CASE("compat: the ring of libmemcached is printed as it dumps it", "[tool][compat]") {
    const std::string topology = GENERATE("T1", "T2");
    const scratch folder;
    const outcome o = run_tool({"ring", "--scheme", "libmemcached", "--nodes",
                                folder.write("nodes", nodes_file(topology).text)});
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

// Where counts depend on the whole list, a node that is down leaves those of the others alone.
TEST_CASE("compat: place and explain agree on who answers for a node that is down",
          "[tool][compat]") {
    const std::string scheme = GENERATE("libmemcached-weighted", "libmemcached", "murmur-shard");
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
