// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/exact_rings.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using hashring::test::mismatches;

namespace {

constexpr std::uint64_t seed = 0x5a7e;

/// `lines` with the checksum that they should have.
std::string signed_text(std::string lines) {
    const std::uint64_t sum = detail::checksum(lines);
    return concat(lines, "end ", decimal(sum), "\n");
}

/// The line that loading `text` complains about; 0 if it does not.
template <class Scheme = schemes::xxh3>
std::size_t bad_line(std::string_view text) {
    try {
        static_cast<void>(exact_ring<Scheme>::load(text));
        return 0;
    } catch (const invalid_state& error) {
        return error.line();
    }
}

const std::string head = "hashring exact ring 1\nscheme xxh3\noption vnodes 160\ncuts 128\n";

} // namespace

TEST_CASE("exact_ring: the saved form is text that can be read", "[exact][state][golden][small]") {
    exact_ring<> ring;
    ring.join("cache-a");
    ring.join(node_spec("cache b%", weight{2.5}, "10.0.0.1:11211"));
    const std::string text = signed_text(head + "node cache%20b%25 2.5 10.0.0.1:11211\n"
                                                "node cache-a 1\n"
                                                "point 13176245766935394011 0\n"
                                                "point 18446744073709551615 1\n");
    CHECK(ring.save() == text);
    CHECK(text.substr(text.find("end")) == "end 7007131893366544489\n");
}

TEST_CASE("exact_ring: what was saved is loaded equal and goes on bit for bit",
          "[exact][state][law]") {
    CAPTURE(seed);
    dice random(seed);
    exact_ring<> here({}, 5);
    mismatches found;
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 15; ++i) {
            random_change(here, random, 20);
        }
        auto there = exact_ring<>::load(here.save());
        found.expect(there == here && there.save() == here.save(), "loaded", round);
        found.compare(there.fingerprint(), here.fingerprint(), round);
        dice same(random);
        for (int i = 0; i < 15; ++i) {
            random_change(here, random, 20);
            random_change(there, same, 20);
            found.expect(there == here, "changed", round, i);
        }
        found.compare(there.save(), here.save(), round);
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("exact_ring: options, addresses and names of any bytes are saved too",
          "[exact][state][law]") {
    schemes::xxh3 scheme;
    scheme.set("vnodes", "7");
    exact_ring<> ring(scheme, 3);
    std::string bytes;
    for (int c = 255; c >= 0; --c) {
        bytes += static_cast<char>(static_cast<unsigned char>(c));
    }
    ring.join(node_spec(bytes, weight{1}, bytes));
    ring.join(node_spec("\n", weight{0}));
    const auto loaded = exact_ring<>::load(ring.save());
    CHECK(loaded == ring);
    CHECK(loaded.scheme().get("vnodes") == "7");
    CHECK(loaded.most_cuts() == 3);
    CHECK(loaded.find(bytes)->address() == bytes);
    CHECK(exact_ring<>::load(exact_ring<>().save()) == exact_ring<>());
}

TEST_CASE("exact_ring: a text with one bit changed, or cut off, does not load",
          "[exact][state][error]") {
    exact_ring<> ring(node_names(4, 5));
    ring.resize("s5-node-1", weight{0.5});
    const std::string text = ring.save();
    mismatches found;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto line =
            1U + static_cast<std::size_t>(
                     std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n'));
        const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::string damaged(text);
            damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^ (1U << bit));
            const std::size_t named = bad_line(damaged);
            found.expect(named >= line && named <= lines + 1, i, bit, named);
        }
        found.compare(bad_line(text.substr(0, i)), line, "cut off", i);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(bad_line(text) == 0);
}

TEST_CASE("exact_ring: a state that is none is an error that names the line",
          "[exact][state][error][small]") {
    const std::string points = "point 9 0\npoint 18446744073709551615 1\n";
    const std::string nodes = "node a 1\nnode b 1\n";
    REQUIRE(bad_line(signed_text(head + nodes + points)) == 0);
    CHECK(bad_line("") == 1);
    CHECK(bad_line("hashring exact ring 2\n") == 1);
    CHECK(bad_line(signed_text("hashring exact ring 1\nscheme md5\n")) == 2);
    CHECK(bad_line(signed_text("hashring exact ring 1\nscheme xxh3\noption seed 1\n")) == 3);
    CHECK(bad_line(signed_text("hashring exact ring 1\nscheme xxh3\noption vnodes 0\n")) == 3);
    CHECK(bad_line(signed_text("hashring exact ring 1\nscheme xxh3\ncuts 0\n")) == 3);
    CHECK(bad_line(signed_text(head + "node a 1\nnode a 1\n" + points)) == 6);
    CHECK(bad_line(signed_text(head + "node b 1\nnode a 1\n" + points)) == 6);
    CHECK(bad_line(signed_text(head + "node  1\nnode b 1\n" + points)) == 5);
    CHECK(bad_line(signed_text(head + "node a -1\nnode b 1\n" + points)) == 5);
    CHECK(bad_line(signed_text(head + "node a 1.0\nnode b 1\n" + points)) == 5);
    CHECK(bad_line(signed_text(head + "node a\nnode b 1\n" + points)) == 5);
    CHECK(bad_line(signed_text(head + "node a 1 x y\nnode b 1\n" + points)) == 5);
    CHECK(bad_line(signed_text(head + "node %61 1\nnode b 1\n" + points)) == 5);
    CHECK(bad_line(signed_text(head + "node a%2 1\nnode b 1\n" + points)) == 5);
    CHECK(bad_line(signed_text(head + "node a%2g 1\nnode b 1\n" + points)) == 5);
    CHECK(bad_line(signed_text(head + "node a 0\nnode b 1\n" + points)) == 7);
    CHECK(bad_line(signed_text(head + nodes)) == 7);
    CHECK(bad_line(signed_text(head + "node a 0\npoint 9 0\n")) == 6);
    CHECK(bad_line(signed_text(head + nodes + "point 9 0\npoint 9 1\n")) == 8);
    CHECK(bad_line(signed_text(head + nodes + "point 9 0\npoint 8 1\n")) == 8);
    CHECK(bad_line(signed_text(head + nodes + "point 9 0\npoint 12 2\n")) == 8);
    CHECK(bad_line(signed_text(head + nodes + "point 9 0\npoint 10 0\npoint 12 1\n")) == 7);
    CHECK(bad_line(signed_text(head + nodes + "point 9 0\npoint 10 1\npoint 12 0\n")) == 9);
    CHECK(bad_line(signed_text(head + nodes + "point 09 0\npoint 10 1\n")) == 7);
    CHECK(bad_line(signed_text(head + nodes + "point 9 0\npoint 18446744073709551616 1\n")) == 8);
    CHECK(bad_line(signed_text(head + nodes + points) + "more\n") == 10);
    CHECK(bad_line<test_schemes::listed<std::uint8_t, 30>>(signed_text(
              "hashring exact ring 1\nscheme listed\ncuts 1\nnode a 1\npoint 31 0\n")) == 5);
}
