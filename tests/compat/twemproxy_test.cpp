// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/golden_rings.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"
#include "support/vnodes_of.hpp"

#include <hashring/compat/libmemcached.hpp>
#include <hashring/compat/twemproxy.hpp>
#include <hashring/placement/describe.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::twemproxy;
using compat::twemproxy_hash;
using compat::twemproxy_ident;
using compat::twemproxy_modula;
using kind = compat::twemproxy_hash_kind;
using support::vnodes_of;

namespace {

std::vector<std::string> order_of(const auto& placed) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < placed.size(); ++i) {
        names.emplace_back(placed.node(i).name());
    }
    return names;
}

} // namespace

// Key 1 = player/5558, key 2 = 72 52 c3 b8 ce b1, key 3 = 94; the specification's samples.
TEST_CASE("twemproxy hash: the hashes are the program's", "[twemproxy][golden]") {
    const std::array<std::string, 3> keys = {"player/5558", "\x72\x52\xc3\xb8\xce\xb1", "\x94"};
    const auto values = [&](kind k, bool on_arm = false) {
        std::vector<std::uint32_t> result;
        for (const std::string& key : keys) {
            result.push_back(twemproxy_hash{k, on_arm}(key));
        }
        return result;
    };
    using row = std::vector<std::uint32_t>;
    CHECK(values(kind::one_at_a_time) == row{0x1e89bb0f, 0xc4f9feb2, 0x51206a17});
    CHECK(values(kind::md5) == row{0x150e5f21, 0xa5e73f04, 0x9faaa89d});
    CHECK(values(kind::crc16) == row{0x92e37716, 0xfa1162ea, 0x0000c33d});
    CHECK(values(kind::crc32) == row{0x000015ea, 0x00007351, 0x00002560});
    CHECK(values(kind::crc32a) == row{0x15ea3a20, 0xf3510658, 0x2560b8d0});
    CHECK(values(kind::fnv1_64) == row{0x317a2e58, 0x2ab3c7cf, 0x79fe484b});
    CHECK(values(kind::fnv1a_64) == row{0x703752da, 0x72e87133, 0x79fe00c3});
    CHECK(values(kind::fnv1_32) == row{0xf67377b8, 0x5b8323cf, 0xfaf3a28b});
    CHECK(values(kind::fnv1a_32) == row{0x35c9f71a, 0xb33894f3, 0x10f3c583});
    CHECK(values(kind::hsieh) == row{0xd3dddd18, 0x336e00b2, 0x60ffcdc9});
    CHECK(values(kind::murmur) == row{0xb580abc8, 0xbf4963a4, 0x0593ea7e});
    CHECK(values(kind::jenkins) == row{0x88710045, 0x079d876b, 0x482aa4f4});
    CHECK(values(kind::fnv1a_64, true) == row{0x703752da, 0x3fb59333, 0x8602a5c3});
}

TEST_CASE("twemproxy: a server is called by its name or else by its address",
          "[twemproxy][golden]") {
    CHECK(twemproxy_ident({.name = "10.0.0.1:11211"}) == "10.0.0.1");
    CHECK(twemproxy_ident({.name = "10.0.0.1:6379"}) == "10.0.0.1:6379");
    CHECK(twemproxy_ident({.name = "cache-a"}) == "cache-a");
    CHECK(twemproxy_ident({.name = "/run/m.sock"}) == "/run/m.sock:");
    CHECK(twemproxy_ident({.name = "/run/m.sock:"}) == "/run/m.sock:");
    CHECK(twemproxy_ident({.name = "/run/m.sock:0"}) == "/run/m.sock:");
    CHECK(twemproxy_ident({.name = "a:11211", .address = "10.0.0.1:11211"}) == "a:11211");
    CHECK(twemproxy_ident({.name = "/a", .address = "/run/m.sock"}) == "/a");
}

TEST_CASE("twemproxy: the configuration's order does not matter, shorter idents come first",
          "[twemproxy][golden]") {
    const std::vector<std::string> sorted = {"b",   "ab",           "zz",
                                             "aaa", "Server-Alpha", "server-alpha"};
    std::vector<node_spec> nodes(sorted.rbegin(), sorted.rend());
    CHECK(order_of(ring<twemproxy>(nodes)) == sorted);
    CHECK(order_of(table<twemproxy_modula>(nodes)) == sorted);
    ring<twemproxy> grown;
    for (const char* name : {"aaa", "zz", "server-alpha", "b", "Server-Alpha", "ab"}) {
        grown.add(name);
    }
    CHECK(order_of(grown) == sorted);
    CHECK(grown == ring<twemproxy>(nodes));
    CHECK(grown.fingerprint() == ring<twemproxy>(nodes).fingerprint());
    CHECK(grown.index_of("zz") == 2);
    CHECK(grown.index_of("z") == no_node);
    // 10.0.0.10:11211 has the longer text and the shorter ident.
    CHECK(order_of(ring<twemproxy>{"10.0.0.10:11211", "10.0.0.9:11211", "10.0.0.9:6379"}) ==
          std::vector<std::string>{"10.0.0.9:11211", "10.0.0.10:11211", "10.0.0.9:6379"});
}

TEST_CASE("twemproxy: what a placement depends on besides points", "[twemproxy][golden]") {
    CHECK(describe(twemproxy{}) ==
          "key: twemproxy's hash of the key by the option hash\n"
          "points: word j mod 4 of the MD5 of ident-(j / 4), counts by weight in single precision; "
          "the ident is the server's name, or its address without :11211; hash = fnv1a_64; "
          "unsigned-char = 0; tag = \n"
          "owner: the first point at or after the key, after the last one the first\n"
          "tie: the node that comes first of those by the ident's length, then its bytes");
    CHECK(describe(twemproxy_modula{}).find("order of the list: does not matter") !=
          std::string::npos);
}

// With equal idents the program is libmemcached's weighted ring, whatever the order.
TEST_CASE("twemproxy: its ring is libmemcached's weighted one", "[twemproxy][law]") {
    constexpr std::uint64_t seed = 611;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int round = 0; round < 20; ++round) {
        std::vector<node_spec> nodes;
        const std::size_t count = 1 + input.below(40);
        for (std::size_t i = 0; i < count; ++i) {
            nodes.emplace_back("n" + std::to_string(i) + (i % 3 == 0 ? ":11211" : ":6379"),
                               weight{1 + input.below(9)});
        }
        wrong.expect(golden::dump(ring<twemproxy>(nodes)) ==
                         golden::dump(ring<compat::libmemcached_weighted>(nodes)),
                     round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("twemproxy: an ejected server is not counted", "[twemproxy][law]") {
    std::vector<node_spec> nodes;
    for (int i = 0; i < 25; ++i) {
        nodes.emplace_back("cache" + std::to_string(i));
    }
    ring<twemproxy> servers(nodes);
    CHECK(vnodes_of(servers) == std::vector<std::uint32_t>(25, 156));
    servers.set_weight("cache7", weight{0});
    nodes.erase(nodes.begin() + 7);
    CHECK(golden::dump(servers) == golden::dump(ring<twemproxy>(nodes)));
    CHECK(vnodes_of(ring<twemproxy>(nodes)) == std::vector<std::uint32_t>(24, 160));
}

TEST_CASE("twemproxy modula: a server has as many slots as it weighs, in the program's order",
          "[twemproxy][golden]") {
    const table<twemproxy_modula> servers{node_spec("ccc", weight{2}), node_spec("b", weight{3}),
                                          node_spec("aa", weight{1}), node_spec("d", weight{0})};
    CHECK(order_of(servers) == std::vector<std::string>{"b", "d", "aa", "ccc"});
    CHECK(vnodes_of(servers) == std::vector<std::uint32_t>{3, 0, 1, 2});
    std::vector<std::uint32_t> slots;
    for (std::size_t i = 0; i < servers.slot_count(); ++i) {
        slots.push_back(servers.slot_owner(i));
    }
    CHECK(slots == std::vector<std::uint32_t>{0, 0, 0, 2, 3, 3});
    CHECK(servers.owner_index_at(9) == 2);
}

TEST_CASE("twemproxy: with a tag only what is between its marks is hashed", "[twemproxy][golden]") {
    twemproxy scheme;
    scheme.set("tag", "{}");
    CHECK(scheme.position("user:{42}:name") == scheme.hash("42"));
    CHECK(scheme.position("user:{}:{42}") == scheme.hash("user:{}:{42}"));
    CHECK(scheme.get("tag") == "{}");
    CHECK(scheme != twemproxy{});
    CHECK_THROWS_AS(diff(ring<twemproxy>{"a"}, ring<twemproxy>({"a"}, scheme)), invalid_option);
    scheme.set("tag", "");
    CHECK(scheme == twemproxy{});
}

TEMPLATE_TEST_CASE("twemproxy: options are set and read", "[twemproxy][law]", twemproxy,
                   twemproxy_modula) {
    const TestType preset;
    TestType scheme;
    for (const scheme_option& option : TestType::options()) {
        CHECK(preset.get(option.name) == option.preset);
        scheme.set(option.name, preset.get(option.name));
        CHECK(scheme == preset);
    }
    for (const std::string_view hash : compat::twemproxy_hash_names) {
        scheme.set("hash", hash);
        CHECK(scheme.get("hash") == hash);
        CHECK((scheme == preset) == (hash == "fnv1a_64"));
    }
}

// 15 bits, and the lowest of some hundred points of 32 bits lies above them.
TEST_CASE("twemproxy: under crc32 all keys belong to one server", "[twemproxy][edge]") {
    twemproxy scheme;
    scheme.set("hash", "crc32");
    const ring<twemproxy> servers(golden::topology("memcached/topo/T2.tsv"), scheme);
    std::set<std::uint32_t> owners;
    for (const std::string& key : golden::keys("memcached/keys.hex")) {
        owners.insert(servers.owner_index_at(servers.position(key)));
    }
    CHECK(owners.size() == 1);
}

TEST_CASE("twemproxy: the empty key stands at 0", "[twemproxy][edge]") {
    for (const std::string_view hash : compat::twemproxy_hash_names) {
        CHECK(twemproxy_hash{twemproxy_hash::parse(hash)}("") == 0);
    }
}

TEST_CASE("twemproxy: of a long label 272 bytes count", "[twemproxy][edge]") {
    const std::string name(270, 'x');
    const placed_node node{.name = name};
    CHECK(label_text(compat::twemproxy_label{}, node, 7) == name + "-7");
    CHECK(label_text(compat::twemproxy_label{}, node, 31) == name + "-3");
    std::array<std::uint32_t, 160> points{};
    twemproxy::points(node, points);
    CHECK(points[4 * 30] == points[4 * 3]);
    CHECK(points[4 * 30] == hash::md5{}(name + "-3"));
}

TEMPLATE_TEST_CASE("twemproxy: what its configuration refuses is a typed error",
                   "[twemproxy][error]", twemproxy, twemproxy_modula) {
    using placed = std::conditional_t<std::is_same_v<TestType, twemproxy>, ring<twemproxy>,
                                      table<twemproxy_modula>>;
    CHECK_THROWS_AS((placed{"a:11211", "b", "a"}), invalid_node);
    CHECK_THROWS_AS((placed{"/s", "/s:0"}), invalid_node);
    CHECK_THROWS_AS(placed({node_spec("a", weight{1.5})}), invalid_weight);
    const std::vector<node_spec> drained{{"a", weight{0}}, {"b", weight{1}}};
    CHECK_THROWS_AS(TestType::take(drained), invalid_weight);
    CHECK_NOTHROW(TestType::take(std::span(drained).subspan(1)));
    TestType scheme;
    CHECK_THROWS_AS(scheme.set("tag", "{"), invalid_option);
    CHECK_THROWS_AS(scheme.set("tag", "{}}"), invalid_option);
    CHECK_THROWS_AS(scheme.set("hash", "murmur3"), invalid_option);
    CHECK_THROWS_AS(scheme.set("hash", "default"), invalid_option);
    CHECK_THROWS_AS(scheme.get("vnodes"), invalid_option);
    CHECK(scheme == TestType{});
}
