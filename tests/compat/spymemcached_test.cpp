// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/golden_rings.hpp"
#include "support/mismatches.hpp"
#include "support/vnodes_of.hpp"

#include <hashring/compat/libmemcached.hpp>
#include <hashring/compat/spymemcached.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::java_address_text;
using compat::spymemcached;
using compat::spymemcached_array_mod;
using compat::spymemcached_format;
using compat::spymemcached_hash;
using kind = compat::spymemcached_hash_kind;
using support::vnodes_of;

namespace {

std::string ident(spymemcached_format format, const placed_node& node) {
    std::string text = label_text(compat::spymemcached_label{format}, node, 7);
    CHECK(text.ends_with("-7"));
    return text.substr(0, text.size() - 2);
}

spymemcached with(std::string_view option, std::string_view value) {
    spymemcached scheme;
    scheme.set(option, value);
    return scheme;
}

} // namespace

TEST_CASE("spymemcached hash: texts are hashed by units of UTF-16", "[spymemcached][golden]") {
    const auto value = [](kind k, std::string_view key) {
        return spymemcached_hash{k}(key);
    };
    CHECK(value(kind::native, "hello") == 99162322); // Java's documentation of hashCode
    CHECK(value(kind::native, "") == 0);
    CHECK(value(kind::native, "\xc3\xbc") == 0xfc);
    CHECK(value(kind::native, "\xf0\x9f\x98\x80") == 0xd83d * 31 + 0xde00);
    CHECK(value(kind::fnv1a_32, "a") == 0xe40c292c); // RFC 9923
    CHECK(value(kind::fnv1_32, "a") == 0x050c5d7e);
    CHECK(value(kind::fnv1a_64, "a") == 0x8601ec8c); // the low half
    CHECK(value(kind::fnv1_64, "a") == 0x8601b7be);
    CHECK(value(kind::fnv1a_32, "\xe2\x82\xac") == (0x811c9dc5U ^ 0x20acU) * 0x01000193U);
    CHECK(value(kind::crc, "player/5558") == 0x15ea);
    CHECK(value(kind::ketama, "player/5558") == 0x150e5f21);
}

TEST_CASE("spymemcached: servers are called as Java prints their addresses",
          "[spymemcached][golden]") {
    CHECK(java_address_text({.name = "10.0.0.1:11211"}) == "/10.0.0.1:11211");
    CHECK(java_address_text({.name = "10.0.0.1"}) == "/10.0.0.1:11211");
    CHECK(java_address_text({.name = "node:11212"}) == "node:11212");
    CHECK(java_address_text({.name = "node"}) == "node:11211");
    CHECK(java_address_text({.name = "node:11212", .address = "10.0.3.0:11212"}) ==
          "node/10.0.3.0:11212");
    CHECK(java_address_text({.name = "node:11212", .address = "10.0.3.0"}) ==
          "node/10.0.3.0:11212");
    CHECK(java_address_text({.name = "10.0.0.1", .address = "10.0.0.1"}) ==
          "10.0.0.1/10.0.0.1:11211");
    CHECK(java_address_text({.name = "node/10.0.3.0:11212"}) == "node/10.0.3.0:11212");
    CHECK(java_address_text({.name = "node/<unresolved>:11212"}) == "node/<unresolved>:11212");
    CHECK(java_address_text({.name = "::1:11212"}) == "/[0:0:0:0:0:0:0:1]:11212");
    CHECK(java_address_text({.name = "[2001:DB8::a0:1]:11211"}) ==
          "/[2001:db8:0:0:0:0:a0:1]:11211");
    CHECK(java_address_text({.name = "1:2:3:4:5:6:7:8:99"}) == "/[1:2:3:4:5:6:7:8]:99");
    CHECK(java_address_text({.name = "1:2::g:99"}) == "1:2::g:99"); // no address
    CHECK(java_address_text({.name = "1:2:3:99"}) == "1:2:3:99");
    CHECK(java_address_text({.name = "1:2:3:4:5:6:7:8:9:99"}) == "1:2:3:4:5:6:7:8:9:99");
    CHECK(java_address_text({.name = ":::99"}) == "/[0:0:0:0:0:0:0:0]:99");
    CHECK(java_address_text({.name = "::ffff:10.0.0.1:99"}) == "/10.0.0.1:99");
    CHECK(java_address_text({.name = "10.0.0:99"}) == "10.0.0:99");
}

TEST_CASE("spymemcached: idents are in the format that was chosen", "[spymemcached][golden]") {
    const placed_node digits{.name = "10.0.0.1:11211"};
    const placed_node named{.name = "node:11211", .address = "10.0.3.0:11211"};
    const placed_node other{.name = "node/10.0.3.0:6379"};
    using format = spymemcached_format;
    CHECK(ident(format::spymemcached, digits) == "10.0.0.1:11211");
    CHECK(ident(format::spymemcached, named) == "node/10.0.3.0:11211");
    CHECK(ident(format::spymemcached, other) == "node/10.0.3.0:6379");
    CHECK(ident(format::libmemcached, digits) == "10.0.0.1");
    CHECK(ident(format::libmemcached, named) == "node");
    CHECK(ident(format::libmemcached, other) == "node:6379");
    CHECK(ident(format::libmemcached, {.name = "::1:11212"}) == "::1:11212");
    CHECK(ident(format::before_2_5, digits) == "/10.0.0.1:11211");
    CHECK(ident(format::before_2_5, named) == "node/10.0.3.0:11211");
}

TEST_CASE("spymemcached: the servers that are tried in turn are the program's",
          "[spymemcached][golden]") {
    for (const std::string hash : {"KETAMA_HASH", "NATIVE_HASH"}) {
        const ring<spymemcached> servers(golden::topology("memcached/topo/T2.tsv"),
                                         with("hash", hash));
        const auto keys = golden::keys("memcached/keys.hex");
        const auto wanted =
            golden::lines("memcached/sequences/spymemcached.spy." + hash + ".T2.txt");
        REQUIRE(wanted.size() == keys.size());
        test::mismatches wrong;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            std::string got;
            for (const std::uint32_t server : spymemcached_sequence(servers, keys[i])) {
                got += std::to_string(server);
            }
            wrong.expect(wanted[i] == "-" || got == wanted[i], hash, i, got, wanted[i]);
        }
        CHECK(wrong.report() == "");
    }
    CHECK(spymemcached_sequence(ring<spymemcached>{}, "k").front() == no_node);
    const spymemcached preset;
    CHECK(preset.position("k", 0) == preset.position("k"));
    CHECK(preset.position("k", 2) ==
          preset.position("k") + preset.position("0k") + preset.position("1k"));
}

// With the hash of libmemcached's ring, its idents and weights it is that ring; without weights not
// where equal servers get other counts.
TEST_CASE("spymemcached: with libmemcached's format and weights it is libmemcached's ring",
          "[spymemcached][law]") {
    std::vector<node_spec> nodes;
    for (std::uint32_t i = 0; i < 25; ++i) {
        nodes.emplace_back("n" + std::to_string(i) + (i % 2 == 0 ? ":11211" : ":9"));
    }
    spymemcached scheme = with("label-format", "libmemcached");
    const ring<spymemcached> unweighted(nodes, scheme);
    scheme.set("weighted", "1");
    const ring<spymemcached> weighted(nodes, scheme);
    CHECK(golden::dump(weighted) == golden::dump(ring<compat::libmemcached_weighted>(nodes)));
    CHECK(unweighted.point_count() == 25 * 160);
    CHECK(weighted.point_count() == 25 * 156);
}

TEST_CASE("spymemcached: version 2.4 is libmemcached's ring that is called after it",
          "[spymemcached][law]") {
    const auto nodes = golden::topology("memcached/topo/T1p.tsv");
    compat::libmemcached_spy spy;
    spy.set("hash", "md5");
    spy.set("weighted", "1");
    CHECK(golden::dump(ring<spymemcached>(nodes, with("label-format", "spymemcached-2.4"))) ==
          golden::dump(ring<compat::libmemcached_spy>(nodes, spy)));
}

TEST_CASE("spymemcached: points are by MD5 or by the key's hash", "[spymemcached][golden]") {
    const placed_node node{.name = "a:11211"};
    std::vector<std::uint32_t> points(160);
    spymemcached scheme;
    scheme.points(node, points);
    CHECK(points[17] == hash::md5::digest("a:11211-4").words[1]);
    CHECK(scheme.label(node, 17) == "a:11211-4 word 1");
    scheme.set("hash", "NATIVE_HASH");
    scheme.points(node, points);
    CHECK(points[17] == spymemcached_hash{kind::native}("a:11211-17"));
    CHECK(scheme.label(node, 17) == "a:11211-17");
    scheme.set("weighted", "1");
    scheme.points(node, points);
    CHECK(points[17] == hash::md5::digest("a:11211-4").words[1]);
}

TEST_CASE("spymemcached: on one position the later server owns", "[spymemcached][edge]") {
    const ring<spymemcached> servers{"a", "b", "a:11211"};
    CHECK(servers.widths()[0] == uint128(0));
    CHECK(servers.widths()[2] > uint128(0));
    CHECK(golden::dump(servers).size() == 320);
}

// The program's own count, seen on Debian's jar: a server of weight 0 is one of the n.
TEST_CASE("spymemcached: a weight of 0 owns nothing", "[spymemcached][edge]") {
    const std::vector<node_spec> nodes{{"a", weight{1}}, {"b", weight{0}}, {"c", weight{2}}};
    CHECK(vnodes_of(ring<spymemcached>(nodes)) == std::vector<std::uint32_t>{160, 0, 160});
    CHECK(vnodes_of(ring<spymemcached>(nodes, with("weighted", "1"))) ==
          std::vector<std::uint32_t>{160, 0, 320});
    auto taken = nodes;
    spymemcached{}.take(taken);
    CHECK(taken[1].weight == weight{1});
    taken = nodes;
    with("weighted", "1").take(taken);
    CHECK(taken == nodes);
    spymemcached_array_mod::take(taken);
    CHECK(taken[1].weight == weight{1});
    CHECK(table<spymemcached_array_mod>(taken).slot_count() == 3);
}

TEST_CASE("spymemcached: options are set and read", "[spymemcached][law]") {
    const spymemcached preset;
    spymemcached scheme;
    for (const scheme_option& option : spymemcached::options()) {
        CHECK(preset.get(option.name) == option.preset);
        scheme.set(option.name, preset.get(option.name));
        CHECK(scheme == preset);
    }
    for (const std::string_view hash : compat::spymemcached_hash_names) {
        CHECK(with("hash", hash).get("hash") == hash);
        CHECK((with("hash", hash) == preset) == (hash == "KETAMA_HASH"));
    }
    for (const std::string_view format : spymemcached::format_names) {
        CHECK(with("label-format", format).get("label-format") == format);
        CHECK((with("label-format", format) == preset) == (format == "spymemcached"));
    }
    CHECK(spymemcached_array_mod{}.get("hash") == "NATIVE_HASH");
}

TEST_CASE("spymemcached: bad options and weights are typed errors", "[spymemcached][error]") {
    spymemcached scheme;
    CHECK_THROWS_AS(scheme.set("hash", "ketama"), invalid_option);
    CHECK_THROWS_AS(scheme.set("label-format", "2.4"), invalid_option);
    CHECK_THROWS_AS(scheme.set("weighted", "yes"), invalid_option);
    CHECK_THROWS_AS(scheme.set("unsigned-char", "1"), invalid_option);
    CHECK_THROWS_AS(scheme.get("vnodes"), invalid_option);
    CHECK(scheme == spymemcached{});
    scheme.set("weighted", "1");
    CHECK_THROWS_AS(ring<spymemcached>({node_spec("a", weight{0.5})}, scheme), invalid_weight);
}
