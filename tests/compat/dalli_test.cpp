// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/vnodes_of.hpp"

#include <hashring/compat/dalli.hpp>
#include <hashring/hash/sha1.hpp>
#include <hashring/placement/describe.hpp>
#include <hashring/ring/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hashring;
using compat::dalli;
using compat::dalli_server_name;
using support::vnodes_of;

namespace {

// A position here is the program's number counted back, and the other way round.
constexpr std::uint32_t mirrored(std::uint32_t number) {
    return 0xffffffffU - number;
}

std::vector<std::uint32_t> first_points(std::string_view name, std::size_t count) {
    std::vector<std::uint32_t> points(count);
    dalli::points({.name = name}, points);
    std::transform(points.begin(), points.end(), points.begin(), mirrored);
    return points;
}

// The program's continuum: point and server, sorted by the point alone.
std::vector<std::pair<std::uint32_t, std::string>>
continuum_of(const std::vector<std::string>& servers, std::size_t count) {
    std::vector<std::pair<std::uint32_t, std::string>> continuum;
    for (const std::string& server : servers) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::string text = dalli_server_name(server) + ":" + std::to_string(i);
            continuum.emplace_back(hash::sha1{}(text), server);
        }
    }
    std::stable_sort(continuum.begin(), continuum.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    return continuum;
}

// The last entry at or before `number`, or the last of all.
std::string served(const std::vector<std::pair<std::uint32_t, std::string>>& continuum,
                   std::uint32_t number) {
    auto behind = std::find_if(continuum.begin(), continuum.end(),
                               [&](const auto& entry) { return entry.first > number; });
    return behind == continuum.begin() ? continuum.back().second : (behind - 1)->second;
}

// The only two of cache-1 … cache-82 with a point in common.
const std::string low = "cache-49";
const std::string high = "cache-83";
constexpr std::uint32_t shared = 1'138'445'340;

} // namespace

TEST_CASE("dalli: points are the first four bytes of SHA-1, keys stand at CRC-32",
          "[dalli][golden]") {
    CHECK(first_points("10.0.0.1:11211", 4) ==
          std::vector<std::uint32_t>{4015084205, 3855609313, 354814869, 2122748401});
    CHECK(first_points("/tmp/a.sock", 2) == std::vector<std::uint32_t>{2134539791, 1236614226});
    CHECK(first_points("[::1]", 2) == std::vector<std::uint32_t>{3382347556, 1947334462});
    CHECK(dalli::position("apple") == mirrored(2838417488));
    CHECK(dalli::text(dalli::position("apple")) == "2838417488");
    CHECK(dalli::label({.name = "a"}, 17) == "a:11211:17");
}

TEST_CASE("dalli: a server is known by its host and port", "[dalli][golden]") {
    CHECK(dalli_server_name("cache1.example") == "cache1.example:11211");
    CHECK(dalli_server_name("cache1.example:80") == "cache1.example:80");
    CHECK(dalli_server_name("a:0") == "a:0");
    CHECK(dalli_server_name("[::1]") == "::1:11211");
    CHECK(dalli_server_name("[2001:DB8::f]:80") == "2001:DB8::f:80");
    CHECK(dalli_server_name("[host]") == "[host]:11211"); // no hexadecimal digits
    CHECK(dalli_server_name("[abc]:80") == "abc:80");
    CHECK(dalli_server_name("/run/memcached.sock") == "/run/memcached.sock");
}

TEST_CASE("dalli: a key is hashed again with the number of the try before in front",
          "[dalli][golden]") {
    const dalli scheme;
    CHECK(scheme.position("apple", 0) == mirrored(2838417488));
    CHECK(scheme.position("apple", 1) == mirrored(3669262659)); // 0apple
    CHECK(scheme.position("apple", 2) == mirrored(300438246));  // 1apple
    CHECK(scheme.position("apple", 19) == mirrored(341693205)); // 18apple
    STATIC_REQUIRE(dalli::tries == 20);
}

TEST_CASE("dalli: counts are by weight among all servers, rounded down", "[dalli][golden]") {
    const auto counts = [](const std::vector<node_spec>& nodes) {
        return vnodes_of(ring<dalli>(nodes));
    };
    CHECK(counts({"a", "b", "c"}) == std::vector<std::uint32_t>{160, 160, 160});
    CHECK(counts({{"a", weight{1}}, {"b", weight{2}}, {"c", weight{4}}}) ==
          std::vector<std::uint32_t>{68, 137, 274}); // 480 / 7, 960 / 7, 1920 / 7
    CHECK(counts({{"a", weight{1}}, {"b", weight{0}}}) == std::vector<std::uint32_t>{320, 0});
    CHECK(counts({{"a", weight{1}}, {"b", weight{1000}}}) == std::vector<std::uint32_t>{0, 319});
}

TEST_CASE("dalli: the last point at or before a key serves it", "[dalli][law]") {
    constexpr std::uint64_t seed = 306;
    CAPTURE(seed);
    dice random(seed);
    const std::vector<std::string> servers = node_names(7, seed);
    const ring<dalli> placed(servers);
    const auto continuum = continuum_of(servers, 160);
    test::mismatches wrong;
    const auto check = [&](std::uint32_t number) {
        wrong.compare(std::string(placed.owner_at(mirrored(number))->name()),
                      served(continuum, number), number);
    };
    for (const auto& [point, server] : continuum) {
        check(point - 1);
        check(point);
        check(point + 1);
    }
    for (int i = 0; i < 3000; ++i) {
        check(static_cast<std::uint32_t>(random.next()));
    }
    check(0);
    check(0xffffffffU);
    CHECK(wrong.report() == "");
    CHECK(continuum.front().first > 0);
    CHECK(served(continuum, 0) == continuum.back().second);
}

TEST_CASE("dalli: names that the program reads alike have the same points", "[dalli][law]") {
    CHECK(first_points("cache-7", 160) == first_points("cache-7:11211", 160));
    CHECK(first_points("[::1]", 160) == first_points("[::1]:11211", 160));
    CHECK(first_points("cache-7", 160) != first_points("cache-7:11212", 160));
}

TEST_CASE("dalli: of two servers on one point the last of the list serves", "[dalli][edge]") {
    for (const auto& order : {std::vector{low, high}, std::vector{high, low}}) {
        const ring<dalli> placed(order);
        const auto continuum = continuum_of(order, 160);
        CHECK(placed.point_count() == 320);
        CHECK(placed.owner_at(mirrored(shared))->name() == order[1]);
        CHECK(placed.owner_at(mirrored(shared + 1))->name() == order[1]);
        CHECK(placed.owner_at(mirrored(shared - 1))->name() == served(continuum, shared - 1));
        // The dump from its end on is the ring: of equal points the one that was listed first
        // comes first there.
        bool same = true;
        for (std::size_t i = 0; i < 320; ++i) {
            const auto& [point, server] = continuum[319 - i];
            same = same && placed.point_position(i) == mirrored(point) &&
                   placed.node(placed.point_owner(i)).name() == server;
        }
        CHECK(same);
    }
}

TEST_CASE("dalli: the rule in words is that of the program", "[dalli][edge]") {
    const std::string words = describe(dalli{});
    CHECK(words.find("owner: the last point at or before the key, before the first one the last") !=
          std::string::npos);
    CHECK(ring<dalli>{"only"}.owner("k")->name() == "only");
    CHECK_FALSE(ring<dalli>{node_spec("a", weight{0})}.owner("k").has_value());
}

TEST_CASE("dalli: what the program cannot read is a typed error", "[dalli][error]") {
    for (const std::string name :
         {"a:", "a:x", "a:80:2", ":80", ":", "::1", "a:-1", "a:080", "[::1]x",
          "[::1]:", "memcached://a:80", "/run/a.sock:1", "[::1]80", "[]", "[]:80", ""}) {
        CAPTURE(name);
        CHECK_THROWS_AS(dalli_server_name(name), invalid_node);
        CHECK_THROWS_AS((ring<dalli>{node_spec(name, weight{0})}), invalid_node);
    }
    CHECK_THROWS_AS((ring<dalli>{node_spec("a", weight{0.5})}), invalid_weight);
    CHECK_THROWS_AS(dalli{}.set("hash", "md5"), invalid_option);
    ring<dalli> kept{"a", "b"};
    CHECK_THROWS_AS(kept.add("c:d"), invalid_node);
    CHECK(kept == ring<dalli>{"a", "b"});
}
