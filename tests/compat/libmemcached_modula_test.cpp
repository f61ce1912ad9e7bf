// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/mismatches.hpp"

#include <hashring/compat/libmemcached.hpp>
#include <hashring/compat/libmemcached_modula.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace hashring;
using compat::libmemcached_modula;
using compat::libmemcached_spy;

namespace {

std::vector<std::string> names_of(const std::vector<node_spec>& nodes) {
    std::vector<std::string> names;
    for (const node_spec& node : nodes) {
        names.push_back(node.name);
    }
    return names;
}

} // namespace

TEST_CASE("libmemcached modula: server hash mod n owns a key, whatever servers weigh",
          "[libmemcached][law]") {
    const table<libmemcached_modula> servers{node_spec("a", weight{1}), node_spec("b", weight{9}),
                                             node_spec("c", weight{1})};
    CHECK(servers.slot_count() == 3);
    test::mismatches wrong;
    for (const std::string& key : golden::keys("memcached/keys.hex")) {
        wrong.compare(servers.owner_index_at(servers.position(key)),
                      compat::memcached_hash{}(key) % 3, key);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("libmemcached modula: a weight of 0 is no server, and a list is taken as the program "
          "takes it",
          "[libmemcached][edge]") {
    std::vector<node_spec> nodes{{"a", weight{0}}, {"b", weight{3}}};
    const table<libmemcached_modula> drained(nodes);
    CHECK(drained.owner("k") == "b");
    CHECK(drained.slot_count() == 1);
    libmemcached_modula::take(nodes);
    CHECK(nodes[0].weight == weight{1});
    CHECK(table<libmemcached_modula>(nodes).slot_count() == 2);
    CHECK_FALSE(table<libmemcached_modula>{}.owner("k").has_value());
    nodes[1].weight = weight{1.5};
    CHECK_THROWS_AS(libmemcached_modula::take(nodes), invalid_weight);
}

TEST_CASE("libmemcached: hosts are sorted by bytes and then by port as a number",
          "[libmemcached][golden]") {
    std::vector<node_spec> nodes{"b:9", "a:100", "a", "10.0.0.9", "a:99", "10.0.0.10:1", "a:11212"};
    compat::sort_hosts(nodes);
    CHECK(names_of(nodes) == std::vector<std::string>{"10.0.0.10:1", "10.0.0.9", "a:99", "a:100",
                                                      "a", "a:11212", "b:9"});
}

TEST_CASE("libmemcached: a prefix and a key of 250 bytes are hashed, and longer ones stand at 0",
          "[libmemcached][edge]") {
    const compat::libmemcached scheme;
    const std::string key(246, 'k');
    CHECK(compat::position_with_prefix(scheme, "pfx:", key) == scheme.position("pfx:" + key));
    CHECK(compat::position_with_prefix(scheme, "pfx::", key) == 0);
    CHECK(compat::position_with_prefix(scheme, std::string(251, 'p'), "") == 0);
    CHECK(compat::position_with_prefix(scheme, "", "k") == scheme.position("k"));
    CHECK(compat::position_with_prefix(scheme, "", "") == scheme.position(""));
}

TEST_CASE("libmemcached spy: idents are /host:port", "[libmemcached][golden]") {
    libmemcached_spy scheme;
    CHECK(scheme.label({.name = "a:11211"}, 17) == "/a:11211-17");
    CHECK(scheme.label({.name = "a"}, 17) == "/a:11211-17");
    CHECK(scheme.label({.name = "/run/m.sock:0"}, 1) == "//run/m.sock:0-1");
    scheme.set("weighted", "1");
    CHECK(scheme.label({.name = "a:6379"}, 17) == "/a:6379-4 word 1");
    CHECK(ring<libmemcached_spy>{"a", "b"}.point_count() == 200);
    CHECK(ring<libmemcached_spy>({"a", "b"}, scheme).point_count() == 320);
    std::vector<node_spec> heavy{{"a", weight{2}}};
    libmemcached_spy turned;
    turned.take(heavy);
    CHECK(turned.get("weighted") == "1");
    CHECK_THROWS_AS(turned.set("weight", "1"), invalid_option);
}
