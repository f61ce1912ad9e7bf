// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/compat/haproxy.hpp>
#include <hashring/compat/haproxy_map_based.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::haproxy;
using compat::haproxy_avalanche;
using compat::haproxy_map_based;
using compat::haproxy_server;

namespace {

template <class Scheme = haproxy>
Scheme with(std::string_view hash, bool avalanche = false) {
    Scheme scheme;
    scheme.set("hash", hash);
    scheme.set("avalanche", avalanche ? "1" : "0");
    return scheme;
}

using point = std::pair<std::uint32_t, std::uint32_t>; // position, server

// The program's tree: equal points in the order of the servers.
std::vector<point> tree_of(const ring<haproxy>& r) {
    std::vector<point> tree;
    for (std::uint32_t i = 0; i < r.size(); ++i) {
        const auto node = r.node(i);
        std::vector<std::uint32_t> own(node.vnodes());
        r.scheme().points({node.name(), node.address(), node.weight(), i}, own);
        for (const std::uint32_t position : own) {
            tree.emplace_back(position, i);
        }
    }
    std::sort(tree.begin(), tree.end());
    return tree;
}

// The rule as it is written down: the first point at or after, the one before it, and distances.
std::uint32_t nearest(const std::vector<point>& tree, std::uint32_t h) {
    auto next =
        std::find_if(tree.begin(), tree.end(), [&](const point& p) { return p.first >= h; });
    if (next == tree.end()) {
        next = tree.begin();
    }
    const point before = next == tree.begin() ? tree.back() : *(next - 1);
    const std::uint32_t back = h - before.first;
    const std::uint32_t ahead = next->first - h;
    return back <= ahead ? before.second : next->second;
}

// Whether the ring answers by that rule on all points, beside them, half-way and at random.
std::string mistakes_of(const ring<haproxy>& r, std::uint64_t seed) {
    const std::vector<point> tree = tree_of(r);
    test::seeded_input input(seed);
    std::vector<std::uint32_t> asked = {0, 1, 0xffffffffU, 0x80000000U};
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const std::uint32_t here = tree[i].first;
        const std::uint32_t half = (tree[(i + 1) % tree.size()].first - here) / 2;
        for (const std::uint32_t at : {here, here + half}) {
            asked.insert(asked.end(), {at - 1, at, at + 1});
        }
        asked.push_back(static_cast<std::uint32_t>(input.number_of_any_width()));
    }
    test::mismatches wrong;
    for (const std::uint32_t h : asked) {
        wrong.compare(r.owner_index_at(h), nearest(tree, h), h);
    }
    return wrong.report();
}

std::vector<std::uint32_t> ids_of(const std::vector<haproxy_server>& servers) {
    return compat::haproxy_ids(servers);
}

} // namespace

TEST_CASE("haproxy: the avalanche is the program's", "[haproxy][golden]") {
    STATIC_REQUIRE(haproxy_avalanche(0) == 2874071335);
    STATIC_REQUIRE(haproxy_avalanche(4096) == 1237450891);
    STATIC_REQUIRE(haproxy_avalanche(4097) == 2761370759);
    STATIC_REQUIRE(haproxy_avalanche(4098) == 3040967754);
    STATIC_REQUIRE(haproxy_avalanche(4099) == 643086982);
}

TEST_CASE("haproxy: keys are hashed by function and avalanche", "[haproxy][golden]") {
    CHECK(with("sdbm").position("apple") == 1327380058);
    CHECK(with("djb2").position("apple") == 253337143);
    CHECK(with("wt6").position("apple") == 1870391778);
    CHECK(with("crc32").position("apple") == 2838417488);
    CHECK(with("sdbm", true).position("apple") == 3274580788);
    CHECK(with("djb2", true).position("apple") == 3838684307);
    CHECK(with("wt6", true).position("apple") == 2292996852);
    CHECK(with("crc32", true).position("apple") == 4264212356);
    const std::string high = "\xe9\x80\xff";
    CHECK(with("sdbm").position(high) == 1933327592);
    CHECK(with("djb2").position(high) == 193635213);
    CHECK(with("wt6").position(high) == 2390895265);
    CHECK(with("crc32").position(high) == 1341343227);
    // No function: sdbm, with avalanche on the ring and without in the table.
    CHECK(haproxy().position("apple") == 3274580788);
    CHECK(with("default").position("apple") == 3274580788);
    CHECK(haproxy_map_based().position("apple") == 1327380058);
    CHECK(with<haproxy_map_based>("default", true).position("apple") == 3274580788);
}

TEST_CASE("haproxy: a key that is a number is read as far as its digits go", "[haproxy][golden]") {
    STATIC_REQUIRE(compat::haproxy_number("0") == 0);
    STATIC_REQUIRE(compat::haproxy_number("4294967295") == 0xffffffffU);
    STATIC_REQUIRE(compat::haproxy_number("4294967298") == 2);
    STATIC_REQUIRE(compat::haproxy_number("+17") == 17);
    STATIC_REQUIRE(compat::haproxy_number("-1") == 0xffffffffU);
    STATIC_REQUIRE(compat::haproxy_number("12a4") == 12);
    STATIC_REQUIRE(compat::haproxy_number("a12") == 0);
    STATIC_REQUIRE(compat::haproxy_number("") == 0);
    STATIC_REQUIRE(compat::haproxy_number("9223372036854775807") == 0xffffffffU);
    STATIC_REQUIRE(compat::haproxy_number("9223372036854775806") == 0xfffffffeU);
    STATIC_REQUIRE(compat::haproxy_number("9223372036854775809") == 0xffffffffU);
    STATIC_REQUIRE(compat::haproxy_number("99999999999999999999999") == 0xffffffffU);
    STATIC_REQUIRE(compat::haproxy_number("-9223372036854775807") == 1);
    STATIC_REQUIRE(compat::haproxy_number("-99999999999999999999999") == 0);
    CHECK(with("none").position("77") == 77);
    CHECK(with("none", true).position("4096") == 1237450891);
}

TEST_CASE("haproxy: ids are places, and those that are taken are passed over",
          "[haproxy][golden]") {
    const auto own = [](std::uint32_t id) {
        return haproxy_server{id, {}, {}};
    };
    const haproxy_server none;
    CHECK(ids_of({none, none, none}) == std::vector<std::uint32_t>{1, 2, 3});
    CHECK(ids_of({none, own(1), none, own(3), none}) == std::vector<std::uint32_t>{2, 1, 4, 3, 6});
    CHECK(ids_of({own(7), none, none}) == std::vector<std::uint32_t>{7, 2, 3});
    CHECK(ids_of({own(2), own(3), none, own(4)}) == std::vector<std::uint32_t>{2, 3, 5, 4});
    CHECK(ids_of({}) == std::vector<std::uint32_t>{});
}

TEST_CASE("haproxy: a server's number is made of what hash-key names, or else of its id",
          "[haproxy][golden]") {
    using by = compat::haproxy_hash_key;
    const auto number = [](std::string_view text, by key) {
        return compat::haproxy_server_key(compat::parse_haproxy_server("s", text), 5, key);
    };
    CHECK(number("", by::id) == 5 * 4096);
    CHECK(number("", by::id_3_0) == haproxy_avalanche(5));
    CHECK(number("", by::id32) == haproxy_avalanche(0x05000000U));
    CHECK(number("addr=1.2.3.4:80", by::id) == 5 * 4096);
    CHECK(number("addr=1.2.3.4:80", by::addr) == haproxy_avalanche(0x04030201U));
    CHECK(number("addr=1.2.3.4", by::addr_port) ==
          haproxy_avalanche(haproxy_avalanche(0) + 0x04030201U));
    CHECK(number("addr=1.2.3.4:80", by::addr_port) ==
          haproxy_avalanche(haproxy_avalanche(80) + 0x04030201U));
    const std::string loopback = std::string(15, '\0') + '\1';
    CHECK(number("addr=[::1]:80", by::addr) == hash::xxh32{}(loopback));
    CHECK(number("addr=[::1]:80", by::addr_port) == hash::xxh32{haproxy_avalanche(80)}(loopback));
    CHECK(number("addr=::1:80", by::addr_port) == hash::xxh32{haproxy_avalanche(80)}(loopback));
    CHECK(number("guid=abc", by::guid) == hash::xxh32{}("abc"));
    for (const by key : {by::addr, by::addr_port, by::guid}) {
        CHECK(number("", key) == 5 * 4096);
        CHECK(number("addr=cache.example:80", key) == 5 * 4096);
    }
}

TEST_CASE("haproxy: the nearest point serves, on either side", "[haproxy][law]") {
    CHECK(mistakes_of(ring<haproxy>({"a", "b", "c"}), 1) == "");
    CHECK(mistakes_of(ring<haproxy>({{"a", weight{200}}, {"b", weight{1}}, {"c"}}), 2) == "");
    CHECK(mistakes_of(ring<haproxy>({"only"}), 3) == "");
    std::vector<node_spec> many;
    for (int i = 0; i < 60; ++i) {
        many.emplace_back("s" + std::to_string(i), weight{1 + i % 7});
    }
    CHECK(mistakes_of(ring<haproxy>(many), 4) == "");
}

// All of their points are shared: from below the first of them serves, from above the last.
TEST_CASE("haproxy: servers with the same points share what is around them", "[haproxy][law]") {
    const node_spec low("low", weight{1}, "id=1");
    const node_spec wrapped("wrapped", weight{1}, "id=1048577");
    const node_spec again("again", weight{2}, "id=2097153");
    for (const auto& order : std::vector<std::vector<node_spec>>{
             {low, wrapped}, {wrapped, low}, {again, low, wrapped}, {low, "other", again}}) {
        const ring<haproxy> r(order);
        CHECK(mistakes_of(r, 5) == "");
    }
    const ring<haproxy> r({low, wrapped});
    const std::uint32_t shared = haproxy_avalanche(4096);
    CHECK(r.owner_at(shared)->name() == "low");
    CHECK(r.owner_at(shared + 1)->name() == "wrapped");
}

// Two points side by side: half-way between them is the first.
TEST_CASE("haproxy: positions end where the next point is nearer", "[haproxy][law]") {
    const auto ends = [](std::vector<std::uint32_t> positions) {
        const auto count = static_cast<std::uint32_t>(positions.size());
        return at_arc_ends(list_points<std::uint32_t>{{count}, std::move(positions)},
                           [](std::uint32_t point, std::uint32_t next) {
                               return point + (next - point) / 2;
                           })
            .positions;
    };
    CHECK(ends({10, 11, 20}) == std::vector<std::uint32_t>{10, 15, 0x8000000fU});
    CHECK(ends({0xfffffff0U, 0x10}) == std::vector<std::uint32_t>{0x80000000U, 0});
    CHECK(ends({}).empty());
}

TEST_CASE("haproxy: servers keep their points where others come behind or have ids",
          "[haproxy][law]") {
    ring<haproxy> r({{"a", weight{1}, "id=3"}, {"b", weight{2}, "id=4"}, {"c", weight{3}, "id=9"}});
    const ring<haproxy> before = r;
    CHECK(r.remove("b"));
    CHECK(r == ring<haproxy>({{"a", weight{1}, "id=3"}, {"c", weight{3}, "id=9"}}));
    CHECK(tree_of(r).size() == 64);
    // Weight 0 is a server that is down: the same ring.
    ring<haproxy> down = before;
    CHECK(down.set_weight("b", weight{0}));
    test::mismatches wrong;
    for (std::uint32_t h = 0; h < 0xff000000U; h += 0x00fedcbaU) {
        wrong.expect(down.owner_at(h)->name() == r.owner_at(h)->name(), h);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("haproxy map-based: the server that is furthest behind has the next slot",
          "[haproxy][golden]") {
    const auto slots = [](const std::vector<node_spec>& nodes) {
        const table<haproxy_map_based> t(nodes);
        std::string text;
        for (std::size_t i = 0; i < t.slot_count(); ++i) {
            text += t.node(t.slot_owner(i)).name();
        }
        return text;
    };
    CHECK(slots({"a", "b", "c"}) == "abc");
    CHECK(slots({{"a", weight{100}}, {"b", weight{200}}}) == "abb"); // by 1 and 2
    CHECK(slots({{"a", weight{1}}, {"b", weight{0}}, {"c", weight{3}}}) == "accc");
    CHECK(slots({{"a", weight{256}}}) == "a");
    CHECK(slots({{"a", weight{0}}}).empty());
    CHECK(table<haproxy_map_based>({{"a", weight{0}}}).owner("k") == std::nullopt);
}

TEST_CASE("haproxy: what it does not take is refused", "[haproxy][error]") {
    CHECK_THROWS_AS(ring<haproxy>({{"a", weight{257}}}), invalid_weight);
    CHECK_THROWS_AS(ring<haproxy>({{"a", weight{0.5}}}), invalid_weight);
    CHECK_THROWS_AS(table<haproxy_map_based>({{"a", weight{257}}}), invalid_weight);
    const auto with_address = [](const char* text) {
        return ring<haproxy>({{"a", weight{1}, text}});
    };
    CHECK_THROWS_AS(with_address("id=0"), invalid_node);
    CHECK_THROWS_AS(with_address("id=x"), invalid_node);
    CHECK_THROWS_AS(with_address("id="), invalid_node);
    CHECK_THROWS_AS(with_address("guid="), invalid_node);
    CHECK_THROWS_AS(with_address("1.2.3.4:80"), invalid_node);
    CHECK_THROWS_AS(ring<haproxy>({{"a", weight{1}, "id=4"}, {"b", weight{1}, "id=4"}}),
                    invalid_node);
    haproxy scheme;
    CHECK_THROWS_AS(scheme.set("hash", "md5"), invalid_option);
    CHECK_THROWS_AS(scheme.set("avalanche", "yes"), invalid_option);
    CHECK_THROWS_AS(scheme.set("hash-key", "name"), invalid_option);
    CHECK_THROWS_AS(scheme.set("vnodes", "3"), invalid_option);
    for (const scheme_option& option : haproxy::options()) {
        CHECK(scheme.get(option.name) == option.preset);
        scheme.set(option.name, scheme.get(option.name));
    }
    CHECK(scheme == haproxy());
    CHECK(haproxy::address_of({"1.2.3.4:5", "z", "g", 7}) == "id=7 addr=1.2.3.4:5 guid=g");
    CHECK(haproxy::address_of({}).empty());
}
