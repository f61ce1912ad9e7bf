// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/golden_rings.hpp"
#include "support/mismatches.hpp"
#include "support/vnodes_of.hpp"

#include <hashring/compat/libmemcached.hpp>
#include <hashring/placement/describe.hpp>
#include <hashring/ring/ring.hpp>

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
using compat::libmemcached;
using compat::libmemcached_weighted;
using kind = compat::memcached_hash_kind;

// Owners and rings of every kind are checked in `memcached_golden_test.cpp`.

using support::vnodes_of;

namespace {

std::vector<node_spec> topology(const std::string& name) {
    return golden::topology("memcached/topo/" + name + ".tsv");
}

template <class Scheme>
Scheme with_hash(std::string_view hash) {
    Scheme scheme;
    scheme.set("hash", hash);
    return scheme;
}

// The ring of `nodes` as the program makes it if it adds them after its distribution was chosen.
template <class Scheme>
ring<Scheme> taken(std::vector<node_spec> nodes, Scheme scheme = {}) {
    scheme.take(nodes);
    return ring<Scheme>(nodes, scheme);
}

const std::vector<std::string>& golden_keys() {
    static const std::vector<std::string> keys = golden::keys("memcached/keys.hex");
    return keys;
}

// All 2,000 keys of a file under owners/libmemcached.
template <class Scheme>
void check_file(const ring<Scheme>& placed, const std::string& file, const std::string& topo) {
    CHECK(golden::check_owners(placed, topology(topo), golden_keys(),
                               "memcached/owners/libmemcached/" + file + "." + topo + ".txt") ==
          2000);
}

template <class Scheme>
void check_ring(const ring<Scheme>& placed, const std::string& file) {
    CHECK(golden::dump(placed) == golden::lines("memcached/rings/libmemcached." + file + ".tsv"));
}

const std::vector<std::string> three = {"a:11211", "b:11212", "c"};

} // namespace

TEST_CASE("libmemcached: rings are the program's to the point", "[libmemcached][golden]") {
    for (const std::string topo : {"T1", "T2"}) {
        for (const std::string hash : {"default", "md5"}) {
            const std::string file = hash + "." + topo;
            check_ring(taken(topology(topo), with_hash<libmemcached>(hash)), "ketama." + file);
            check_ring(taken(topology(topo), with_hash<libmemcached_weighted>(hash)),
                       "ketama_weighted." + file);
        }
    }
    for (const std::string hash : {"default", "md5"}) {
        libmemcached scheme = with_hash<libmemcached>(hash);
        scheme.set("unsigned-char", "1");
        check_ring(taken(topology("T1"), scheme), "uchar_ketama." + hash + ".T1");
    }
}

// Servers with weights, added before the distribution was chosen: the program ignores the weights.
// Added after, or pushed as a list: it makes the weighted ring without being asked.
TEST_CASE("libmemcached: the order of the program's calls decides whether weights count",
          "[libmemcached][golden]") {
    for (const std::string hash : {"default", "md5"}) {
        const ring<libmemcached> ignored(topology("T2"), with_hash<libmemcached>(hash));
        CHECK(vnodes_of(ignored) == std::vector<std::uint32_t>(5, 100));
        check_file(ignored, "ketama_dist_after_add." + hash, "T2");
        check_ring(ignored, "ketama_dist_after_add." + hash + ".T2");
    }
    const auto turned = taken<libmemcached>(topology("T2"));
    CHECK(turned.scheme().weighted);
    CHECK(vnodes_of(turned) == std::vector<std::uint32_t>{40, 84, 124, 208, 336});
    check_file(turned, "ketama_pushlist.default", "T2");
    CHECK_FALSE(taken<libmemcached>(topology("T1")).scheme().weighted);
}

TEST_CASE("libmemcached: what a placement depends on besides points", "[libmemcached][golden]") {
    CHECK(libmemcached::name == "libmemcached");
    CHECK(libmemcached_weighted::name == "libmemcached-weighted");
    STATIC_REQUIRE(libmemcached::order_matters);
    STATIC_REQUIRE(libmemcached_weighted::order_matters);
    STATIC_REQUIRE(libmemcached::points_depend_on_list);
    STATIC_REQUIRE(libmemcached_weighted::points_depend_on_list);
    STATIC_REQUIRE(libmemcached::ties == tie_rule::first);
    STATIC_REQUIRE(libmemcached::dumps_equal_points);
    CHECK(libmemcached{}.hash.kind == kind::one_at_a_time);
    CHECK(libmemcached_weighted{}.hash.kind == kind::md5);
    CHECK(describe(libmemcached_weighted{}) ==
          "key: libmemcached's hash of the key by the option hash\n"
          "points: word j mod 4 of the MD5 of ident-(j / 4), counts by weight in single precision; "
          "the ident is the name without :11211; hash = md5; unsigned-char = 0\n"
          "owner: the first point at or after the key, after the last one the first\n"
          "tie: the node that comes first in the list");
}

TEST_CASE("libmemcached: labels are the texts that points are hashed from",
          "[libmemcached][golden]") {
    const placed_node node{.name = "a:11211"};
    libmemcached plain;
    CHECK(plain.label(node, 17) == "a-17");
    CHECK(libmemcached_weighted::label(node, 17) == "a-4 word 1");
    plain.set("weighted", "1");
    CHECK(plain.label(node, 17) == "a-4 word 1");
    std::array<std::uint32_t, 160> points{};
    plain.points(node, points);
    CHECK(points[17] == hash::md5::digest("a-4").words[1]);
    plain.set("weighted", "0");
    plain.points(node, points);
    CHECK(points[17] == compat::memcached_hash{}("a-17"));
}

TEMPLATE_TEST_CASE("libmemcached: options are set and read", "[libmemcached][law]", libmemcached,
                   libmemcached_weighted, compat::libmemcached_spy) {
    const TestType preset;
    TestType scheme;
    std::set<std::string_view> names;
    for (const scheme_option& option : TestType::options()) {
        names.insert(option.name);
        CHECK(preset.get(option.name) == option.preset);
        CHECK_FALSE(option.help.empty());
        scheme.set(option.name, preset.get(option.name));
        CHECK(scheme == preset);
        if (option.values.empty()) { // a flag
            scheme.set(option.name, "1");
            CHECK(scheme.get(option.name) == "1");
            CHECK(scheme != preset);
            scheme.set(option.name, "0");
            CHECK(scheme == preset);
        }
    }
    CHECK(names.contains("hash"));
    CHECK(names.contains("unsigned-char"));
    for (const std::string_view hash : compat::memcached_hash_names) {
        scheme.set("hash", hash);
        CHECK(scheme.get("hash") == hash);
        CHECK((scheme == preset) == (hash == preset.get("hash")));
    }
}

TEMPLATE_TEST_CASE("libmemcached: a ring of other options is another ring", "[libmemcached][law]",
                   libmemcached, libmemcached_weighted, compat::libmemcached_spy) {
    const ring<TestType> preset(three);
    TestType jenkins = with_hash<TestType>("jenkins");
    TestType on_arm;
    on_arm.set("unsigned-char", "1");
    for (const TestType& other : {jenkins, on_arm}) {
        const ring<TestType> placed(three, other);
        CHECK(placed != preset);
        CHECK(placed.fingerprint() != preset.fingerprint());
        CHECK_THROWS_AS(diff(preset, placed), invalid_option); // keys stand elsewhere
    }
    CHECK(ring<TestType>(three) == preset);
    CHECK(diff(preset, ring<TestType>(three)).empty());
}

TEST_CASE("libmemcached: a first weight above 1 moves keys as a diff says", "[libmemcached][law]") {
    const auto before = taken<libmemcached>(topology("T2w1"));
    const auto after = taken<libmemcached>(topology("T2"));
    const auto moved = diff(before, after);
    std::size_t elsewhere = 0;
    test::mismatches wrong;
    for (const std::string& key : golden_keys()) {
        const bool moves = before.owner(key) != after.owner(key);
        wrong.expect(moved.moves(key) == moves, key);
        elsewhere += moves ? 1U : 0U;
    }
    CHECK(wrong.report() == "");
    CHECK(elsewhere > 1000);
}

TEST_CASE("libmemcached: weighted is the other scheme's ring", "[libmemcached][law]") {
    libmemcached plain = with_hash<libmemcached>("jenkins");
    plain.set("weighted", "1");
    const ring<libmemcached> one(topology("T2"), plain);
    const ring<libmemcached_weighted> other(topology("T2"),
                                            with_hash<libmemcached_weighted>("jenkins"));
    CHECK(golden::dump(one) == golden::dump(other));
    CHECK(one.position("k") == other.position("k"));
}

TEST_CASE("libmemcached: in the weighted ring any change may change the counts of all",
          "[libmemcached][law]") {
    std::vector<std::string> names;
    for (int i = 0; i < 24; ++i) {
        names.push_back("cache" + std::to_string(i));
    }
    ring<libmemcached_weighted> servers(names);
    CHECK(vnodes_of(servers) == std::vector<std::uint32_t>(24, 160));
    servers.add("one more");
    CHECK(vnodes_of(servers) == std::vector<std::uint32_t>(25, 156));
    servers.remove("cache3");
    CHECK(vnodes_of(servers) == std::vector<std::uint32_t>(24, 160));
    servers.add("light");
    servers.set_weight("cache5", weight{10'000});
    CHECK(servers.find("light")->vnodes() == 0); // [B23] the program's own
    CHECK(servers.placed_count() == 1);
}

// The program's own way to leave a server out: n and the sum of weights are those of the others.
TEST_CASE("libmemcached: a node drained by hand is one that the program ejected",
          "[libmemcached][law]") {
    std::vector<node_spec> nodes;
    for (int i = 0; i < 25; ++i) {
        nodes.emplace_back("cache" + std::to_string(i), weight{i == 7 ? 3 : 1});
    }
    ring<libmemcached_weighted> drained(nodes);
    drained.set_vnodes("cache7", 0);
    nodes.erase(nodes.begin() + 7);
    const ring<libmemcached_weighted> without(nodes);
    CHECK(golden::dump(drained) == golden::dump(without));
    drained.set_weight("cache7", weight{0});
    CHECK(golden::dump(drained) == golden::dump(without));
}

TEST_CASE("libmemcached: two names of one server share all points, and the first owns them",
          "[libmemcached][edge]") {
    const ring<libmemcached> servers{"a:11211", "b", "a"};
    CHECK(servers.point_count() == 300);
    CHECK(servers.widths()[2] == uint128(0));
    CHECK(servers.widths()[0] > uint128(0));
    CHECK(ring<libmemcached>{"a", "b", "a:11211"}.widths()[2] == uint128(0));
}

// 15 bits: the points and the keys of crc all lie below 32,768.
TEST_CASE("libmemcached: under crc one server owns nearly the whole circle",
          "[libmemcached][edge]") {
    const ring<libmemcached> plain(topology("T1"), with_hash<libmemcached>("crc"));
    CHECK(plain.point_position(299) < 32'768);
    CHECK(fraction(plain.widths()[plain.point_owner(0)], circle_width(0xffffffffU)) > 0.9999);
    // Where points are MD5's, all keys belong to whoever has the first one.
    const ring<libmemcached_weighted> weighted(topology("T1"),
                                               with_hash<libmemcached_weighted>("crc"));
    std::set<std::uint32_t> owners;
    for (const std::string& key : golden_keys()) {
        owners.insert(weighted.owner_index_at(weighted.position(key)));
    }
    CHECK(owners.size() == 1);
}

TEMPLATE_TEST_CASE("libmemcached: a list is taken as the program takes it", "[libmemcached][edge]",
                   libmemcached, libmemcached_weighted, compat::libmemcached_spy) {
    std::vector<node_spec> nodes{{"a", weight{0}}, {"b", weight{1}}, {"c", weight{0}}};
    TestType scheme;
    scheme.take(std::span<node_spec>(nodes));
    CHECK(nodes[0].weight == weight{1});
    CHECK(nodes[2].weight == weight{1});
    CHECK(scheme == TestType{});
    CHECK(ring<TestType>(nodes, scheme) == ring<TestType>{"a", "b", "c"});
    scheme.take(std::span<node_spec>{});
    CHECK(scheme == TestType{});

    const ring<TestType> drained{node_spec("a", weight{0}), "b"}; // as in every ring
    CHECK(drained.find("a")->vnodes() == 0);
    CHECK(drained.owner("k") == "b");
}

TEST_CASE("libmemcached: once weighted a scheme stays so", "[libmemcached][edge]") {
    std::vector<node_spec> heavy{{"a", weight{2}}};
    std::vector<node_spec> light{{"b", weight{1}}};
    libmemcached scheme;
    scheme.take(light);
    CHECK_FALSE(scheme.weighted);
    scheme.take(heavy);
    CHECK(scheme.weighted);
    scheme.take(light);
    CHECK(scheme.weighted);
}

TEMPLATE_TEST_CASE("libmemcached: a fraction is no weight, and nothing has changed then",
                   "[libmemcached][error]", libmemcached, libmemcached_weighted,
                   compat::libmemcached_spy) {
    ring<TestType> servers(three);
    const ring<TestType> before = servers;
    CHECK_THROWS_AS(servers.add("d", weight{0.5}), invalid_weight);
    CHECK_THROWS_AS(servers.set_weight("c", weight{2.5}), invalid_weight);
    CHECK(servers == before);
    CHECK_NOTHROW(servers.add({"d", weight{0.5}, {}, 10})); // counted by hand

    std::vector<node_spec> nodes{{"a", weight{0}}, {"b", weight{7}}, {"c", weight{1.001}}};
    const std::vector<node_spec> as_given = nodes;
    TestType scheme;
    CHECK_THROWS_AS(scheme.take(std::span<node_spec>(nodes)), invalid_weight);
    CHECK(nodes == as_given);
    CHECK(scheme == TestType{});
}

TEMPLATE_TEST_CASE("libmemcached: bad options are typed errors and change nothing",
                   "[libmemcached][error]", libmemcached, libmemcached_weighted,
                   compat::libmemcached_spy) {
    TestType scheme;
    CHECK_THROWS_AS(scheme.set("hash", "sha1"), invalid_option);
    CHECK_THROWS_AS(scheme.set("hash", ""), invalid_option);
    for (const std::string_view value : {"", "2", "yes", "true", "01"}) {
        CAPTURE(value);
        CHECK_THROWS_AS(scheme.set("unsigned-char", value), invalid_option);
    }
    CHECK_THROWS_AS(scheme.set("vnodes", "40"), invalid_option);
    CHECK_THROWS_AS(scheme.get("vnodes"), invalid_option);
    CHECK_THROWS_AS(scheme.set("", ""), invalid_option);
    CHECK_THROWS_AS(libmemcached{}.set("weighted", "2"), invalid_option);
    CHECK_THROWS_AS(libmemcached_weighted{}.set("weighted", "1"), invalid_option);
    CHECK(scheme == TestType{});
}
