// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/golden.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace hashring;
using schemes::jump;
using schemes::jump_by;
using jump_xxh3 = jump_by<hash::xxh3>;

namespace {

std::vector<node_spec> numbered(std::size_t count) {
    std::vector<node_spec> nodes;
    for (std::size_t i = 0; i < count; ++i) {
        nodes.emplace_back(decimal(i));
    }
    return nodes;
}

// How many of `keys` change owner; each that does must satisfy `may_move(from, to)`.
template <class MayMove>
std::size_t check_moves(const table<jump>& before, const table<jump>& after, std::uint64_t keys,
                        MayMove may_move) {
    hashring::test::mismatches found;
    std::size_t moved = 0;
    for (std::uint64_t key = 0; key < keys; ++key) {
        const std::string_view from = *before.owner(key);
        const std::string_view to = *after.owner(key);
        if (from != to) {
            ++moved;
            found.expect(may_move(from, to), "key", key, "from", from, "to", to);
        }
    }
    CHECK_NO_MISMATCHES(found);
    return moved;
}

} // namespace

// [B41]: buckets are places in the list; sorted as text, 10 and 11 would follow 1.
TEST_CASE("jump: the twelfth node is bucket 11 whatever its name", "[table][golden][B41]") {
    const table<jump_xxh3> nodes(numbered(12));
    hashring::test::mismatches found;
    std::size_t last = 0;
    for (const std::string& line : golden::lines("table/jump-xxh3.keys.tsv")) {
        const auto row = golden::fields(line);
        const std::string key = golden::unhex(row.at(0));
        found.compare(decimal(nodes.position(key)), row.at(1), row.at(0));
        found.compare(nodes.owner(key)->name(), row.at(2), row.at(0));
        last += row.at(2) == "11" ? 1U : 0U;
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(last > 0);
}

TEMPLATE_TEST_CASE("jump: its fingerprint is pinned", "[table][golden]", jump, jump_xxh3) {
    const table<TestType> nodes(numbered(12));
    const std::string line = std::string(TestType::name) + '\t' + decimal(nodes.fingerprint());
    const auto lines = golden::lines("table/fingerprints.tsv");
    CAPTURE(line);
    CHECK(std::count(lines.begin(), lines.end(), line) == 1);
}

TEST_CASE("jump: its names say the hash", "[table]") {
    CHECK(jump::name == "jump");
    CHECK(jump_xxh3::name == "jump-xxh3");
    CHECK(describe(jump{}) == "key: xxh64 of the key\n"
                              "nodes: node i of the list, from 0, is bucket i\n"
                              "owner: the bucket that jump consistent hashing gives the hash\n"
                              "order of the list: matters");
}

TEST_CASE("jump: a new node only takes keys, and its fair share", "[table][law]") {
    const table<jump> before(numbered(9));
    table<jump> after = before;
    REQUIRE(after.add("new"));
    const auto moved =
        check_moves(before, after, 50'000, [](auto, auto to) { return to == "new"; });
    CHECK(moved > 4'700); // a tenth; four standard deviations are 270
    CHECK(moved < 5'300);
}

TEST_CASE("jump: the last node can leave and only gives its keys", "[table][law]") {
    const table<jump> before(numbered(9));
    table<jump> after = before;
    REQUIRE(after.remove("8"));
    check_moves(before, after, 20'000, [](auto from, auto) { return from == "8"; });
    CHECK(after == table<jump>(numbered(8)));
}

// [B50]: taking a node out of the middle would renumber, and so move, nearly everything.
TEST_CASE("jump: a node from the middle cannot be removed", "[table][error][B50]") {
    const table<jump> before(numbered(9));
    table<jump> nodes = before;
    CHECK_THROWS_AS(nodes.remove("2"), invalid_removal);
    CHECK_THROWS_AS(nodes.remove("0"), invalid_removal);
    CHECK_THROWS_AS(nodes.remove("7"), invalid_removal);
    CHECK(nodes == before);
    CHECK_FALSE(nodes.remove("9"));
    // What the error speaks of: the list without node 2 places most of the keys elsewhere.
    auto list = numbered(9);
    list.erase(list.begin() + 2);
    const auto moved =
        check_moves(before, table<jump>(list), 100'000, [](auto, auto) { return true; });
    CHECK(moved > 60'000);
}

TEST_CASE("jump: a node in another's place takes over exactly its keys", "[table][law][B50]") {
    const table<jump> before(numbered(9));
    table<jump> after = before;
    REQUIRE(after.replace("2", "new"));
    CHECK(check_moves(before, after, 20'000,
                      [](auto from, auto to) { return from == "2" && to == "new"; }) > 2'000);
    CHECK(after.index_of("new") == 2);
    CHECK_FALSE(after.contains("2"));
    CHECK(after.size() == 9);
    REQUIRE(after.replace("new", "2"));
    CHECK(after == before);
}

TEST_CASE("jump: who takes another's place brings a payload", "[table][payload]") {
    table<jump, std::string> nodes;
    nodes.add("a", "first");
    nodes.add("b", "second");
    CHECK(nodes.replace("a", "c", "third"));
    CHECK(nodes.node(0).payload() == "third");
    CHECK(nodes.node(1).payload() == "second");
    CHECK(nodes.replace("c", "c", "fourth"));
    CHECK(nodes.find("c")->payload() == "fourth");
}

TEST_CASE("jump: a replacement that cannot be changes nothing", "[table][error]") {
    const table<jump> before{"a", "b", "c"};
    table<jump> nodes = before;
    CHECK_FALSE(nodes.replace("x", "y"));
    CHECK_FALSE(nodes.replace("x", "a"));
    CHECK_THROWS_AS(nodes.replace("a", "b"), invalid_node);
    CHECK_THROWS_AS(nodes.replace("a", ""), invalid_node);
    CHECK_THROWS_AS(nodes.replace("a", node_spec("d", weight{2})), invalid_weight);
    CHECK(nodes == before);
}

TEST_CASE("jump: the order of the list is the placement", "[table][edge]") {
    const table<jump> one{"a", "b", "c"};
    const table<jump> other{"c", "b", "a"};
    CHECK_FALSE(one == other);
    CHECK(one.fingerprint() != other.fingerprint());
    for (std::uint64_t key = 0; key < 100; ++key) {
        CHECK(one.owner_index_at(key) == other.owner_index_at(key));
    }
}

TEST_CASE("jump: every node weighs 1", "[table][error]") {
    const double wrong = GENERATE(0.0, 0.5, 2.0, 0.999);
    table<jump> nodes{"a", node_spec("b", weight{1})};
    CHECK_THROWS_AS(nodes.add("c", weight{wrong}), invalid_weight);
    CHECK_THROWS_AS(table<jump>{node_spec("c", weight{wrong})}, invalid_weight);
    CHECK(nodes == table<jump>{"a", "b"});
}

TEST_CASE("jump: it has no options", "[table][error]") {
    jump scheme;
    CHECK(jump::options().empty());
    CHECK_THROWS_AS(scheme.set("vnodes", "3"), invalid_option);
    CHECK_THROWS_AS(scheme.get("vnodes"), invalid_option);
}
