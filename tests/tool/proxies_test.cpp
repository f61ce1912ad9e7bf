// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden_calls.hpp"
#include "support/golden_proxies.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <cstddef>
#include <string>
#include <vector>

// Golden files of load balancers and RPC clients against the command line: all but those that no
// call can tell (retries, bounded loads, backup servers, unit tests).

using golden::proxy_file;
using golden::tool_call;
using golden::word_after;
using support::check_refused;
using support::outcome;
using support::run_tool;
using support::scratch;

namespace {

tool_call nginx_call(const proxy_file& file) {
    tool_call made;
    for (const auto& line : golden::configured_servers(file)) {
        made.add(line.at(0), line.size() > 1 ? line[1].substr(line[1].find('=') + 1) : "1");
    }
    made.set("scheme", file.is("_hash-modulo_") ? "nginx-modulo" : "nginx");
    return made;
}

tool_call haproxy_call(const proxy_file& file) {
    tool_call made;
    for (const auto& line : golden::configured_servers(file)) {
        const std::string weight = word_after(line, "weight");
        std::string more = (weight.empty() ? "1" : weight) + (" addr=" + line.at(1));
        for (const std::string key : {"id", "guid"}) {
            const std::string value = word_after(line, key);
            more += value.empty() ? "" : " " + key + "=" + value;
        }
        const bool unused =
            !word_after(line, "disabled").empty() || !word_after(line, "backup").empty();
        made.add(line[0], more + (unused ? " down=1" : ""));
    }
    made.set("scheme", file.is("_mapbased-") ? "haproxy-map-based" : "haproxy");
    made.set("hash", golden::haproxy_hash(file));
    made.set("hash-key", golden::haproxy_hash_key(file));
    if (file.is("-avalanche")) {
        made.set_flag("avalanche");
    }
    return made;
}

tool_call envoy_call(const proxy_file& file) {
    tool_call made;
    for (const auto& host : golden::envoy_hosts(file)) {
        made.add(host.text, host.weight + " zone=" + host.locality);
    }
    made.set("scheme", file.is("_maglev") ? "envoy-maglev" : "envoy");
    made.set(golden::envoy_settings(file));
    return made;
}

tool_call grpc_call(const proxy_file& file) {
    tool_call made;
    const auto weights = golden::grpc_weights(file);
    for (std::size_t i = 0; i < file.nodes.size(); ++i) {
        made.add(file.nodes[i], weights[i]);
    }
    made.set("scheme", file.is("grpc-go") ? "grpc" : file.name.substr(0, file.name.find('_')));
    made.set(golden::grpc_settings(file));
    return made;
}

void check_program(const std::string& prefix, tool_call (*call_for)(const proxy_file&),
                   std::size_t at_least) {
    golden::check_program(prefix, call_for, at_least, {"bounded", "-attempt", "backuponly"});
}

std::string placed(const std::string& scheme, const std::string& nodes, const std::string& key) {
    const scratch folder;
    return support::answers({"place", "--scheme", scheme, "--nodes", folder.write("nodes", nodes)},
                            key + "\n")
        .at(0);
}

} // namespace

TEST_CASE("proxies: the tool places like nginx", "[tool][compat]") {
    check_program("nginx_", nginx_call, 16000);
}

TEST_CASE("proxies: the tool places like HAProxy", "[tool][compat]") {
    check_program("haproxy-", haproxy_call, 100000);
}

TEST_CASE("proxies: the tool places like Envoy", "[tool][compat]") {
    check_program("envoy132_", envoy_call, 32000);
}

TEST_CASE("proxies: the tool places like gRPC-Go and gRPC-Java", "[tool][compat]") {
    check_program("grpc-", grpc_call, 27750);
}

// The tries of "apple" among three: a a a b b a a c, of which the last of all 21 is b.
TEST_CASE("proxies: nginx hashes a key again where its server is down", "[tool][compat]") {
    CHECK(placed("nginx-modulo", "a\nb\nc\n", "apple") == "a");
    CHECK(placed("nginx-modulo", "a down=1\nb\nc\n", "apple") == "b");
    CHECK(placed("nginx-modulo", "a down=1\nb down=1\nc\n", "apple") == "c");
    CHECK(placed("nginx-modulo", "a down=1\nb down=1\nc down=1\n", "apple") == "-");
}

// One keeps its points, the other leaves the ring, and the middles between points move.
TEST_CASE("proxies: HAProxy and Envoy make their rings anew without who is down",
          "[tool][compat]") {
    const std::string scheme = GENERATE("haproxy", "envoy");
    const scratch folder;
    std::string keys;
    for (int i = 0; i < 300; ++i) {
        keys += "key" + std::to_string(i) + "\n";
    }
    const auto all = [&](const std::string& nodes) {
        return support::answers(
            {"place", "--scheme", scheme, "--nodes", folder.write("nodes", nodes)}, keys);
    };
    const auto down = all("a 3 id=1\nb 2 id=2 down=1\nc id=3\nd id=4\n");
    CHECK(down == all("a 3 id=1\nc id=3\nd id=4\n"));
    CHECK(down != all("a 3 id=1\nb 2 id=2\nc id=3\nd id=4\n"));
}

TEST_CASE("proxies: a key has no node where all are down", "[tool][compat]") {
    const std::string scheme =
        GENERATE("nginx", "nginx-modulo", "haproxy", "haproxy-map-based", "envoy", "envoy-maglev",
                 "grpc", "grpc-core", "grpc-java-1.41", "grpc-java-1.68");
    CHECK(placed(scheme, "a down=1\nb 2 down=1\n", "apple") == "-");
    const scratch folder;
    const outcome o =
        run_tool({"explain", "--scheme", scheme, "--nodes",
                  folder.write("nodes", "a down=1\nb 2 down=1\n"), "--format", "tsv", "apple"});
    CHECK(o.code == 0);
    CHECK(o.out.find("\nowner\t-\n") != std::string::npos);
}

TEST_CASE("proxies: explain names the point that serves", "[tool][compat]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "s1\ns2 2 id=9\n");
    const auto explained = [&](const std::string& key) {
        return run_tool({"explain", "--scheme", "haproxy", "--nodes", nodes, key}).out;
    };
    const std::string text = explained("apple") + explained("pear") + explained("fig");
    CHECK(text.find("number 36864 + ") != std::string::npos); // 9 * 4096
    CHECK(text.find("by hash and avalanche; hash = default; avalanche = 0") != std::string::npos);
}

TEST_CASE("proxies: what the programs do not take is refused", "[tool][compat]") {
    const scratch folder;
    const std::string heavy = folder.write("heavy", "a\nb 257\n");
    check_refused({"place", "--scheme", "haproxy", "--nodes", heavy},
                  heavy + ":2: the weight 257 of 'b' is above 256");
    const std::string ids = folder.write("ids", "a id=3\nb id=3\n");
    check_refused({"place", "--scheme", "haproxy", "--nodes", ids},
                  "the id 3 is given to two servers");
    const std::string half = folder.write("half", "a 0.5\n");
    for (const std::string scheme : {"nginx", "nginx-modulo", "envoy", "envoy-maglev", "grpc",
                                     "haproxy-map-based", "grpc-java-1.68"}) {
        CAPTURE(scheme);
        check_refused({"place", "--scheme", scheme, "--nodes", half},
                      "the weight 0.5 of 'a' is not a whole number");
    }
    const std::string nodes = folder.write("nodes", "a\nb\n");
    check_refused({"place", "--scheme", "envoy", "--nodes", nodes, "--min-ring-size", "9",
                   "--max-ring-size", "8"},
                  "min-ring-size 9 is above max-ring-size 8");
    check_refused({"place", "--scheme", "haproxy", "--nodes", nodes, "--hash-key", "name"},
                  "--hash-key 'name' is none of id");
    check_refused({"place", "--scheme", "envoy-maglev", "--nodes", nodes, "--table-size", "100"},
                  "--table-size '100' is not a prime number");
    check_refused({"place", "--scheme", "nginx", "--nodes", nodes, "--hash", "crc32"},
                  "scheme nginx has no option --hash");
}
