// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/compat_rows.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

// In what words `compat` says why two schemes differ.

using nlohmann::json;
using support::compare;
using support::five;
using support::reasons;
using support::three;

using words = std::vector<std::string>;

namespace {

// The reason that begins with `what`; empty if there is none.
std::string reason(const json& whole, const std::string& scheme, const std::string& what) {
    const words all = reasons(whole, scheme);
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const std::string& text) { return text.starts_with(what); });
    return found == all.end() ? std::string() : *found;
}

std::string equal_nodes(int count) {
    std::string nodes;
    for (int i = 0; i < count; ++i) {
        nodes += "10.0." + std::to_string(i / 250) + "." + std::to_string(i % 250 + 1) + ":7000\n";
    }
    return nodes;
}

} // namespace

TEST_CASE("compat: what differs is said in words, and nothing else", "[tool][compat]") {
    const json whole = compare(five, {"--scheme", "libmemcached-weighted", "--hash", "md5"});
    CHECK(whole["reference"] == "libmemcached-weighted");
    CHECK(whole["keys"] == 10000);
    CHECK(reasons(whole, "libmemcached-weighted").empty());
    CHECK(reasons(whole, "libmemcached") == words{});
    CHECK(reasons(whole, "libketama") ==
          words{"label (port rule): '10.0.1.1:11211-0 word 0', not '10.0.1.1-0 word 0'"});
    CHECK(reasons(whole, "twemproxy") ==
          words{"tie: the node that comes first of those by the ident's length, "
                "then its bytes, not the node that comes first in the list"});
    CHECK(reasons(whole, "libmemcached-modula") ==
          words{"owner: slots of a table, not a ring's points"});
    const words haproxy = reasons(whole, "haproxy");
    REQUIRE(haproxy.size() == 4);
    CHECK(haproxy[0].find("key: HAProxy's hash of the key") == 0);
    CHECK(haproxy[1].find("label: 'number ") == 0);
    CHECK(haproxy[2] == "count: 16 points for 10.0.1.1:11211, not 40");
    CHECK(haproxy[3].find("owner: the nearest point") == 0);
}

TEST_CASE("compat: counts that differ by a rounding are called so", "[tool][compat]") {
    const std::string nodes = "10.0.0.1:1 2\n10.0.0.2:1 7\n10.0.0.3:1 4\n";
    const json whole = compare(nodes, {"--scheme", "libketama"});
    for (const std::string& reason : reasons(whole, "spymemcached")) {
        CHECK(reason.find("rounding") ==
              std::string::npos); // 160 for a weight that is not looked at
    }
    const json weighted =
        compare(nodes, {"--scheme", "envoy", "--min-ring-size", "500", "--max-ring-size", "500"});
    CHECK(reasons(weighted, "grpc-java-1.41").size() > 1);
}

// Of equal weights in single precision, 47 servers get a digest less.
TEST_CASE("compat: a rounding is a digest at most, a small part, and of all nodes",
          "[tool][compat]") {
    CHECK(reason(compare(equal_nodes(47), {"--scheme", "libmemcached-weighted"}), "libketama",
                 "count") == "count (rounding): 160 points for 10.0.0.1:7000, not 156");
    const json six =
        compare(equal_nodes(6), {"--scheme", "spymemcached", "--min-ring-size", "1000"});
    CHECK(reason(six, "envoy", "count") == "count: 167 points for 10.0.0.1:7000, not 160");
    CHECK(reason(compare(three, {"--scheme", "haproxy"}), "stathat", "count") ==
          "count: 20 points for 10.0.0.1:11211, not 16");
    const json one_far = compare("10.0.0.1:1 8\n10.0.0.2:1 1\n10.0.0.3:1 1000\n",
                                 {"--scheme", "twemproxy", "--min-ring-size", "480"});
    CHECK(reason(one_far, "envoy", "count") == "count: 8 points for 10.0.0.1:1, not 0");
}

// Its ring by func 1 has two points besides, which give position 0 to the last one.
TEST_CASE("compat: points that only our ring has are none of go-ketama's", "[tool][compat]") {
    const json whole = compare(three, {"--scheme", "libketama"});
    CHECK(reason(whole, "go-ketama", "count").empty());
    CHECK(reason(whole, "go-ketama", "owner: ").find("the last for a key on 0") !=
          std::string::npos);
}

// A scheme may have its nodes in another order than the file.
TEST_CASE("compat: counts are those of the same node", "[tool][compat]") {
    const json whole = compare("b:1 2\na:1 1\n", {"--scheme", "nginx"});
    CHECK(reason(whole, "xxh3", "count").empty()); // 160 a unit of weight, as nginx has
    CHECK(reason(whole, "murmur-shard-named", "count") == "count: 200 points for b:1, not 320");
}

TEST_CASE("compat: points that a dump leaves out stand there all the same",
          "[tool][compat][heavy]") {
    const json whole = compare(equal_nodes(1000), {"--scheme", "libketama"});
    CHECK(reasons(whole, "spymemcached") ==
          words{"tie: the node that comes last in the list, not the node that comes first in the "
                "list"});
}

TEST_CASE("compat: points that stand elsewhere are said where counts differ too",
          "[tool][compat]") {
    const json jedis = compare(three, {"--scheme", "murmur-shard", "--hash", "md5"});
    CHECK(reason(jedis, "jedis", "count") == "count: 160 points for 10.0.0.1:11211, not 100");
    CHECK(reason(jedis, "jedis", "points") != "");
    const json plain = compare(three, {"--scheme", "murmur-shard"});
    CHECK(reason(plain, "jedis", "count") == "count: 160 points for 10.0.0.1:11211, not 100");
    CHECK(reason(plain, "jedis", "points").empty()); // the first 100 are the same
}

TEST_CASE("compat: who answers for a node that is down is said where one is", "[tool][compat]") {
    const std::string down = "10.0.0.1:11211 down=1\n10.0.0.2:11211\n10.0.0.3:11211\n";
    const json whole = compare(down, {"--scheme", "libketama"});
    CHECK(reason(whole, "spymemcached", "down") ==
          "down: the key is hashed again, 7 tries in all, not the node of the next point");
    CHECK(reason(whole, "libmemcached", "down") ==
          "down: all is made anew without it, not the node of the next point");
    CHECK(reason(whole, "libmemcached-weighted", "count").empty());
    CHECK(reason(whole, "jump", "down") == "down: nobody, not the node of the next point");
    CHECK(reason(whole, "maglev", "down") ==
          "down: all is made anew without it, not the node of the next point");
    CHECK(reason(whole, "uhashring-ketama", "down").empty());
    CHECK(reason(compare(three, {"--scheme", "libketama"}), "spymemcached", "down").empty());
}

TEST_CASE("compat: of two that hash by an option it is said which", "[tool][compat]") {
    const json whole = compare(three, {"--scheme", "spymemcached"});
    CHECK(reason(whole, "spymemcached-array-mod", "key") ==
          "key: spymemcached's hash of the key by the option hash; hash = NATIVE_HASH, not "
          "spymemcached's hash of the key by the option hash; hash = KETAMA_HASH; label-format = "
          "spymemcached; weighted = 0");
}
