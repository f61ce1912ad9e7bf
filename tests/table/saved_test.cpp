// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/test_schemes.hpp"

#include <hashring/hashring.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using hashring::test::mismatches;

namespace {

std::string signed_text(std::string lines) {
    const std::uint64_t sum = detail::checksum(lines);
    return concat(lines, "end ", decimal(sum), "\n");
}

// What loading `text` complains about; empty if it does not.
template <class Placed = ring<>>
std::string complaint(std::string_view text) {
    try {
        static_cast<void>(load<Placed>(text));
        return "";
    } catch (const invalid_state& error) {
        return error.what();
    }
}

schemes::xxh3 seven_vnodes() {
    schemes::xxh3 scheme;
    scheme.set("vnodes", "7");
    return scheme;
}

// Nodes with names of any bytes; with weights, counts and addresses where they can have them.
template <class Placed>
std::vector<node_spec> drawn_nodes(dice& random) {
    std::vector<node_spec> nodes;
    const std::size_t count = random.below(9);
    for (std::size_t i = 0; i < count; ++i) {
        std::string name = decimal(i); // so that none comes twice
        for (std::uint64_t more = random.below(4); more > 0; --more) {
            name += static_cast<char>(static_cast<unsigned char>(random.below(256)));
        }
        node_spec node(name);
        if (takes_weights<Placed>) {
            const std::uint64_t step =
                std::same_as<Placed, ring<>> ? 1 : 1000; // many take whole ones
            node.weight = weight::from_thousandths(
                static_cast<std::uint32_t>(random.below(4000 / step) * step));
        }
        if (random.below(2) == 0) {
            node.address = concat("10.0.0.", decimal(i), ":1 1");
        }
        if (requires(Placed p) { p.set_vnodes("", 1U); } && random.below(3) == 0) {
            node.vnodes = static_cast<std::uint32_t>(random.below(50));
        }
        nodes.push_back(std::move(node));
    }
    return nodes;
}

} // namespace

TEST_CASE("saved: the form is text that can be read", "[saved][golden]") {
    ring<> nodes{"cache-a", node_spec("cache b%", weight{2.5}, "10.0.0.1:11211")};
    nodes.set_vnodes("cache-a", 40);
    const std::string head = "hashring placement 1\n"
                             "scheme xxh3\n"
                             "option vnodes 160\n"
                             "node cache%20b%25 2.5 10.0.0.1:11211\n"
                             "node cache-a 1\n"
                             "vnodes 40\n";
    const std::string text =
        signed_text(concat(head, "fingerprint ", fingerprint_text(nodes.fingerprint()), "\n"));
    CHECK(save(nodes) == text);
    CHECK(text.substr(head.size(), 29) == "fingerprint 1ba8d1b3ea2cbebf\n");
    CHECK(load<ring<>>(text) == nodes);
    CHECK(load<ring<>>(text).find("cache b%")->address() == "10.0.0.1:11211");
    CHECK(load<ring<>>(text).find("cache-a")->vnodes_by_hand() == 40U);
}

TEMPLATE_TEST_CASE("saved: what was saved is loaded equal and goes on alike", "[saved][law]",
                   ring<>, ring<schemes::murmur_shard>, ring<schemes::bkdr_spaced>,
                   ring<schemes::ketama_group>, ring<schemes::corrected<schemes::xxh3>>,
                   ring<compat::twemproxy>, table<schemes::maglev>, table<schemes::jump>,
                   table<schemes::rendezvous>, table<schemes::multi_probe>, anchor_table<>) {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    CAPTURE(seed);
    dice random(seed);
    mismatches found;
    for (int round = 0; round < 6; ++round) {
        TestType here(drawn_nodes<TestType>(random));
        if (!here.empty()) {
            here.remove(here.node(static_cast<std::uint32_t>(here.size() - 1)).name());
        }
        TestType there = load<TestType>(save(here));
        for (int step = 0; step < 2; ++step) {
            found.expect(there == here && save(there) == save(here), round, step);
            found.compare(there.fingerprint(), here.fingerprint(), round, step);
            for (std::uint64_t key = 0; key < 100; ++key) {
                found.compare(there.owner_index_at(there.position(key)),
                              here.owner_index_at(here.position(key)), round, step, key);
            }
            here.add("one more");
            there.add("one more");
        }
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("saved: options are saved too", "[saved]") {
    const ring<> seven({"a", "b"}, seven_vnodes());
    CHECK(load<ring<>>(save(seven)).scheme().get("vnodes") == "7");
    const table<schemes::maglev> small({"a", "b"}, schemes::maglev(101));
    CHECK(load<table<schemes::maglev>>(save(small)) == small);
    const anchor_table<> few({"a", "b"}, schemes::anchor(5));
    CHECK(load<anchor_table<>>(save(few)) == few);
}

TEST_CASE("saved: payloads are made anew", "[saved][payload]") {
    using paid = ring<schemes::xxh3, std::unique_ptr<std::string>>;
    paid nodes;
    nodes.add(node_spec("a", weight{1}, "addr a"), nullptr);
    nodes.add(node_spec("b", weight{1}, "addr b"), nullptr);
    const auto connect = [](const node_spec& node) {
        return std::make_unique<std::string>(node.address);
    };
    const paid loaded = load<paid>(save(nodes), connect);
    CHECK(*loaded.find("b")->payload() == "addr b");
    using paid_anchor = anchor_table<schemes::anchor, std::unique_ptr<std::string>>;
    paid_anchor anchored;
    anchored.add(node_spec("a", weight{1}, "addr a"), nullptr);
    CHECK(*load<paid_anchor>(save(anchored), connect).find("a")->payload() == "addr a");
    const auto refuse = [](const node_spec&) -> std::unique_ptr<std::string> {
        throw std::runtime_error("no connection");
    };
    CHECK_THROWS_AS(load<paid>(save(nodes), refuse), std::runtime_error);
}

TEST_CASE("saved: an error of who makes payloads comes through as it is", "[saved][payload]") {
    using paid = ring<schemes::xxh3, std::string>;
    const std::string text = save(paid{"a", "b"});
    const auto refuse = [once = std::make_unique<int>(0)](const node_spec& node) -> std::string {
        throw invalid_node(concat("mine: ", node.name, decimal(static_cast<unsigned>(*once))));
    };
    try {
        static_cast<void>(load<paid>(text, std::ref(refuse)));
        FAIL("it was loaded");
    } catch (const invalid_node& error) {
        CHECK(std::string_view(error.what()) == "mine: a0");
    }
    int made = 0;
    const auto count = [step = std::make_unique<int>(1), &made](const node_spec&) {
        made += *step; // what only moves will do
        return std::string("p");
    };
    CHECK(load<paid>(text, std::ref(count)).size() == 2);
    CHECK(load<paid>(text, [step = std::make_unique<int>(1), &made](const node_spec&) {
              made += *step;
              return std::string("p");
          }).size() == 2);
    CHECK(made == 4);
}

TEST_CASE("saved: what no option of a scheme tells is given", "[saved]") {
    using seeded = schemes::labelled<hash::murmur64a>;
    seeded seven;
    seven.hash = hash::murmur64a{7};
    const ring<seeded> here({"a", "b", "c"}, seven);
    CHECK(load<ring<seeded>>(save(here), seven) == here);
    CHECK(complaint<ring<seeded>>(save(here)).find("these nodes are placed otherwise") !=
          std::string::npos);
    CHECK(differences(here, ring<seeded>{"a", "b", "c"}) ==
          std::vector<std::string>{"the schemes differ in what no option tells"});
}

TEST_CASE("saved: a ring of 128-bit positions is saved too", "[saved]") {
    STATIC_REQUIRE(node_lookup<ring<compat::uhashring>>);
    const ring<compat::uhashring> nodes{"10.0.0.1:11211", "10.0.0.2:11211"};
    CHECK(load<ring<compat::uhashring>>(save(nodes)) == nodes);
}

TEST_CASE("saved: any damage to a text is an error", "[saved][error][law]") {
    const std::string text = save(ring<>{"cache-a", "cache-b"});
    mismatches found;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string damaged = text;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        found.expect(!complaint(damaged).empty(), "bit", i);
        found.expect(!complaint(text.substr(0, i)).empty(), "cut", i);
        damaged = text;
        damaged.erase(i, 1);
        found.expect(!complaint(damaged).empty(), "lost", i);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(complaint(text).empty());
    CHECK(complaint(text + "\n") == "line 8: something follows the last line");
}

TEST_CASE("saved: a foreign text is an error that names the line", "[saved][error]") {
    const std::string head = "hashring placement 1\nscheme xxh3\noption vnodes 160\n";
    const std::string print =
        concat("fingerprint ", fingerprint_text(ring<>{"a"}.fingerprint()), "\n");
    const auto of = [&](std::string_view lines) {
        return complaint(signed_text(std::string(lines)));
    };
    CHECK(of(concat(head, "node a 1\n", print)).empty());
    CHECK(complaint("") == "line 1: the text ends early");
    CHECK(complaint("{\"nodes\": []}\n") ==
          "line 1: a line that begins with 'hashring placement' is missing");
    CHECK(complaint(exact_ring<>().save()) ==
          "line 1: a line that begins with 'hashring placement' is missing");
    CHECK(of("hashring placement 2\n") == "line 1: another version's form");
    CHECK(complaint<table<schemes::maglev>>(save(ring<>{"a"})) ==
          "line 2: the scheme is 'xxh3' and not 'maglev'");
    CHECK(of("hashring placement 1\nscheme xxh3\noption nodes 3\n") == "line 3: no option 'nodes'");
    CHECK(of(concat(head, "node a 0.1234\n")).find("line 4: ") == 0);
    CHECK(of(concat(head, "node a 01\n")) == "line 4: '01' is not a weight as it is saved");
    CHECK(of(concat(head, "node a% 1\n")) == "line 4: 'a%' is not a text as it is saved");
    CHECK(of(concat(head, "node a\n")) == "line 4: a word is missing");
    CHECK(of(concat(head, "node a 1 x y\n")) ==
          "line 4: something follows what the line should say");
    CHECK(of(concat(head, "node a 1\nvnodes 4294967296\n")) ==
          "line 5: '4294967296' is not a number that fits");
    CHECK(of(concat(head, "vnodes 3\n")) ==
          "line 4: a line that begins with 'fingerprint' is missing");
    CHECK(of(concat(head, "node a 1\nnode a 1\n", print)) ==
          "line 6: the node 'a' is listed twice");
    CHECK(of(concat(head, "node a 1\nfingerprint 12\n")) == "line 5: '12' is not a fingerprint");
    CHECK(of(concat(head, "node b 1\n", print)) ==
          "line 5: these nodes are placed otherwise here than where it was saved");
    CHECK(complaint(concat(head, "node a 1\n", print, "end 5\n")) ==
          "line 6: the checksum is not that of the lines before it");
}

TEST_CASE("saved: nothing that cannot be built is loaded", "[saved][error]") {
    const std::string rest = concat("fingerprint ", fingerprint_text(0), "\n");
    CHECK(complaint(signed_text(concat("hashring placement 1\nscheme xxh3\nnode a 1\n"
                                       "vnodes 16777217\n",
                                       rest)))
              .find("line 5: ") == 0);
    CHECK(complaint<table<schemes::jump>>(
              signed_text(concat("hashring placement 1\nscheme jump\nnode a 2\n", rest)))
              .find("line 4: the node 'a' has a weight of 2") == 0);
}

TEST_CASE("fingerprint: its text has 16 digits and reads back", "[saved][fingerprint]") {
    CHECK(fingerprint_text(0) == "0000000000000000");
    CHECK(fingerprint_text(0x0123456789abcdefU) == "0123456789abcdef");
    CHECK(fingerprint_text(0xffffffffffffffffU) == "ffffffffffffffff");
    dice random(3);
    mismatches found;
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t value = random.next() >> random.below(64);
        found.expect(parse_fingerprint(fingerprint_text(value)) == value, value);
    }
    CHECK_NO_MISMATCHES(found);
    for (const char* bad : {"", "0", "000000000000000", "00000000000000000", "000000000000000G",
                            "000000000000000F", "+000000000000000", " 00000000000000"}) {
        CAPTURE(bad);
        CHECK_FALSE(parse_fingerprint(bad));
    }
}

TEST_CASE("differences: there are none between equal ones", "[saved][law]") {
    const ring<> one{"a", node_spec("b", weight{2})};
    CHECK(differences(one, one).empty());
    CHECK(differences(one, load<ring<>>(save(one))).empty());
    CHECK(differences(ring<>(), ring<>()).empty());
}

TEST_CASE("differences: each is said", "[saved]") {
    using lines = std::vector<std::string>;
    CHECK(differences(ring<>({"a"}, seven_vnodes()), ring<>{"a"}) ==
          lines{"option vnodes: 7 and 160", "virtual nodes of 'a': 7 and 160"});
    CHECK(differences(ring<>{"a", "b"}, ring<>{"b", "c"}) ==
          lines{"only the first has 'a'", "only the second has 'c'"});
    CHECK(differences(ring<>{"a", node_spec("b", weight{2})}, ring<>{"a", "b"}) ==
          lines{"weight of 'b': 2 and 1", "virtual nodes of 'b': 320 and 160"});
    CHECK(differences(table<schemes::jump>{"a", "b", "c"}, table<schemes::jump>{"b", "a", "c"}) ==
          lines{"place in the list of 'a': 0 and 1", "place in the list of 'b': 1 and 0"});
    CHECK(differences(ring<schemes::bkdr_spaced>{node_spec("a", {}, "10.0.0.1")},
                      ring<schemes::bkdr_spaced>{node_spec("a", {}, "10.0.0.2")}) ==
          lines{"address of 'a': '10.0.0.1' and '10.0.0.2'"});
    anchor_table<> one{"a", "b", "c"};
    anchor_table<> other = one;
    one.remove("a");
    one.remove("c");
    other.remove("c");
    other.remove("a");
    CHECK(differences(one, other) == lines{"the same nodes, with another history"});
}

TEMPLATE_TEST_CASE("differences: where fingerprints differ something is said", "[saved][law]",
                   ring<>, ring<schemes::murmur_shard>, table<schemes::maglev>,
                   table<schemes::rendezvous>, anchor_table<>) {
    dice random(11);
    mismatches found;
    for (int i = 0; i < 40; ++i) {
        const TestType one(drawn_nodes<TestType>(random));
        const TestType other(drawn_nodes<TestType>(random));
        found.expect(one.fingerprint() == other.fingerprint() || !differences(one, other).empty(),
                     i);
        found.expect(differences(one, one).empty(), i);
    }
    CHECK_NO_MISMATCHES(found);
}
