// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <hashring/compat/nginx.hpp>
#include <hashring/compat/nginx_modulo.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::nginx;
using compat::nginx_modulo;
using compat::nginx_server;
using compat::split_nginx_server;

namespace {

using positions = std::vector<std::uint32_t>;

positions first_points(std::string_view name, std::size_t count) {
    positions points(count);
    placed_node node;
    node.name = name;
    nginx::points(node, points);
    return points;
}

// Both have a point at 1,090,940,504, the only one that two of cache-1 … cache-1199 share.
const std::string low = "cache-405:8080";
const std::string high = "cache-958:8080";
constexpr std::uint32_t shared = 1'090'940'504;

std::size_t points_at(const ring<nginx>& r, std::uint32_t position) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < r.point_count(); ++i) {
        count += r.point_position(i) == position ? 1U : 0U;
    }
    return count;
}

} // namespace

TEST_CASE("nginx: points are a chain of CRC-32", "[nginx][golden]") {
    CHECK(first_points("127.0.0.1:14001", 4) ==
          positions{3180369627, 1909074218, 1402264192, 932765526});
    CHECK(first_points("UNIX:/run/a.sock", 4) ==
          positions{4086230301, 1903376335, 3751054279, 4130688920});
    CHECK(nginx::position("apple") == 2838417488);
    const ring<nginx> r({"127.0.0.1:14001", "127.0.0.1:14002", "127.0.0.1:14003"});
    CHECK(r.owner("apple")->name() == "127.0.0.1:14003");
    CHECK(r.owner("banana")->name() == "127.0.0.1:14002");
    CHECK(nginx::label({"a:80", "", weight{1}, 0}, 7) == "a NUL 80 link 7");
}

TEST_CASE("nginx: a server's text is split at the digits behind its last colon",
          "[nginx][golden]") {
    STATIC_REQUIRE(split_nginx_server("127.0.0.1:80") == nginx_server{"127.0.0.1", "80"});
    STATIC_REQUIRE(split_nginx_server("127.0.0.1") == nginx_server{"127.0.0.1", ""});
    STATIC_REQUIRE(split_nginx_server("[::1]:8080") == nginx_server{"[::1]", "8080"});
    STATIC_REQUIRE(split_nginx_server("[::1]") == nginx_server{"[::1]", ""});
    STATIC_REQUIRE(split_nginx_server("host80") == nginx_server{"host80", ""});
    STATIC_REQUIRE(split_nginx_server("host:") == nginx_server{"host", ""});
    STATIC_REQUIRE(split_nginx_server("host:80a") == nginx_server{"host:80a", ""});
    STATIC_REQUIRE(split_nginx_server(":80") == nginx_server{"", "80"});
    STATIC_REQUIRE(split_nginx_server("8080") == nginx_server{"8080", ""});
    STATIC_REQUIRE(split_nginx_server("unix:/run/a:80") == nginx_server{"/run/a:80", ""});
    STATIC_REQUIRE(split_nginx_server("Unix:/A") == nginx_server{"/A", ""});
    STATIC_REQUIRE(split_nginx_server("unix") == nginx_server{"unix", ""});
}

TEST_CASE("nginx: on a shared point the server that comes first owns and has it alone",
          "[nginx][golden]") {
    for (const auto& order : {std::vector{low, high}, std::vector{high, low}}) {
        const ring<nginx> r(order);
        CHECK(r.owner_at(shared)->name() == order[0]);
        CHECK(points_at(r, shared) == 1);
        CHECK(r.point_count() == 319);
        CHECK(r.find(order[1])->vnodes() == 159);
    }
}

TEST_CASE("nginx: a heavier server has the points of a lighter one and more", "[nginx][law]") {
    const positions light = first_points("10.0.0.7:11211", 160);
    const positions heavy = first_points("10.0.0.7:11211", 5 * 160);
    CHECK(std::equal(light.begin(), light.end(), heavy.begin()));
    const ring<nginx> r({{"10.0.0.7:11211", weight{5}}, {"10.0.0.8:11211", weight{0}}});
    CHECK(r.point_count() == 800);
    CHECK(r.find("10.0.0.8:11211")->vnodes() == 0);
}

TEST_CASE("nginx: lines of one text are one server of the largest weight", "[nginx][law]") {
    const std::vector<node_spec> lines = {
        {"a:1", weight{2}}, {"b:1"}, {"a:1", weight{5}}, {"a:1"}, {"A:1"}};
    const auto merged = compat::merge_nginx_servers(lines);
    REQUIRE(merged.size() == 3);
    CHECK(merged[0] == node_spec("a:1", weight{5}));
    CHECK(merged[1] == node_spec("b:1"));
    CHECK(merged[2] == node_spec("A:1"));
}

TEST_CASE("nginx: changes give the ring of the list that is left", "[nginx][law]") {
    ring<nginx> r({low, {"b", weight{3}}, high});
    CHECK(r.remove(low));
    CHECK(r == ring<nginx>({{"b", weight{3}}, high}));
    CHECK(r.find(high)->vnodes() == 160); // with the point that it had lost
    CHECK(r.set_weight("b", weight{1}));
    CHECK(r == ring<nginx>({"b", high}));
    CHECK(r.set_vnodes("b", 7));
    CHECK(r.find("b")->vnodes() == 7);
    ring<nginx> counted({{low}, {high, weight{1}, "", 160}});
    CHECK(counted.find(high)->vnodes() == 159);
    CHECK(counted.remove(low));
    CHECK(counted.find(high)->vnodes() == 160);
}

TEST_CASE("nginx modulo: the hash has 15 bits, and a new try adds another", "[nginx][golden]") {
    CHECK(nginx_modulo::position("apple") == 10542);
    CHECK(nginx_modulo::position("apple", 0) == 10542);
    CHECK(nginx_modulo::position("apple", 1) == 15126);
    CHECK(nginx_modulo::position("apple", 12) == 189622);
}

TEST_CASE("nginx modulo: servers have as many remainders as they weigh, in order", "[nginx][law]") {
    const table<nginx_modulo> t({{"a", weight{2}}, {"b", weight{0}}, {"c", weight{1}}});
    REQUIRE(t.slot_count() == 3);
    for (std::uint32_t h = 0; h < 12; ++h) {
        CHECK(t.owner_at(h)->name() == (h % 3 < 2 ? "a" : "c"));
    }
    CHECK(t.node(0).vnodes() == 2);
    CHECK(t.node(1).vnodes() == 0);
    CHECK(table<nginx_modulo>().owner("k") == std::nullopt);
}

TEST_CASE("nginx: fractions and more points than a ring holds are refused", "[nginx][error]") {
    CHECK_THROWS_AS(ring<nginx>({{"a", weight{0.5}}}), invalid_weight);
    CHECK_THROWS_AS(table<nginx_modulo>({{"a", weight{0.5}}}), invalid_weight);
    CHECK_THROWS_AS(ring<nginx>({{"a", weight{1'000'000}}}), invalid_point_count);
    nginx scheme;
    CHECK_THROWS_AS(scheme.set("vnodes", "3"), invalid_option);
    CHECK_THROWS_AS(scheme.get("vnodes"), invalid_option);
}
