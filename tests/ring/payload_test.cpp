// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <concepts>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace hashring;

namespace {

using addressed = ring<schemes::xxh3, std::string>;
using owning = ring<schemes::xxh3, std::unique_ptr<int>>;

addressed two() {
    addressed nodes;
    nodes.add("a", "addr 1");
    nodes.add("b", "addr 2");
    return nodes;
}

} // namespace

TEST_CASE("payload: it comes with its node", "[ring][payload][small]") {
    const addressed nodes = two();
    CHECK(nodes.find("a")->payload() == "addr 1");
    CHECK(nodes.find("b")->payload() == "addr 2");
    const auto owner = nodes.owner("k");
    CHECK(owner->payload() == (owner->name() == "a" ? "addr 1" : "addr 2"));
    CHECK(nodes.replicas("k", 2)[0].payload() == owner->payload());
}

// [B83]: two rings whose nodes carry other payloads are one ring to every key.
TEST_CASE("payload: it is no part of the placement", "[ring][payload][B83][small]") {
    addressed one;
    addressed other;
    for (const std::string& name : node_names(8, 5)) {
        one.add(name, "p=1");
        other.add(name, "p=2");
    }
    CHECK(one == other);
    CHECK(one.fingerprint() == other.fingerprint());
    CHECK(one.fingerprint() == ring<>(node_names(8, 5)).fingerprint());
    hashring::test::mismatches found;
    for (unsigned key = 0; key < 1000; ++key) {
        found.expect(*one.owner(key) == *other.owner(key), key);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(diff(one, other).empty());
}

// [B71]: a new payload under an old name replaces the old one, which comes back.
TEST_CASE("payload: exchanging it returns the old one and moves nothing",
          "[ring][payload][B71][small]") {
    addressed nodes = two();
    const addressed before = nodes;
    CHECK(nodes.exchange_payload("a", "addr 3") == "addr 1");
    CHECK(nodes.find("a")->payload() == "addr 3");
    CHECK(nodes.find("b")->payload() == "addr 2");
    CHECK(nodes == before);
    CHECK(before.find("a")->payload() == "addr 1");
    *nodes.payload("b") += " and more";
    CHECK(nodes.find("b")->payload() == "addr 2 and more");
    CHECK(nodes == before);
}

TEST_CASE("payload: adding a member again keeps the payload", "[ring][payload]") {
    addressed nodes = two();
    CHECK_FALSE(nodes.add("a", "addr 9"));
    CHECK(nodes.find("a")->payload() == "addr 1");
}

TEST_CASE("payload: it stays with its node through every change", "[ring][payload]") {
    addressed nodes = two();
    nodes.add("0", "addr 0"); // sorts before the others
    nodes.set_weight("b", weight{3});
    nodes.set_vnodes("a", 5);
    CHECK(nodes.find("0")->payload() == "addr 0");
    CHECK(nodes.find("a")->payload() == "addr 1");
    CHECK(nodes.find("b")->payload() == "addr 2");
    nodes.remove("a");
    CHECK(nodes.find("b")->payload() == "addr 2");
    CHECK(nodes.payload("a") == nullptr);
    nodes.add("a", "addr 4");
    CHECK(nodes.find("a")->payload() == "addr 4");
}

TEST_CASE("payload: assigning keeps those who stay and asks for the new ones", "[ring][payload]") {
    addressed nodes = two();
    std::vector<std::string> asked;
    nodes.assign(std::vector<node_spec>{{"b", weight{2}}, {"d"}, {"c"}},
                 [&](const node_spec& node) {
                     asked.push_back(node.name);
                     return "new " + node.name;
                 });
    CHECK(asked == std::vector<std::string>{"d", "c"});
    CHECK(nodes.find("b")->payload() == "addr 2");
    CHECK(nodes.find("c")->payload() == "new c");
    CHECK(nodes.find("d")->payload() == "new d");
    CHECK_FALSE(nodes.contains("a"));
    nodes.assign({"b", "e"});
    CHECK(nodes.find("b")->payload() == "addr 2");
    CHECK(nodes.find("e")->payload().empty());
}

TEST_CASE("payload: one that can only be moved works", "[ring][payload]") {
    STATIC_REQUIRE(std::movable<owning>);
    owning nodes;
    CHECK(nodes.add("a", std::make_unique<int>(1)));
    CHECK(nodes.add("b", std::make_unique<int>(2)));
    CHECK(nodes.add(std::vector<std::string>{"c"}) == 1);
    CHECK(nodes.set_weight("a", weight{2}));
    CHECK(*nodes.find("a")->payload() == 1);
    CHECK(nodes.find("c")->payload() == nullptr);
    CHECK(*nodes.exchange_payload("b", std::make_unique<int>(3)) == 2);
    nodes.assign(std::vector<std::string>{"b", "d"},
                 [](const node_spec&) { return std::make_unique<int>(4); });
    CHECK(*nodes.find("b")->payload() == 3);
    CHECK(*nodes.find("d")->payload() == 4);
    owning moved = std::move(nodes);
    CHECK(moved.remove("b"));
    CHECK(*moved.find("d")->payload() == 4);
}

TEST_CASE("payload: one without a default can be kept", "[ring][payload]") {
    struct connection {
        explicit connection(int n) : number(n) {}
        int number;
    };
    ring<schemes::xxh3, connection> nodes;
    CHECK(nodes.add("a", connection(7)));
    nodes.assign(std::vector<std::string>{"a", "b"},
                 [](const node_spec&) { return connection(8); });
    CHECK(nodes.find("a")->payload().number == 7);
    CHECK(nodes.find("b")->payload().number == 8);
}

TEST_CASE("payload: an unknown name cannot exchange one", "[ring][payload][error]") {
    addressed nodes = two();
    CHECK_THROWS_AS(nodes.exchange_payload("c", "x"), unknown_node);
    CHECK(nodes == two());
}

TEST_CASE("payload: a maker that throws leaves the ring as it was", "[ring][payload][error]") {
    owning nodes;
    nodes.add("a", std::make_unique<int>(1));
    nodes.add("b", std::make_unique<int>(2));
    const auto fingerprint = nodes.fingerprint();
    const auto assign = [&] {
        nodes.assign(std::vector<std::string>{"b", "c", "d"}, [](const node_spec& node) {
            if (node.name == "d") {
                throw std::runtime_error("no connection");
            }
            return std::make_unique<int>(3);
        });
    };
    CHECK_THROWS_AS(assign(), std::runtime_error);
    CHECK(nodes.size() == 2);
    CHECK(nodes.fingerprint() == fingerprint);
    CHECK(*nodes.find("a")->payload() == 1);
    CHECK(*nodes.find("b")->payload() == 2);
}

TEST_CASE("payload: a refused change leaves all payloads in place", "[ring][payload][error]") {
    addressed nodes = two();
    CHECK_THROWS_AS(nodes.assign({"b", "c", "b"}), invalid_node);
    CHECK_THROWS_AS(nodes.add("x", weight{1'000'000}), invalid_point_count);
    CHECK_THROWS_AS(nodes.set_vnodes("a", max_points), invalid_point_count);
    CHECK(nodes == two());
    CHECK(nodes.find("a")->payload() == "addr 1");
    CHECK(nodes.find("b")->payload() == "addr 2");
}
