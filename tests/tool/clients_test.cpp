// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden_calls.hpp"
#include "support/golden_clients.hpp"
#include "support/golden_proxies.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

// Golden files of client libraries against the command line: all but those that no call can tell
// (several arguments of a call, numbers in place of keys).

using golden::client_call;
using golden::proxy_file;
using golden::tally;
using support::check_refused;
using support::lines;
using support::outcome;
using support::run_tool;
using support::scratch;

namespace {

golden::tool_call tool_call_of(const client_call& made) {
    golden::tool_call call;
    for (const auto& node : made.nodes) {
        call.add(node.name, node.weight.text());
    }
    call.set("scheme", made.scheme);
    for (const auto& [option, value] : made.options) {
        if (value == "1") {
            call.set_flag(option);
        } else {
            call.set(option, value);
        }
    }
    return call;
}

void check_program(const std::string& prefix, client_call (*call_for)(const proxy_file&),
                   std::size_t at_least) {
    golden::check_program(prefix,
                          [&](const proxy_file& file) { return tool_call_of(call_for(file)); },
                          at_least, {"args01"});
}

// The lines of `ring` for these nodes, cut at their TABs.
std::vector<std::vector<std::string>> ring_of(const std::vector<std::string>& options,
                                              const std::string& nodes) {
    const scratch folder;
    const outcome o =
        run_tool(support::with({"ring", "--nodes", folder.write("nodes", nodes)}, options));
    CHECK(o.code == 0);
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : lines(o.out)) {
        rows.push_back(golden::fields(line));
    }
    return rows;
}

} // namespace

TEST_CASE("clients: the tool places like Jedis", "[tool][compat]") {
    check_program("jedis-", golden::jedis_call, 27000);
}

TEST_CASE("clients: the tool places like brpc", "[tool][compat]") {
    check_program("brpc_", golden::brpc_call, 12000);
}

TEST_CASE("clients: the tool places like Dubbo", "[tool][compat]") {
    check_program("dubbo_", golden::dubbo_call, 5600);
}

TEST_CASE("clients: the tool places like Guava", "[tool][compat]") {
    check_program("guava_consistenthash-md5_", golden::guava_call, 4000);
}

TEST_CASE("clients: the tool places like go-jump behind XXH64", "[tool][compat]") {
    check_program("go-jump-xxh64_", golden::jump_call, 4000);
}

TEST_CASE("clients: slot prints the slots of Redis Cluster", "[tool][slot]") {
    tally counted;
    for (const proxy_file& file : golden::proxy_files("owners", "redis-cluster_")) {
        const scratch folder;
        const outcome o =
            run_tool({"slot", "--hex", "--keys", folder.write("keys", golden::keys_of(file))});
        CAPTURE(file.name, o.err);
        CHECK(o.code == 0);
        golden::count_answers(counted, file, o.out, [](const std::string& row) { return row; });
    }
    golden::report("redis-cluster_ by the tool", counted, 2031);
}

TEST_CASE("clients: slot takes keys from a file, from its input or one by one", "[tool][slot]") {
    const std::string answer = "apple\t7092\n{}\t15257\n\t0\n";
    const std::string keys = "apple\n{}\n\n";
    const scratch folder;
    CHECK(run_tool({"slot"}, {keys}).out == answer);
    CHECK(run_tool({"slot", "--keys", "-"}, {keys}).out == answer);
    CHECK(run_tool({"slot", "--keys", folder.write("keys", keys)}).out == answer);
    CHECK(run_tool({"slot", "apple", "{}", ""}).out == answer);
    CHECK(run_tool({"slot", "--hex", "6170706C65", "7b7d", ""}).out ==
          "6170706c65\t7092\n7b7d\t15257\n\t0\n");
}

// A parser of arguments may have its own ideas of them.
TEST_CASE("clients: slot takes a key of the command line as it is", "[tool][slot]") {
    const std::string key = GENERATE("[a,b]", "[]", "%%", "{}", "a,b", "a b", "'", "{a}{b}", "-");
    const outcome o = run_tool({"slot", key});
    CHECK(o.code == 0);
    CHECK(o.out == run_tool({"slot"}, {key + "\n"}).out);
    CHECK(lines(run_tool({"slot", key, "x", key}).out).size() == 3);
    CHECK(lines(run_tool({"slot", "--", "-x", key}).out).size() == 2);
}

TEST_CASE("clients: slot prints tables and JSON", "[tool][slot]") {
    CHECK(run_tool({"slot", "--format", "table", "{user1000}.following", "pear"}).out ==
          "key                   slot\n"
          "{user1000}.following  3443\n"
          "pear                  5152\n");
    CHECK(run_tool({"slot", "--format", "tsv", "apple"}).out == "apple\t7092\n");
    const auto whole = nlohmann::json::parse(run_tool({"slot", "--format", "json", "{}", "b"}).out);
    CHECK(whole == nlohmann::json::parse(R"({"slots": [{"key": "{}", "slot": 15257},
                                                       {"key": "b", "slot": 3300}]})"));
    const auto none = nlohmann::json::parse(run_tool({"slot", "--format", "json"}).out);
    CHECK(none == nlohmann::json::parse(R"({"slots": []})"));
}

TEST_CASE("clients: slot refuses what is no key", "[tool][slot]") {
    const scratch folder;
    check_refused({"slot", "--hex", "7"}, "the key '7' is not pairs of hexadecimal digits");
    check_refused({"slot", "a\tb"}, "a key with a TAB or a line feed is given in hexadecimal");
    check_refused({"slot", "a", "--keys", folder.write("keys", "b\n")},
                  "keys are given by --keys or one by one, not both");
    check_refused({"slot", "--format", "xml", "a"}, "xml");
    check_refused({"slot", "--nodes", "n", "a"}, "--nodes");
    check_refused({"slot", "--format", "json"}, "<stdin>:2: the key holds a TAB", "a\nb\tc\n");
    const outcome o = run_tool({"slot"}, {"a\nb\tc\n"});
    CHECK(o.code == 2);
    CHECK(o.out == "a\t15495\n");
}

TEST_CASE("clients: a shard without a name is known by its place, and one with one is not",
          "[tool][compat]") {
    const std::string scheme = GENERATE("jedis", "jedis-2.9");
    const auto owners = [&](const std::string& nodes, std::vector<std::string> options) {
        const scratch folder;
        options.insert(options.begin(),
                       {"place", "--scheme", scheme, "--nodes", folder.write("nodes", nodes)});
        return support::answers(options, "apple\nbanana\ncherry\nfig\npear\nplum\n");
    };
    CHECK(owners("a\nb\n", {}) != owners("b\na\n", {}));
    CHECK(owners("a\nb\n", {"--named"}) == owners("b\na\n", {"--named"}));
}

// Points of MD5 are numbers of 32 bits, which fill the circle all the same.
TEST_CASE("clients: Jedis' rings by MD5 have even shares and positions as the program prints",
          "[tool][compat]") {
    const auto ring = ring_of({"--scheme", "jedis", "--hash", "md5"}, "s0\ns1\ns2\n");
    REQUIRE(ring.size() == 480);
    CHECK(ring.front() == std::vector<std::string>{"4224189", "s1"});
    CHECK(std::stoull(ring.back().at(0)) < 1ULL << 32U);
    const scratch folder;
    const std::string before = folder.write("before", "s0\ns1\ns2\n");
    const std::string after = folder.write("after", "s0\ns1\n");
    const auto report =
        nlohmann::json::parse(run_tool({"report", "--scheme", "jedis", "--hash", "md5", "--nodes",
                                        before, "--format", "json"})
                                  .out);
    for (const auto& node : report["nodes"]) {
        CHECK(node["share"].get<double>() > 0.28);
        CHECK(node["share"].get<double>() < 0.40);
    }
    // From one past the point before to the second of two of s2.
    const auto arcs = lines(
        run_tool({"diff", "--scheme", "jedis", "--hash", "md5", "--from", before, "--to", after})
            .out);
    CHECK(arcs.at(0) == "11711745\t23307989\ts2\ts1");
}

TEST_CASE("clients: place and explain agree on who answers for a node that is down",
          "[tool][compat]") {
    const auto [scheme, nodes] = GENERATE(
        std::pair<std::string, std::string>{"jedis", "a 7\nb\nc 2 down=1\nd 3\n"},
        std::pair<std::string, std::string>{"brpc", "10.0.0.1:1\n10.0.0.2:1 down=1\n10.0.0.3:1\n"},
        std::pair<std::string, std::string>{"dubbo", "a:1\nb:1 down=1\nc:1\n"});
    const scratch folder;
    const std::string file = folder.write("nodes", nodes);
    for (const std::string key : {"apple", "banana", "cherry", "fig", "pear", "plum"}) {
        CAPTURE(scheme, key);
        const auto placed =
            support::answers({"place", "--scheme", scheme, "--nodes", file}, key + "\n");
        const outcome o =
            run_tool({"explain", "--scheme", scheme, "--nodes", file, "--format", "tsv", key});
        CHECK(o.out.find("\nowner\t" + placed.at(0) + "\n") != std::string::npos);
    }
}

TEST_CASE("clients: what the programs do not take is refused", "[tool][compat]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "10.0.0.1:80\n10.0.0.2:80\n");
    check_refused(
        {"place", "--scheme", "brpc", "--hash", "ketama", "--vnodes", "10", "--nodes", nodes},
        "vnodes 10 is not a multiple of 4");
    const std::string hosts = folder.write("hosts", "10.0.0.1:80\ncache-a:80\n");
    check_refused({"place", "--scheme", "brpc", "--nodes", hosts},
                  hosts + ":2: 'cache-a:80' is no server as brpc prints it");
    check_refused({"place", "--scheme", "dubbo", "--vnodes", "3", "--nodes", nodes},
                  "--vnodes '3' is not a whole number from 4 to 16777216");
    check_refused({"place", "--scheme", "guava", "--hash", "sha512", "--nodes", nodes},
                  "--hash 'sha512' is none of md5, crc32, murmur3_32");
    check_refused({"place", "--scheme", "jedis", "--tag", "{", "--nodes", nodes},
                  "--tag '{' is not two bytes");
    check_refused({"place", "--scheme", "jedis", "--vnodes", "100", "--nodes", nodes},
                  "scheme jedis has no option --vnodes");
    const std::string half = folder.write("half", "a 0.5\nb\n");
    for (const std::string scheme : {"jedis", "jedis-2.9"}) {
        check_refused({"place", "--scheme", scheme, "--nodes", half},
                      half + ":1: the weight 0.5 of 'a' is not a whole number");
    }
    check_refused({"place", "--scheme", "guava", "--nodes", half}, half + ":1: ");
}
