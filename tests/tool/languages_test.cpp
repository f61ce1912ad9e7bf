// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/golden_calls.hpp"
#include "support/golden_languages.hpp"
#include "support/golden_proxies.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <hashring/compat/dalli.hpp>
#include <hashring/compat/go_ketama.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/sha1.hpp>
#include <hashring/ring/ring.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Golden files of libraries of Ruby, Go and Node.js against the command line: all but those of the
// members closest to a key, which no call prints.

using golden::proxy_file;
using golden::tally;
using nlohmann::json;
using support::answers;
using support::check_refused;
using support::run_tool;
using support::scratch;

namespace {

golden::tool_call call_for(const proxy_file& file) {
    const auto run = golden::language_call_of(file);
    golden::tool_call made;
    made.set("scheme", run.scheme);
    made.set(run.options);
    for (const auto& node : run.nodes) {
        const bool down = std::find(run.down.begin(), run.down.end(), node.name) != run.down.end();
        made.add(node.name, node.weight.text() + (down ? " down=1" : ""));
    }
    return made;
}

// A file's ring against what `ring` prints.
void count_ring(tally& counted, const proxy_file& file) {
    const golden::tool_call made = call_for(file);
    const scratch folder;
    auto options = made.options;
    options.insert(options.begin(), "ring");
    options.insert(options.end(), {"--nodes", folder.write("nodes", made.nodes)});
    const auto printed = support::lines(run_tool(options).out);
    CAPTURE(file.name);
    CHECK(printed.size() == file.rows.size());
    for (std::size_t i = 0; i < std::min(printed.size(), file.rows.size()); ++i) {
        counted.add(printed[i] == file.rows[i], file.name + " point " + std::to_string(i));
    }
}

std::vector<std::string> placed(const std::string& scheme, const std::string& nodes,
                                const std::string& keys, const std::string& copies = "1") {
    const scratch folder;
    return answers(
        {"place", "--scheme", scheme, "--nodes", folder.write("nodes", nodes), "--copies", copies},
        keys);
}

json explained(const std::string& scheme, const std::string& nodes, const std::string& key) {
    const scratch folder;
    return json::parse(run_tool({"explain", "--scheme", scheme, "--nodes",
                                 folder.write("nodes", nodes), "--format", "json", key})
                           .out);
}

std::string many_keys() {
    std::string keys;
    for (int i = 0; i < 400; ++i) {
        keys += "key" + std::to_string(i) + "\n";
    }
    return keys;
}

} // namespace

TEST_CASE("languages: the tool places like Dalli", "[tool][compat]") {
    golden::check_program("dalli-", call_for, 8000);
}

TEST_CASE("languages: the tool places like libraries of Go", "[tool][compat]") {
    golden::check_program("go-stathat", call_for, 8000);
    golden::check_program("go-groupcache", call_for, 8000);
    golden::check_program("go-serialx", call_for, 4000);
    golden::check_program("go-ketama", call_for, 8000);
    golden::check_program("go-buraksezer", call_for, 8000, {"-closest2"});
}

TEST_CASE("languages: the tool places like npm's hashring", "[tool][compat]") {
    golden::check_program("npm-hashring", call_for, 15032);
}

TEST_CASE("languages: the tool prints the rings that the programs dump", "[tool][compat]") {
    tally counted;
    for (const char* prefix : {"dalli-", "npm-hashring"}) {
        for (const proxy_file& file : golden::proxy_files("rings", prefix)) {
            count_ring(counted, file);
        }
    }
    golden::report("rings of Dalli and npm hashring by the tool", counted, 7952);
}

TEST_CASE("languages: Dalli hashes a key again until a server is up, and then gives up",
          "[tool][compat]") {
    const std::string keys = many_keys();
    const auto all = placed("dalli", "a\nb\nc\n", keys);
    const auto without_b = placed("dalli", "a\nb down=1\nc\n", keys);
    const auto next_below = placed("dalli", "a\nc\n", keys);
    std::size_t moved = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        moved += all[i] == "b" ? 1U : 0U;
        CHECK((all[i] == "b" ? without_b[i] != "b" : without_b[i] == all[i]));
    }
    CHECK(moved > 50);
    CHECK(without_b != next_below); // as it would be without b
    const auto none = placed("dalli", "a down=1\nb down=1\n", "apple\n");
    CHECK(none == std::vector<std::string>{"-"});
}

TEST_CASE(
    "languages: copies and explain name the node that place names where keys are hashed again",
    "[tool][compat]") {
    const std::string scheme = GENERATE("dalli", "spymemcached", "stathat");
    const std::string nodes = "a\nb down=1\nc\nd down=1\ne\n";
    const auto one = placed(scheme, nodes, many_keys());
    const auto copies = placed(scheme, nodes, many_keys(), "3");
    std::size_t again = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        const auto three = golden::fields(copies[i]);
        CHECK(three.at(0) == one[i]);
        CHECK(std::set<std::string>(three.begin(), three.end()) ==
              std::set<std::string>{"a", "c", "e"});
        if (i < 20) {
            const json why = explained(scheme, nodes, "key" + std::to_string(i));
            CHECK(why["owner"] == one[i]);
            again += why["skipped"].empty() ? 0U : 1U;
        }
    }
    CHECK(again > 0);
}

TEST_CASE("languages: explain names the point of Dalli that serves", "[tool][compat]") {
    const std::string nodes = "a\nb\nc\n";
    for (const std::string key : {"apple", "pear", "fig", "k"}) {
        const json why = explained("dalli", nodes, key);
        const std::string label = why["label"];
        CHECK(why["position"] == std::to_string(hashring::hash::crc32{}(key)));
        CHECK(why["point"] == std::to_string(hashring::hash::sha1{}(label)));
        CHECK(hashring::hash::sha1{}(label) <= hashring::hash::crc32{}(key));
        CHECK(label.substr(0, 1) == why["owner"].get<std::string>());
    }
}

TEST_CASE("languages: diff counts arcs as Dalli counts positions", "[tool][compat]") {
    const scratch folder;
    const json moves =
        json::parse(run_tool({"diff", "--scheme", "dalli", "--from", folder.write("from", "a\nb\n"),
                              "--to", folder.write("to", "a\nb\nc\n"), "--format", "json"})
                        .out);
    REQUIRE(moves["arcs"].size() > 100);
    const hashring::ring<hashring::compat::dalli> after{"a", "b", "c"};
    std::uint64_t before = 0;
    std::size_t wraps = 0;
    for (const json& arc : moves["arcs"]) {
        const std::uint64_t first = std::stoull(arc["first"].get<std::string>());
        const std::uint64_t last = std::stoull(arc["last"].get<std::string>());
        wraps += first > last ? 1U : 0U;
        CHECK((first >= before || wraps > 0));
        before = first;
        for (const std::uint64_t number : {first, last}) {
            const auto position = 0xffffffffU - static_cast<std::uint32_t>(number);
            CHECK(after.owner_at(position)->name() == arc["to"].get<std::string>());
        }
    }
    CHECK(wraps <= 1);
}

// A key past the last point, and one whose hash is 0.
TEST_CASE("languages: explain names the point of go-ketama that serves", "[tool][compat]") {
    const std::string nodes = "a\nb\nc\n";
    const hashring::ring<hashring::compat::go_ketama> all{"a", "b", "c"};
    const std::size_t count = all.point_count(); // two of them at the ends
    std::string past;
    for (int i = 0; past.empty(); ++i) {
        const std::string key = "k" + std::to_string(i);
        past = all.position(key) > all.point_position(count - 2) ? key : "";
    }
    for (const auto& [key, point] :
         {std::pair(past, std::size_t{1}), std::pair(std::string("k1c02f9bc"), count - 2)}) {
        const json why = explained("go-ketama", nodes, key);
        const std::string label = why["label"];
        const std::size_t space = label.find(" word ");
        REQUIRE(space != std::string::npos);
        const auto digest = hashring::hash::md5::digest(label.substr(0, space));
        CHECK(digest.words.at(static_cast<std::size_t>(label.back() - '0')) ==
              all.point_position(point));
        CHECK(why["owner"] == std::string(all.node(all.point_owner(point)).name()));
    }
}

TEST_CASE("languages: a server's own virtual nodes stand in its address", "[tool][compat]") {
    const scratch folder;
    const auto points =
        support::lines(run_tool({"ring", "--scheme", "npm-hashring", "--nodes",
                                 folder.write("nodes", "a:1 1 addr=vnodes=100\nb:1 3\n")})
                           .out);
    REQUIRE(points.size() == 400 + 240);
    CHECK(points[0] == "137174\ta:1");
    CHECK(points[1] == "3549599\tb:1");
}

TEST_CASE("languages: what the programs do not take is refused", "[tool][compat]") {
    const scratch folder;
    const std::string half = folder.write("half", "a 0.5\n");
    for (const std::string scheme : {"dalli", "serialx", "go-ketama"}) {
        CAPTURE(scheme);
        check_refused({"place", "--scheme", scheme, "--nodes", half},
                      "the weight 0.5 of 'a' is not a whole number");
    }
    const std::string bare = folder.write("bare", "a\n::1\n");
    check_refused({"place", "--scheme", "dalli", "--nodes", bare},
                  bare + ":2: Dalli does not read '::1' as host:port");
    const std::string nodes = folder.write("nodes", "a\nb\nc\n");
    check_refused({"place", "--scheme", "buraksezer", "--nodes", nodes, "--load", "0.9"},
                  "load 0.9 leaves no room for all of 271 partitions on 3 members");
    check_refused({"place", "--scheme", "buraksezer", "--nodes", nodes, "--load", "much"},
                  "--load 'much' is not a decimal number above 0");
    check_refused({"place", "--scheme", "go-ketama", "--nodes", nodes, "--func", "3"},
                  "--func '3' is none of 1, 2");
    check_refused({"place", "--scheme", "stathat", "--nodes", nodes, "--hash", "fnv"},
                  "--hash 'fnv' is none of crc32, fnv1a32");
    check_refused({"place", "--scheme", "serialx", "--nodes", nodes, "--hash", "crc32"},
                  "scheme serialx has no option --hash");
}
