// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;

namespace {

template <class Scheme>
std::vector<typename Scheme::position_type> points_of(const Scheme& scheme, const placed_node& node,
                                                      std::size_t count) {
    std::vector<typename Scheme::position_type> points(count);
    scheme.points(node, points);
    return points;
}

/// The default scheme's point as its documentation writes it, with nothing of the library.
std::uint64_t default_point(std::string_view name, std::uint64_t j) {
    std::uint64_t z = XXH3_64bits(name.data(), name.size()) + (j + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

/// Max / fair of the loads of ten look-alike names with 100 points each under 50,000 keys.
template <class Hash>
double peak_of_look_alikes() {
    schemes::labelled<Hash, labels::hashed> scheme;
    scheme.vnodes_per_unit = 100;
    ring<decltype(scheme)> r(scheme);
    for (int i = 0; i < 10; ++i) {
        r.add("node-" + std::to_string(i));
    }
    std::vector<int> load(10, 0);
    for (int i = 0; i < 50'000; ++i) {
        ++load[r.owner_index_at(r.position("key-" + std::to_string(i)))];
    }
    return *std::max_element(load.begin(), load.end()) / 5000.0;
}

/// The shares of `n` nodes of set number `set` on a ring with nothing chosen.
std::vector<double> default_shares(std::size_t n, int set) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < n; ++i) {
        names.push_back("set" + std::to_string(set) + "-node" + std::to_string(i));
    }
    return ring<>(names).shares();
}

using labelled_crc32 = schemes::labelled<hash::finalised<hash::crc32>, labels::dashed>;

} // namespace

/// Each but the first lacks one thing that a scheme must have.
namespace near_miss {

struct derived : schemes::xxh3 {};
struct signed_positions : schemes::xxh3 {
    using position_type = std::int64_t;
};
struct wrong_summary : schemes::xxh3 {
    static constexpr int summary = 0;
};
struct wrong_ties : schemes::xxh3 {
    static constexpr int ties = 0;
};
struct throwing_position : schemes::xxh3 {
    std::uint64_t position(std::string_view) const { return 0; }
};
struct narrow_position : schemes::xxh3 {
    std::uint32_t position(std::string_view) const noexcept { return 0; }
};
struct signed_counts : schemes::xxh3 {
    std::vector<std::int32_t> counts(std::span<const placed_node>) const { return {}; }
};
struct changing_points : schemes::xxh3 {
    void points(const placed_node&, std::span<std::uint64_t>) {}
};
struct label_by_name : schemes::xxh3 {
    std::string label(std::string_view) const { return {}; }
};
struct number_text : schemes::xxh3 {
    static std::uint64_t text(std::uint64_t position) { return position; }
};
struct wrong_options : schemes::xxh3 {
    static int options() { return 0; }
};
struct constant_options : schemes::xxh3 {
    void set(std::string_view) {}
};
struct incomparable : schemes::xxh3 {
    friend bool operator==(const incomparable&, const incomparable&) = delete;
};

} // namespace near_miss

TEST_CASE("schemes: the default is what its documentation says to the bit", "[schemes][golden]") {
    test::mismatches wrong;
    const schemes::xxh3 scheme;
    for (const std::string_view name : {"a", "cache-a", "cache-b", "10.0.0.1:6379", "\xc3\xa9"}) {
        const auto points = points_of(scheme, {.name = name, .address = "ignored"}, 160);
        for (std::size_t j = 0; j < points.size(); ++j) {
            wrong.compare(points[j], default_point(name, j), name, j);
        }
        wrong.compare(scheme.position(name), XXH3_64bits(name.data(), name.size()), name);
    }
    CHECK(wrong.report() == "");
    CHECK(scheme.position("") == 0x2d06800538d394c2U);
    CHECK(scheme.label({.name = "cache-a"}, 4) == "mix(xxh3(cache-a) + 5 * 0x9e3779b97f4a7c15)");
    CHECK(scheme.text(18446744073709551615U) == "18446744073709551615");
}

TEST_CASE("schemes: ketama-group takes four words of each digest", "[schemes][golden]") {
    const schemes::ketama_group scheme;
    CHECK(points_of(scheme, {.name = "GroupA"}, 4) ==
          std::vector<std::uint32_t>{245117634U, 3903967603U, 3989765375U, 2676201676U});
    CHECK(points_of(scheme, {.name = "GroupA"}, 640)[639] ==
          hash::md5::digest("GroupA159").words[3]);
    CHECK(scheme.position("GroupA0") == 245117634U);
    CHECK(scheme.label({.name = "GroupA"}, 9) == "GroupA2 word 1");
    CHECK(scheme.text(4294967295U) == "4294967295");
}

TEST_CASE("schemes: murmur-shard prints signed numbers in their order", "[schemes][golden]") {
    const schemes::murmur_shard scheme; // numbers from a run of Jedis
    const auto points = points_of(scheme, {.name = "any", .index = 0}, 2);
    CHECK(scheme.text(points[0]) == "-4813603235750630532");
    CHECK(scheme.text(points[1]) == "-8934918767734906559");
    CHECK(points[1] < points[0]);
    CHECK(scheme.text(scheme.position("apple")) == "9094078805541179799");
    CHECK(scheme.position("apple") > points[0]);
    CHECK(scheme.text(0) == "-9223372036854775808");
    CHECK(scheme.text(~std::uint64_t{0}) == "9223372036854775807");
    CHECK(scheme.label({.name = "any", .index = 2}, 7) == "SHARD-2-NODE-7");
    STATIC_REQUIRE(schemes::murmur_shard{}.position("") ==
                   8371356515094919947U + (std::uint64_t{1} << 63U));
}

TEST_CASE("schemes: the lowest of Jedis' points of three shards", "[schemes][golden]") {
    const schemes::murmur_shard scheme;
    std::uint64_t lowest = std::numeric_limits<std::uint64_t>::max();
    std::uint32_t owner = 9;
    for (std::uint32_t i = 0; i < 3; ++i) {
        for (const std::uint64_t point : points_of(scheme, {.name = "any", .index = i}, 160)) {
            owner = point < lowest ? i : owner;
            lowest = std::min(lowest, point);
        }
    }
    CHECK(scheme.text(lowest) == "-9070998140040707904");
    CHECK(owner == 1);
}

TEST_CASE("schemes: murmur-shard-named has the name for the index", "[schemes][golden]") {
    const schemes::murmur_shard_named scheme;
    const auto points = points_of(scheme, {.name = "0", .index = 5}, 2);
    CHECK(scheme.text(points[0]) == "-4813603235750630532"); // a node called 0
    CHECK(scheme.label({.name = "a", .index = 5}, 7) == "SHARD-a-NODE-7");
}

TEST_CASE("schemes: bkdr-spaced starts at the address or the name", "[schemes][golden]") {
    const schemes::bkdr_spaced scheme;
    const auto points = points_of(scheme, {.name = "a", .address = "192.168.1.10"}, 2);
    CHECK(points == std::vector<std::uint32_t>{3835805999U, 1688322351U});
    CHECK(points_of(scheme, {.name = "192.168.1.10"}, 2) == points);
    CHECK(scheme.position("192.168.1.10") == 3835805999U);
    CHECK(scheme.label({.name = "a", .address = "b"}, 3) == "b, and 3 equal steps on");
    STATIC_REQUIRE(schemes::bkdr_spaced::last_position == 4294967294U);
    STATIC_REQUIRE(schemes::bkdr_spaced{}.position("086eg9jx") == 0); // a multiple of the circle
}

TEST_CASE("schemes: labelled is a hash and a label", "[schemes][golden]") {
    const labelled_crc32 scheme;
    const auto points = points_of(scheme, {.name = "a"}, 12);
    CHECK(points[11] == hash::mix(hash::crc32{}("a-11")));
    CHECK(scheme.position("123456789") == hash::mix(0xcbf43926U));
    CHECK(scheme.label({.name = "a"}, 11) == "a-11");
    CHECK(labelled_crc32::name == "mix-crc32/name-j");
    CHECK(labelled_crc32::point_rule == "mix-crc32/name-j");
}

TEST_CASE("schemes: what a placement depends on besides points", "[schemes][golden]") {
    CHECK(schemes::xxh3::name == "xxh3");
    CHECK(schemes::ketama_group::name == "ketama-group");
    CHECK(schemes::murmur_shard::name == "murmur-shard");
    CHECK(schemes::murmur_shard_named::name == "murmur-shard-named");
    CHECK(schemes::bkdr_spaced::name == "bkdr-spaced");
    STATIC_REQUIRE((!schemes::xxh3::order_matters && !schemes::murmur_shard_named::order_matters));
    STATIC_REQUIRE((schemes::ketama_group::order_matters && schemes::murmur_shard::order_matters));
    STATIC_REQUIRE((!schemes::bkdr_spaced::order_matters && !labelled_crc32::order_matters));
    STATIC_REQUIRE(schemes::murmur_shard::points_depend_on_list);
    STATIC_REQUIRE(!schemes::ketama_group::points_depend_on_list);
    STATIC_REQUIRE(schemes::ketama_group::ties == tie_rule::last);
    STATIC_REQUIRE(schemes::murmur_shard::ties == tie_rule::last);
    STATIC_REQUIRE(schemes::xxh3::ties == tie_rule::first);
    STATIC_REQUIRE(schemes::bkdr_spaced::ties == tie_rule::first);
    STATIC_REQUIRE(
        (!schemes::bkdr_spaced::independent_points && schemes::xxh3::independent_points));
    STATIC_REQUIRE(
        (!schemes::ketama_group::dumps_equal_points && schemes::xxh3::dumps_equal_points));
}

TEST_CASE("schemes: a description names key, points, owner and tie", "[schemes][golden]") {
    CHECK(describe(schemes::xxh3{}) ==
          "key: XXH3-64 of the key, seed 0\n"
          "points: mix(XXH3-64(name) + (j + 1) * 0x9e3779b97f4a7c15), mix the SplitMix64 "
          "finaliser; vnodes = 160\n"
          "owner: the first point at or after the key, after the last one the first\n"
          "tie: the node that comes first by name");
    schemes::ketama_group wide; // [B49]
    wide.set("vnodes", "640");
    CHECK(describe(wide) ==
          "key: first little-endian word of the key's MD5\n"
          "points: word j mod 4 of the MD5 of the name followed by j / 4; vnodes = 640\n"
          "owner: the first point at or after the key, after the last one the first\n"
          "tie: the node that comes last in the list");
}

TEMPLATE_TEST_CASE("schemes: options are set and read", "[schemes][law]", schemes::xxh3,
                   schemes::ketama_group, schemes::murmur_shard, schemes::murmur_shard_named,
                   schemes::bkdr_spaced, labelled_crc32) {
    STATIC_REQUIRE(placement_scheme<TestType>);
    const TestType preset;
    TestType scheme;
    REQUIRE(TestType::options().size() == 1);
    for (const scheme_option& option : TestType::options()) {
        CHECK(option.name == "vnodes");
        CHECK(preset.get(option.name) == option.preset);
        CHECK_FALSE(option.help.empty());
        scheme.set(option.name, preset.get(option.name));
        CHECK(scheme == preset);
    }
    for (const std::string_view value : {"1", "7", "640", "16777216"}) {
        scheme.set("vnodes", value);
        CHECK(scheme.get("vnodes") == value);
        CHECK(decimal(scheme.vnodes_per_unit) == value);
        CHECK(scheme != preset);
    }
    CHECK(std::string_view(TestType::summary) != "");
}

TEMPLATE_TEST_CASE("schemes: counts follow the weight alone", "[schemes][law]", schemes::xxh3,
                   schemes::ketama_group, schemes::murmur_shard, schemes::murmur_shard_named,
                   schemes::bkdr_spaced, labelled_crc32) {
    const bool shard = std::string_view(TestType::name).substr(0, 6) == "murmur";
    const std::uint32_t unit = shard ? 100 : 160;
    TestType scheme;
    const std::vector<placed_node> nodes = {{.name = "a", .weight = weight{1}},
                                            {.name = "b", .weight = weight{0}},
                                            {.name = "c", .weight = weight{0.001}},
                                            {.name = "d", .weight = weight{2.5}}};
    CHECK(scheme.counts(nodes) == std::vector<std::uint32_t>{unit, 0, 1, unit * 5 / 2});
    CHECK(scheme.counts({}).empty());
    scheme.set("vnodes", "10");
    CHECK(scheme.counts(nodes) == std::vector<std::uint32_t>{10, 0, 1, 25});
    scheme.set("vnodes", "16777216");
    CHECK_THROWS_AS(scheme.counts(nodes), invalid_point_count);
}

TEMPLATE_TEST_CASE("schemes: more points never change the first ones", "[schemes][law]",
                   schemes::xxh3, schemes::ketama_group, schemes::murmur_shard,
                   schemes::murmur_shard_named, labelled_crc32) {
    const placed_node node{.name = "cache-a", .address = "10.0.0.1", .index = 3}; // [B21]
    const auto many = points_of(TestType{}, node, 400);
    for (const std::size_t count : {0U, 1U, 5U, 160U, 399U}) {
        const auto few = points_of(TestType{}, node, count);
        CHECK(std::equal(few.begin(), few.end(), many.begin()));
    }
}

TEMPLATE_TEST_CASE("schemes: neither weight nor address is a part of a point", "[schemes][law]",
                   schemes::xxh3, schemes::ketama_group, schemes::murmur_shard,
                   schemes::murmur_shard_named, labelled_crc32) {
    const placed_node plain{.name = "a"}; // [B19], B21
    const placed_node other{.name = "a", .address = "10.0.0.1", .weight = weight{7}};
    CHECK(points_of(TestType{}, plain, 50) == points_of(TestType{}, other, 50));
}

TEMPLATE_TEST_CASE("schemes: look-alike names spread behind the finaliser", "[schemes][law]",
                   hash::bkdr<31>, hash::bkdr<131>, hash::bkdr<1313>, hash::bkdr<13131>,
                   hash::bkdr<131313>, hash::bkdr_printed<31>, hash::bkdr_printed<131>,
                   hash::bkdr_printed<1313>, hash::bkdr_printed<13131>, hash::bkdr_printed<131313>,
                   hash::crc32, hash::murmur64a, hash::md5, hash::xxh3, hash::xxh64) {
    CHECK(peak_of_look_alikes<hash::finalised<TestType>>() <= 1.4); // [B56]
}

TEMPLATE_TEST_CASE("schemes: a hash that needs no finaliser spreads them without", "[schemes][law]",
                   hash::murmur64a, hash::md5, hash::xxh3, hash::xxh64) {
    CHECK(peak_of_look_alikes<TestType>() <= 1.4);
}

TEST_CASE("schemes: raw BKDR puts look-alike names on one arc", "[schemes][law]") {
    CHECK(peak_of_look_alikes<hash::raw<hash::bkdr<131>>>() >= 9.9); // so that it must be asked for
    CHECK(peak_of_look_alikes<hash::raw<hash::bkdr<31>>>() >= 9.9);
}

TEST_CASE("schemes: with the defaults the peak is 1.25 of fair at most", "[schemes][law]") {
    struct row {
        std::size_t nodes;
        double usual; // of a perfect hash with 160 points
    };
    for (const row& expected :
         {row{2, 1.04}, row{3, 1.06}, row{5, 1.09}, row{10, 1.12}, row{25, 1.16}, row{50, 1.18}}) {
        double sum = 0.0; // [B54]
        for (int set = 0; set < 100; ++set) {
            const std::vector<double> shares = default_shares(expected.nodes, set);
            sum += *std::max_element(shares.begin(), shares.end());
        }
        const double peak = sum / 100 * static_cast<double>(expected.nodes);
        CAPTURE(expected.nodes, peak);
        CHECK(peak <= 1.25);
        CHECK(std::abs(peak - expected.usual) <= 0.015);
    }
}

TEST_CASE("schemes: with the defaults two nodes get 40 to 60 percent", "[schemes][law]") {
    for (int set = 0; set < 100; ++set) { // [B55]
        const std::vector<double> shares = default_shares(2, set);
        CAPTURE(set, shares[0]);
        CHECK(std::max(shares[0], shares[1]) <= 0.6);
    }
}

TEMPLATE_TEST_CASE("schemes: bad options are typed errors and change nothing", "[schemes][error]",
                   schemes::xxh3, schemes::ketama_group, schemes::murmur_shard,
                   schemes::murmur_shard_named, schemes::bkdr_spaced, labelled_crc32) {
    TestType scheme;
    for (const std::string_view value : {"", "0", "-1", "+1", "1.5", "abc", "16777217", " 1", "1e3",
                                         "4294967297", "99999999999999999999"}) {
        CAPTURE(value);
        CHECK_THROWS_AS(scheme.set("vnodes", value), invalid_option);
    }
    CHECK_THROWS_AS(scheme.set("replicas", "1"), invalid_option);
    CHECK_THROWS_AS(scheme.set("", "1"), invalid_option);
    CHECK_THROWS_AS(scheme.get("replicas"), invalid_option);
    CHECK(scheme == TestType{});
}

TEST_CASE("schemes: what lacks a part is no scheme", "[schemes][error]") {
    STATIC_REQUIRE(placement_scheme<near_miss::derived>);
    STATIC_REQUIRE_FALSE(placement_scheme<near_miss::signed_positions>);
    STATIC_REQUIRE_FALSE(placement_scheme<near_miss::wrong_summary>);
    STATIC_REQUIRE_FALSE(placement_scheme<near_miss::wrong_ties>);
    STATIC_REQUIRE_FALSE(placement_scheme<near_miss::throwing_position>);
    STATIC_REQUIRE_FALSE(placement_scheme<near_miss::narrow_position>);
    STATIC_REQUIRE_FALSE(placement_scheme<near_miss::signed_counts>);
    STATIC_REQUIRE_FALSE(placement_scheme<near_miss::changing_points>);
    STATIC_REQUIRE_FALSE(placement_scheme<near_miss::label_by_name>);
    STATIC_REQUIRE_FALSE(placement_scheme<near_miss::number_text>);
    STATIC_REQUIRE_FALSE(placement_scheme<near_miss::wrong_options>);
    STATIC_REQUIRE_FALSE(placement_scheme<near_miss::constant_options>);
    STATIC_REQUIRE_FALSE(placement_scheme<near_miss::incomparable>);
    STATIC_REQUIRE_FALSE(placement_scheme<hash::xxh3>);
}
