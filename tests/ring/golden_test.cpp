// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/golden_rings.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace hashring;
using namespace hashring::schemes;

namespace {

// Shares as the documents print them: six places.
template <class Ring>
std::vector<std::string> printed_shares(const Ring& ring) {
    std::vector<std::string> result;
    for (const double share : ring.shares()) {
        result.push_back(std::to_string(share));
    }
    return result;
}

std::vector<node_spec> read_nodes(const std::string& file) {
    std::vector<node_spec> nodes;
    for (const std::string& line : golden::lines(file)) {
        const auto row = golden::fields(line);
        nodes.emplace_back(row.at(0), weight::parse(row.at(1)),
                           row.at(2) == "-" ? std::string() : row.at(2));
    }
    return nodes;
}

} // namespace

TEST_CASE("golden: ketama-group gives the known shares", "[ring][golden]") {
    CHECK(printed_shares(ring<ketama_group>{"GroupA", "GroupB"}) ==
          std::vector<std::string>{"0.531293", "0.468707"});
    CHECK(printed_shares(ring<ketama_group>{"GroupA", "GroupB", "GroupC"}) ==
          std::vector<std::string>{"0.328750", "0.324833", "0.346417"});
}

TEST_CASE("golden: murmur-shard gives the known shares", "[ring][golden]") {
    CHECK(printed_shares(ring<murmur_shard>{"x", "y"}) ==
          std::vector<std::string>{"0.540391", "0.459609"});
    CHECK(printed_shares(ring<murmur_shard>{"x", "y", "z"}) ==
          std::vector<std::string>{"0.369238", "0.298894", "0.331868"});
}

TEMPLATE_TEST_CASE("golden: rings and owners are those of a second implementation",
                   "[ring][golden]", xxh3, ketama_group, murmur_shard, murmur_shard_named,
                   bkdr_spaced) {
    const std::string file = std::string("schemes/").append(TestType::name);
    TestType scheme;
    scheme.vnodes_per_unit = 13;
    const ring<TestType> golden_ring(read_nodes("schemes/nodes.tsv"), scheme);
    CHECK(golden::dump(golden_ring) == golden::lines(file + ".ring.tsv"));

    std::vector<std::string> placed;
    for (const std::string& line : golden::lines(file + ".keys.tsv")) {
        const std::string digits = golden::fields(line).at(0);
        const std::string key = golden::unhex(digits);
        placed.push_back(digits + '\t' + scheme.text(golden_ring.position(key)) + '\t' +
                         std::string(golden_ring.owner(key)->name()));
    }
    CHECK(placed == golden::lines(file + ".keys.tsv"));
}

TEMPLATE_TEST_CASE("golden: fingerprints are those of a second implementation", "[ring][golden]",
                   xxh3, ketama_group, murmur_shard, murmur_shard_named, bkdr_spaced) {
    const ring<TestType> large(read_nodes("schemes/nodes8.tsv"));
    const std::string line = std::string(TestType::name) + '\t' + decimal(large.point_count()) +
                             '\t' + decimal(large.fingerprint());
    const auto lines = golden::lines("schemes/fingerprints.tsv");
    CAPTURE(line);
    CHECK(std::count(lines.begin(), lines.end(), line) == 1);
}

// In a map a later entry replaces an earlier one. On 64 bits no two points of a golden ring meet.
TEST_CASE("golden: rings that stand for a tree map break ties as it does", "[ring][golden]") {
    STATIC_REQUIRE(murmur_shard::ties == tie_rule::last);
    STATIC_REQUIRE_FALSE(murmur_shard::dumps_equal_points);
    STATIC_REQUIRE(ketama_group::ties == tie_rule::last);
    STATIC_REQUIRE_FALSE(ketama_group::dumps_equal_points);
}

TEST_CASE("golden: ketama-group places as the tree map program does", "[ring][golden]") {
    const std::string topology = GENERATE("T1", "T2w1");
    const auto nodes = golden::topology("memcached/topo/" + topology + ".tsv");
    // 199 of the 2,000 keys are no UTF-8, which the program cannot take.
    CHECK(golden::check_owners(ring<ketama_group>(nodes), nodes, golden::keys("memcached/keys.hex"),
                               "memcached/owners/cn_treemap/cn_treemap." + topology + ".txt") ==
          1801);
}

// Keys on points, one beside them, on points that two nodes share (TCm), and past the last.
TEST_CASE("golden: ketama-group places keys at the edges as the tree map program does",
          "[ring][golden]") {
    const std::string topology = GENERATE("T1", "TCm");
    const auto nodes = golden::topology("memcached/topo/" + topology + ".tsv");
    CHECK(golden::check_owners(ring<ketama_group>(nodes), nodes,
                               golden::keys("memcached/keys_edge.hex"),
                               "memcached/owners/edge/cn_treemap." + topology + ".txt") == 961);
}

TEST_CASE("golden: the ketama-group ring is that of the tree map program", "[ring][golden]") {
    const ring<ketama_group> ring(golden::topology("memcached/topo/T1.tsv"));
    CHECK(golden::dump(ring) == golden::lines("memcached/rings/cn_treemap.cn_treemap.T1.tsv"));
}

TEST_CASE("golden: a dump of ketama-group leaves out a point that another node took",
          "[ring][golden]") {
    const ring<ketama_group> ring(golden::topology("memcached/topo/TCm.tsv"));
    CHECK(ring.point_count() == 480);
    CHECK(golden::dump(ring).size() == 479);
}

TEST_CASE("golden: murmur-shard places as the blog's program does", "[ring][golden]") {
    const std::vector<node_spec> nodes{"shard0", "shard1", "shard2"};
    const ring<murmur_shard> ring(nodes);
    CHECK(golden::dump(ring) ==
          golden::lines("proxy/rings/shard-node-100vn_murmur64a_T1_ring.tsv"));
    CHECK(golden::check_owners(ring, nodes, golden::keys("proxy/keys.hex"),
                               "proxy/owners/shard-node-100vn_murmur64a_T1.txt") == 2000);
}
