// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/vnodes_of.hpp"

#include <hashring/compat/brpc.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/murmur3.hpp>
#include <hashring/ring/diff.hpp>
#include <hashring/ring/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hashring;
using compat::brpc;
using compat::brpc_rank;
using compat::brpc_server;

namespace {

using positions = std::vector<std::uint32_t>;
using options = std::vector<std::pair<std::string, std::string>>;

brpc with(const options& set) {
    brpc scheme;
    for (const auto& [option, value] : set) {
        scheme.set(option, value);
    }
    return scheme;
}

positions first_points(const brpc& scheme, std::string_view name, std::size_t count) {
    positions points(count);
    placed_node node;
    node.name = name;
    scheme.points(node, points);
    return points;
}

struct sharing_pair {
    std::string lower; // its address, by its last byte
    std::string upper;
    std::uint32_t position;
};

// All that share one among 10.1.0.0 to 10.1.7.255.
const std::vector<sharing_pair> sharing = {{"10.1.0.97:8000", "10.1.1.150:8000", 3474376588},
                                           {"10.1.7.48:8000", "10.1.2.142:8000", 2462529714},
                                           {"10.1.0.27:8000", "10.1.7.252:8000", 3614318114}};

} // namespace

TEST_CASE("brpc: keys are hashed as by the client's functions", "[brpc][golden]") {
    CHECK(brpc().position("apple") == hash::murmur3_32{}("apple"));
    CHECK(brpc().position("apple") == 1880549520);
    CHECK(with({{"hash", "md5"}}).position("apple") == 0xbe70381f);
    CHECK(with({{"hash", "ketama"}}).position("apple") == 0xbe70381f);
}

TEST_CASE("brpc: points are hashes of the address and a number", "[brpc][golden]") {
    const std::string name = "10.0.0.1:8000";
    CHECK(first_points(brpc(), name, 2) ==
          positions{hash::murmur3_32{}("10.0.0.1:8000-0"), hash::murmur3_32{}("10.0.0.1:8000-1")});
    CHECK(first_points(with({{"hash", "md5"}}), name, 2) ==
          positions{hash::md5{}("10.0.0.1:8000-0"), hash::md5{}("10.0.0.1:8000-1")});
    const auto digest = hash::md5::digest("10.0.0.1:8000-0").words;
    CHECK(first_points(with({{"hash", "ketama"}}), name, 5) ==
          positions{digest[0], digest[1], digest[2], digest[3], hash::md5{}("10.0.0.1:8000-1")});
}

TEST_CASE("brpc: with the server tag its label ends with that, also if it is empty",
          "[brpc][golden]") {
    const placed_node tagged{"10.0.0.1:80(tag=blue)", "", weight{1}, 0};
    const placed_node plain{"10.0.0.1:80", "", weight{1}, 0};
    CHECK(brpc().label(tagged, 7) == "10.0.0.1:80-7");
    CHECK(with({{"server-tag", "1"}}).label(tagged, 7) == "10.0.0.1:80-7-blue");
    CHECK(with({{"server-tag", "1"}}).label(plain, 7) == "10.0.0.1:80-7-");
    CHECK(with({{"server-tag", "1"}, {"hash", "ketama"}}).label(tagged, 7) ==
          "10.0.0.1:80-1-blue word 3");
}

TEST_CASE("brpc: servers come by their address, of which the last byte counts most",
          "[brpc][golden]") {
    std::vector<std::string> listed = {"[::1]:80",          "10.1.2.142:80",       "10.1.7.48:80",
                                       "10.1.7.48:9",       "10.1.7.48:80(tag=a)", "unix:/run/a",
                                       "9.255.255.47:65535"};
    const ring<brpc> r(listed);
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < r.size(); ++i) {
        names.emplace_back(r.node(i).name());
    }
    CHECK(names == std::vector<std::string>{"9.255.255.47:65535", "10.1.7.48:9", "10.1.7.48:80",
                                            "10.1.7.48:80(tag=a)", "10.1.2.142:80", "[::1]:80",
                                            "unix:/run/a"});
    CHECK(brpc_rank("1.2.3.4:5") == 0x040302010005U);
    dice random(7);
    for (int i = 0; i < 20; ++i) { // however they came
        random.shuffle(listed);
        ring<brpc> one_by_one;
        for (const std::string& name : listed) {
            one_by_one.add(name);
        }
        CHECK(one_by_one == r);
        CHECK(ring<brpc>(listed).fingerprint() == r.fingerprint());
    }
}

TEST_CASE("brpc: a shared point is the lower address's, whatever the order of the list",
          "[brpc][golden]") {
    for (const auto& [lower, upper, position] : sharing) {
        CAPTURE(lower, upper);
        const ring<brpc> r({upper, lower});
        CHECK(r.owner_at(position)->name() == lower);
        CHECK(r == ring<brpc>({lower, upper}));
    }
}

TEST_CASE("brpc: of servers that differ in their tags alone the first has all", "[brpc][law]") {
    const std::vector<node_spec> twins = {"10.0.0.1:80(tag=b)", "10.0.0.1:80(tag=a)"};
    const ring<brpc> r(twins);
    CHECK(r.owner("k")->name() == "10.0.0.1:80(tag=a)");
    CHECK(r.shares() == std::vector<double>{1.0, 0.0});
    const ring<brpc> tagged(twins, with({{"server-tag", "1"}}));
    CHECK(tagged.shares()[1] > 0.3);
}

TEST_CASE("brpc: a name is read as the program prints it", "[brpc][law]") {
    STATIC_REQUIRE(brpc_server::of("10.0.0.1:80") == brpc_server{"10.0.0.1:80", ""});
    STATIC_REQUIRE(brpc_server::of("10.0.0.1:80(tag=a b)") == brpc_server{"10.0.0.1:80", "a b"});
    STATIC_REQUIRE(brpc_server::of("10.0.0.1:80(tag=)") == brpc_server{"10.0.0.1:80", ""});
    STATIC_REQUIRE(brpc_server::of("10.0.0.1:80(tag=a") == brpc_server{"10.0.0.1:80(tag=a", ""});
    STATIC_REQUIRE(brpc_server::of("a(tag=x)(tag=y)") == brpc_server{"a", "x)(tag=y"});
    for (const std::string name : {"cache:80", "10.0.0.1", "10.0.0.1:", "010.0.0.1:80", "::1:80",
                                   "10.0.0.1:080", "10.0.0.1:65536", "[::1]", "10.0.0:80", ""}) {
        CAPTURE(name);
        CHECK(brpc_rank(name) == std::nullopt);
    }
}

TEST_CASE("brpc: all servers have as many points, whatever they weigh", "[brpc][law]") {
    const std::vector<node_spec> nodes = {{"10.0.0.1:1"},
                                          {"10.0.0.2:1", weight{7}},
                                          {"10.0.0.3:1", weight{0}},
                                          {"10.0.0.4:1", weight{0.5}}};
    CHECK(support::vnodes_of(ring<brpc>(nodes)) == positions{100, 100, 0, 100});
    CHECK(support::vnodes_of(ring<brpc>(nodes, with({{"vnodes", "7"}}))) == positions{7, 7, 0, 7});
    auto taken = nodes;
    brpc::take(taken);
    CHECK(taken[2].weight == weight{1});
    CHECK(taken[1].weight == weight{7});
}

TEST_CASE("brpc: rings of one key hash compare", "[brpc][law]") {
    const ring<brpc> by_md5({"10.0.0.1:1"}, with({{"hash", "md5"}}));
    const ring<brpc> by_ketama({"10.0.0.1:1"}, with({{"hash", "ketama"}}));
    CHECK(diff(by_md5, by_ketama).moved_fraction() == 0.0);
    CHECK_FALSE(brpc().places_keys_as(by_md5.scheme()));
    CHECK(brpc().places_keys_as(brpc()));
}

TEST_CASE("brpc: its options are what they are set to", "[brpc][edge]") {
    brpc scheme;
    CHECK(scheme.get("hash") == "murmurhash");
    CHECK(scheme.get("vnodes") == "100");
    CHECK(scheme.get("server-tag") == "0");
    for (const auto& [option, value] :
         options{{"hash", "ketama"}, {"vnodes", "160"}, {"server-tag", "1"}}) {
        scheme.set(option, value);
        CHECK(scheme.get(option) == value);
    }
    CHECK(brpc::options().size() == 3);
}

TEST_CASE("brpc: what the program does not take is refused", "[brpc][error]") {
    brpc scheme;
    CHECK_THROWS_AS(scheme.set("hash", "murmur"), invalid_option);
    CHECK_THROWS_AS(scheme.set("vnodes", "0"), invalid_option);
    CHECK_THROWS_AS(scheme.set("replicas", "9"), invalid_option);
    CHECK_THROWS_AS(scheme.get("replicas"), invalid_option);
    CHECK(scheme == brpc());
    CHECK_THROWS_AS(ring<brpc>({"10.0.0.1:1"}, with({{"hash", "ketama"}, {"vnodes", "10"}})),
                    invalid_option);
    CHECK(ring<brpc>({"10.0.0.1:1"}, with({{"hash", "ketama"}, {"vnodes", "12"}})).point_count() ==
          12);
    CHECK_THROWS_AS(ring<brpc>({"cache-a:80"}), invalid_node);
    // "10.0.0.1:80-99-" and 240 bytes of a tag fill what the program has room for.
    const auto tagged = [](std::size_t length) {
        return "10.0.0.1:80(tag=" + std::string(length, 't') + ")";
    };
    CHECK_NOTHROW(ring<brpc>({tagged(240)}, with({{"server-tag", "1"}})));
    CHECK_THROWS_AS(ring<brpc>({tagged(241)}, with({{"server-tag", "1"}})), invalid_node);
    CHECK_NOTHROW(ring<brpc>({tagged(241)}));
    // 160 points are 40 digests, whose numbers have two digits at most.
    const options digests = {{"hash", "ketama"}, {"vnodes", "160"}, {"server-tag", "1"}};
    CHECK_NOTHROW(ring<brpc>({tagged(240)}, with(digests)));
    CHECK_THROWS_AS(ring<brpc>({tagged(241)}, with(digests)), invalid_node);
}
