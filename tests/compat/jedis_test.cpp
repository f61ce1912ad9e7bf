// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/golden_rings.hpp"
#include "support/mismatches.hpp"

#include <hashring/compat/jedis.hpp>
#include <hashring/compat/jedis_tag.hpp>
#include <hashring/ring/diff.hpp>
#include <hashring/ring/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::jedis;
using compat::jedis_2_9;
using compat::jedis_hash;
using compat::jedis_hash_kind;
using compat::jedis_tag;

namespace {

constexpr jedis_tag braces{hash::tag{'{', '}'}};
constexpr jedis_hash by_md5{jedis_hash_kind::md5};

template <class Scheme>
Scheme with(std::string_view option, std::string_view value) {
    Scheme scheme;
    scheme.set(option, value);
    return scheme;
}

const std::vector<node_spec> five = {
    {"s0"}, {"s1", weight{2}}, {"s2", weight{3}}, {"s3", weight{5}}, {"s4", weight{8}}};

} // namespace

TEST_CASE("jedis: hashes stand in the order of signed numbers", "[jedis][golden]") {
    const jedis_hash murmur;
    CHECK(murmur.number(murmur("")) == "8371356515094919947");
    CHECK(murmur.number(murmur("apple")) == "9094078805541179799");
    CHECK(murmur.number(murmur("SHARD-0-NODE-0")) == "-4813603235750630532");
    CHECK(murmur.number(murmur("SHARD-0-NODE-1")) == "-8934918767734906559");
    CHECK(murmur("SHARD-0-NODE-0") < murmur("apple"));
    STATIC_REQUIRE(by_md5("apple") == std::uint64_t{0xbe70381f} << 32U); // 1f3870be274f6c49…
    CHECK(by_md5.number(by_md5("apple")) == "3195025439");
}

TEST_CASE("jedis: the lowest point of three shards is shard 1's", "[jedis][golden]") {
    const ring<jedis> r({"shard0", "shard1", "shard2"});
    REQUIRE(r.point_count() == 480);
    CHECK(r.scheme().text(r.point_position(0)) == "-9070998140040707904");
    CHECK(r.point_owner(0) == 1);
}

TEST_CASE("jedis: a shard is hashed by its place, by its name, or with its weight too",
          "[jedis][golden]") {
    const placed_node third{"redis-c", "", weight{3}, 2};
    CHECK(jedis().label(third, 17) == "SHARD-2-NODE-17");
    CHECK(jedis_2_9().label(third, 17) == "SHARD-2-NODE-17");
    CHECK(with<jedis>("named", "1").label(third, 17) == "redis-c*17");
    CHECK(with<jedis_2_9>("named", "1").label(third, 17) == "redis-c*317");
}

// What java.util.regex.Pattern 17 finds with \{(.+?)\}.
TEST_CASE("jedis: a tag is the shortest text between marks, of one character or more",
          "[jedis][golden]") {
    STATIC_REQUIRE(braces("{a}{b}") == "a");
    STATIC_REQUIRE(braces("x{user}y") == "user");
    STATIC_REQUIRE(braces("{{42}}") == "{42");
    STATIC_REQUIRE(braces("}{a}") == "a");
    STATIC_REQUIRE(braces("{}a}") == "}a");
    STATIC_REQUIRE(braces("{}}") == "}");
    STATIC_REQUIRE(braces("{}{x}") == "}{x");
    STATIC_REQUIRE(braces("{\xc2\x84}") == "\xc2\x84");
    STATIC_REQUIRE(braces("{\v}") == "\v");
}

TEST_CASE("jedis: no tag goes over the end of a line", "[jedis][golden]") {
    for (const std::string end : {"\n", "\r", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
        CAPTURE(end);
        const std::string cut = "{a" + end + "b}";
        CHECK(braces(cut) == cut);
        CHECK(braces("{" + end + "}") == "{" + end + "}");
        CHECK(braces("{a" + end + "{b}") == "b");
        CHECK(braces("{a}" + end) == "a");
    }
    CHECK(braces("{\xe2\x80\xaa}") == "\xe2\x80\xaa"); // U+202A
    CHECK(braces("{\xc2\xa0\xe2\x82\xac}") == "\xc2\xa0\xe2\x82\xac");
}

TEST_CASE("jedis: keys without both marks, and all without the option, are hashed whole",
          "[jedis][edge]") {
    for (const std::string key : {"", "a", "{", "}", "{}", "a{b", "b}a{", "\xe2\x80", "{\xc2"}) {
        CAPTURE(key);
        CHECK(braces(key) == key);
    }
    CHECK(jedis_tag()("{a}") == "{a}");
    const auto tagged = with<jedis>("tag", "{}");
    CHECK(tagged.position("user:{42}:name") == jedis().position("42"));
    CHECK(jedis().position("{42}") != jedis().position("42"));
    // Redis Cluster hashes this whole.
    CHECK(tagged.position("{}a}") == jedis().position("}a"));
    CHECK(with<jedis>("tag", "::").position("a:b:c") == jedis().position("b"));
}

TEST_CASE("jedis: a key is found where its number is between the points' numbers", "[jedis][law]") {
    constexpr std::uint64_t seed = 6;
    CAPTURE(seed);
    const ring<jedis> r(five, with<jedis>("hash", "md5"));
    hashring::test::mismatches found;
    dice random(seed);
    for (int i = 0; i < 2'000; ++i) {
        const std::string key = decimal(random.next());
        const std::size_t at = r.point_index(r.position(key));
        const auto number = [&](std::uint64_t position) {
            return std::stoull(r.scheme().text(position));
        };
        const auto wanted = number(r.position(key));
        found.expect(number(r.point_position(at)) >= wanted || at == 0, key);
        found.expect(at == 0 || number(r.point_position(at - 1)) < wanted, key);
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("jedis: between two numbers of MD5 the next one is printed", "[jedis][law]") {
    const auto position = by_md5("apple");
    CHECK(by_md5.number(position + 1) == "3195025440");
    CHECK(by_md5.number(position - 1) == "3195025439");
    CHECK(by_md5.number(0) == "0");
    CHECK(by_md5.number(std::uint64_t{0xffffffff} << 32U) == "4294967295");
    CHECK(by_md5.number(~std::uint64_t{0}) == "0"); // past the last comes the first
}

TEST_CASE("jedis: points are 160 a unit of weight, of which the first stay", "[jedis][law]") {
    const ring<jedis> r(five);
    CHECK(r.point_count() == 160U * 19);
    CHECK(r.find("s4")->vnodes() == 1280);
    CHECK(ring<jedis>({{"a", weight{0}}, {"b"}}).point_count() == 160);
    std::vector<std::uint64_t> few(160);
    std::vector<std::uint64_t> many(320);
    jedis().points({"a", "", weight{1}, 3}, few);
    jedis().points({"a", "", weight{2}, 3}, many);
    many.resize(160);
    CHECK(few == many);
}

TEST_CASE("jedis: a named shard that goes gives its keys and no others", "[jedis][law]") {
    const auto named = with<jedis>("named", "1");
    const ring<jedis> before(five, named);
    auto left = five;
    left.erase(left.begin() + 1);
    for (const transfer& moved : diff(before, ring<jedis>(left, named)).transfers()) {
        CHECK(diff(before, ring<jedis>(left, named)).name(moved.from, "-") == "s1");
    }
    // Without names all behind it are renamed.
    CHECK(diff(ring<jedis>(five), ring<jedis>(left)).moved_fraction() > 0.5);
}

TEST_CASE("jedis: changes give the ring of the list that is left", "[jedis][law]") {
    const std::string named = GENERATE("0", "1");
    ring<jedis> r(five, with<jedis>("named", named));
    CHECK(r.remove("s1"));
    CHECK(r.add("s5"));
    CHECK(r.set_weight("s2", weight{1}));
    CHECK(r == ring<jedis>({{"s0"}, {"s2"}, {"s3", weight{5}}, {"s4", weight{8}}, {"s5"}},
                           with<jedis>("named", named)));
}

TEST_CASE("jedis: up to 2.9 another weight moves all points of a named shard", "[jedis][law]") {
    const auto points = [](const auto& scheme, std::uint64_t w) {
        std::vector<std::uint64_t> result(10);
        scheme.points({"a", "", weight{w}, 0}, result);
        return result;
    };
    CHECK(points(with<jedis>("named", "1"), 1) == points(with<jedis>("named", "1"), 2));
    CHECK(points(with<jedis_2_9>("named", "1"), 1) != points(with<jedis_2_9>("named", "1"), 2));
    ring<jedis_2_9> r({"a", "b"}, with<jedis_2_9>("named", "1"));
    r.set_weight("a", weight{2});
    CHECK(r == ring<jedis_2_9>({{"a", weight{2}}, {"b"}}, with<jedis_2_9>("named", "1")));
}

TEST_CASE("jedis: the later of two shards has a shared point", "[jedis][law]") {
    // No two labels are known that hash to one number: here all shards' do.
    struct same_labels : jedis {
        static void points(const placed_node&, std::span<std::uint64_t> out) {
            for (std::size_t j = 0; j < out.size(); ++j) {
                out[j] = j;
            }
        }
        bool operator==(const same_labels&) const = default;
    };
    const ring<same_labels> r({"a", "b"});
    CHECK(r.owner_at(0)->name() == "b");
    CHECK(ring<same_labels>({"b", "a"}).owner_at(159)->name() == "a");
    CHECK(r.point_count() == 320);
    CHECK(golden::dump(r).size() == 160); // what its map shows
}

TEST_CASE("jedis: its options are what they are set to", "[jedis][edge]") {
    jedis scheme;
    CHECK(scheme.get("hash") == "murmur");
    CHECK(scheme.get("tag") == "");
    CHECK(scheme.get("named") == "0");
    for (const auto& [option, value] :
         {std::pair("hash", "md5"), std::pair("tag", "<>"), std::pair("named", "1")}) {
        scheme.set(option, value);
        CHECK(scheme.get(option) == value);
    }
    CHECK_FALSE(scheme == jedis());
    CHECK(jedis::options().size() == 3);
    CHECK(with<jedis>("named", "1").places_keys_as(jedis()));
    CHECK_FALSE(with<jedis>("tag", "{}").places_keys_as(jedis()));
    CHECK_FALSE(with<jedis>("hash", "md5").places_keys_as(jedis()));
}

TEST_CASE("jedis: what it does not take is refused", "[jedis][error]") {
    jedis scheme;
    CHECK_THROWS_AS(scheme.set("hash", "crc32"), invalid_option);
    CHECK_THROWS_AS(scheme.set("tag", "{"), invalid_option);
    CHECK_THROWS_AS(scheme.set("named", "yes"), invalid_option);
    CHECK_THROWS_AS(scheme.set("vnodes", "100"), invalid_option);
    CHECK_THROWS_AS(scheme.get("vnodes"), invalid_option);
    CHECK(scheme == jedis());
    CHECK_THROWS_AS(ring<jedis>({{"a", weight{0.5}}}), invalid_weight);
    CHECK_THROWS_AS(ring<jedis>({{"a", weight{1'000'000}}}), invalid_point_count);
}
