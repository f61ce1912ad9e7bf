// SPDX-License-Identifier: MIT
#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/schemes.hpp"

#include <hashring/hashring.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

using namespace hashring;

namespace {

// Checks that `change` throws `Error` and that the ring is afterwards what it was.
template <class Error, class Ring, class Change>
void check_refused(Ring ring, Change change) {
    const Ring before = ring;
    const std::uint64_t fingerprint = before.fingerprint();
    CHECK_THROWS_AS(change(ring), Error);
    CHECK(ring == before);
    CHECK(ring.fingerprint() == fingerprint);
    CHECK(ring.placed_count() == before.placed_count());
    CHECK(ring.owner("k") == before.owner("k"));
}

// What the error says that `action` throws.
template <class Action>
std::string message_of(Action action) {
    try {
        action();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return {};
}

ring<> three() {
    return {node_spec("a"), node_spec("b", weight{2}), node_spec("c", weight{0.5})};
}

} // namespace

TEST_CASE("ring: it reads as a user would write it", "[ring]") {
    ring<> nodes;
    CHECK(nodes.add("cache-a"));
    CHECK(nodes.add("cache-b", weight{2}));
    CHECK(nodes.add({"cache-c", weight{0.5}}));
    CHECK(nodes.size() == 3);
    CHECK(nodes.point_count() == 160 + 320 + 80);
    const auto owner = nodes.owner("user:42");
    REQUIRE(owner.has_value());
    const std::string_view name = *owner;
    CHECK(nodes.contains(name));
    CHECK(nodes.owner("user:42") == name);
    CHECK(nodes.replicas("user:42", 2).front() == *owner);
}

TEST_CASE("ring: it is built from any range of names or nodes", "[ring]") {
    const ring<> listed{"a", "b", "c"};
    CHECK(ring<>(std::vector<std::string>{"a", "b", "c"}) == listed);
    CHECK(ring<>(std::array<const char*, 3>{"c", "a", "b"}) == listed);
    CHECK(ring<>(std::set<std::string_view>{"b", "c", "a"}) == listed);
    CHECK(ring<>(std::vector<node_spec>{"a", "b", "c"}) == listed);
    ring<> assigned;
    assigned.assign(std::vector<std::string>{"c", "b", "a"});
    CHECK(assigned == listed);
}

TEST_CASE("ring: nodes stand by name unless the order of the list matters", "[ring]") {
    const ring<> by_name{"c", "a", "b"};
    CHECK(by_name.node(0) == "a");
    CHECK(by_name.node(2) == "c");
    CHECK(by_name.index_of("b") == 1);
    const ring<schemes::ketama_group> in_order{"c", "a", "b"};
    CHECK(in_order.node(0) == "c");
    CHECK(in_order.node(2) == "b");
    CHECK(in_order.index_of("a") == 1);
    CHECK(in_order.index_of("d") == no_node);
}

TEST_CASE("ring: a node knows its name and weight and count and address", "[ring]") {
    const ring<> nodes{node_spec("a", weight{1.5}, "192.0.2.1:6379"), node_spec("b", {}, {}, 7)};
    CHECK(nodes.find("a")->name() == "a");
    CHECK(nodes.find("a")->weight() == weight{1.5});
    CHECK(nodes.find("a")->vnodes() == 240);
    CHECK(nodes.find("a")->address() == "192.0.2.1:6379");
    CHECK(nodes.find("b")->vnodes() == 7);
    CHECK(nodes.find("b")->address().empty());
    CHECK_FALSE(nodes.find("c").has_value());
}

// [B74]: what is searched is every point, and two nodes share the circle.
TEST_CASE("ring: all points of all nodes are searched", "[ring][B74]") {
    const ring<schemes::murmur_shard_named> nodes{"left", "right"};
    CHECK(nodes.point_count() == 200);
    std::set<std::uint64_t> positions;
    for (const auto& p : nodes.points()) {
        positions.insert(p.position);
    }
    CHECK(positions.size() == 200);
    for (const double share : nodes.shares()) {
        CHECK(share >= 0.35);
        CHECK(share <= 0.65);
    }
}

// [B75]: looking up leaves nothing behind.
TEST_CASE("ring: looking up a thousand times changes nothing", "[ring][B75]") {
    const ring<> nodes(node_names(10, 4));
    const std::uint64_t before = nodes.fingerprint();
    std::set<std::string_view> owners;
    for (unsigned key = 0; key < 10'000; ++key) {
        owners.insert(nodes.owner(key)->name());
    }
    CHECK(owners.size() == 10);
    CHECK(nodes.point_count() == 1600);
    CHECK(nodes.fingerprint() == before);
}

TEST_CASE("ring: it is a regular value", "[ring]") {
    STATIC_REQUIRE(std::regular<ring<>>);
    STATIC_REQUIRE(std::regular<ring<schemes::ketama_group, int>>);
    STATIC_REQUIRE(std::is_nothrow_move_constructible_v<ring<>>);
    STATIC_REQUIRE(std::is_nothrow_move_assignable_v<ring<>>);
    STATIC_REQUIRE(noexcept(std::declval<const ring<>&>().owner("k")));
    STATIC_REQUIRE(noexcept(
        std::declval<const ring<>&>().replicas("k", std::declval<std::span<ring<>::node_type>>())));
}

TEST_CASE("ring: a copy is independent", "[ring]") {
    ring<> original = three();
    const ring<> copy = original;
    const std::string_view name = copy.node(0);
    original.remove("a");
    original.set_weight("b", weight{7});
    CHECK(copy == three());
    CHECK(copy != original);
    CHECK(name == "a");
    original = copy;
    CHECK(original == three());
}

TEST_CASE("ring: one moved from is empty and can be used again", "[ring]") {
    ring<> from = three();
    ring<> to = std::move(from);
    CHECK(to == three());
    CHECK(from.empty());
    CHECK(from.point_count() == 0);
    CHECK(from.placed_count() == 0);
    CHECK_FALSE(from.owner("k").has_value());
    CHECK(from.add("x"));
    CHECK(from == ring<>{"x"});

    to = std::move(from);
    CHECK(to == ring<>{"x"});
    CHECK(from == ring<>{});
    from.assign({"y"});
    CHECK(from == ring<>{"y"});
}

TEST_CASE("ring: equality looks at options and names and weights and counts and points", "[ring]") {
    const ring<> nodes = three();
    CHECK(nodes == three());
    ring<> other = three();
    other.set_weight("a", weight{1.001}); // as many points as before
    CHECK(other.point_count() == nodes.point_count());
    CHECK(other != nodes);
    CHECK(other.fingerprint() == nodes.fingerprint());
    other.set_weight("a", weight{1});
    CHECK(other == nodes);
    other.set_vnodes("c", 81);
    CHECK(other != nodes);
    CHECK(other.fingerprint() != nodes.fingerprint());
    schemes::xxh3 wider;
    wider.vnodes_per_unit = 161;
    CHECK(ring<>(wider) != ring<>());
    CHECK(ring<>(wider).fingerprint() != ring<>().fingerprint());
    CHECK(ring<>{"a"} != ring<>{"b"});
    CHECK(ring<>{"a"}.fingerprint() != ring<>{"b"}.fingerprint());
}

TEST_CASE("ring: equality and fingerprint see the order where it matters", "[ring]") {
    const ring<schemes::ketama_group> one{"a", "b"};
    const ring<schemes::ketama_group> other{"b", "a"};
    CHECK(one != other);
    CHECK(one.fingerprint() != other.fingerprint());
}

// The same points under another scheme are not the same ring.
TEST_CASE("ring: rings of two schemes have different fingerprints", "[ring]") {
    CHECK(ring<schemes::murmur_shard>().fingerprint() !=
          ring<schemes::murmur_shard_named>().fingerprint());
}

// [B70]: a second add is no error and changes nothing, so that one removal is enough.
TEST_CASE("ring: adding a member again says so and changes nothing", "[ring][B70]") {
    ring<> nodes;
    CHECK(nodes.add("a"));
    CHECK_FALSE(nodes.add("a"));
    CHECK_FALSE(nodes.add("a", weight{5}));
    CHECK(nodes.find("a")->weight() == weight{1});
    CHECK(nodes.point_count() == 160);
    CHECK(nodes.add(std::vector<std::string>{"a", "b", "c"}) == 2);
    CHECK(nodes.add({"a", "b"}) == 0);
    CHECK(nodes == ring<>{"a", "b", "c"});
    CHECK(nodes.remove("a"));
    CHECK(nodes.remove("b"));
    CHECK(nodes.remove("c"));
    CHECK(nodes == ring<>{});
}

// [B73]: the last one, all, and one that never was.
TEST_CASE("ring: any node can be removed and an unknown one is not", "[ring][B73]") {
    ring<> nodes{"1", "2", "3", "4", "5"};
    CHECK(nodes.remove("4"));
    CHECK(nodes == ring<>{"1", "2", "3", "5"});
    CHECK(nodes.remove("5"));
    CHECK_FALSE(nodes.remove("5"));
    CHECK_FALSE(nodes.remove("6"));
    CHECK_FALSE(nodes.remove(""));
    CHECK(nodes == ring<>{"1", "2", "3"});
    CHECK(nodes.remove("1"));
    CHECK(nodes.remove("2"));
    CHECK(nodes.remove("3"));
    CHECK(nodes.empty());
    CHECK_FALSE(nodes.remove("1"));
}

TEST_CASE("ring: changing an unknown node says so and changes nothing", "[ring]") {
    ring<> nodes = three();
    CHECK_FALSE(nodes.set_weight("d", weight{2}));
    CHECK_FALSE(nodes.set_vnodes("d", 2));
    CHECK(nodes == three());
    CHECK(nodes.payload("d") == nullptr);
    CHECK_FALSE(nodes.contains("d"));
}

TEST_CASE("ring: a count by hand lasts until the weight is set", "[ring]") {
    ring<> nodes{"a", "b"};
    CHECK(nodes.set_vnodes("a", 3));
    CHECK(nodes.add("c"));
    CHECK(nodes.remove("b"));
    CHECK(nodes.find("a")->vnodes() == 3);
    CHECK(nodes.set_vnodes("a", 0));
    CHECK(nodes.placed_count() == 1);
    CHECK(nodes.set_weight("a", weight{1}));
    CHECK(nodes == ring<>{"a", "c"});
}

// --- errors -------------------------------------------------------------------------------------

TEST_CASE("ring: names that are empty or come twice are refused", "[ring][error][small]") {
    check_refused<invalid_node>(three(), [](auto& r) { r.add(""); });
    check_refused<invalid_node>(three(), [](auto& r) { r.add({"x", "y", "x"}); });
    check_refused<invalid_node>(three(), [](auto& r) { r.add({"a", "a"}); }); // of a member too
    check_refused<invalid_node>(three(), [](auto& r) { r.add({"x", ""}); });
    check_refused<invalid_node>(three(), [](auto& r) { r.assign({"a", "x", "a"}); });
    check_refused<invalid_node>(three(), [](auto& r) { r.assign({"x", "a", "x"}); });
    check_refused<invalid_node>(three(), [](auto& r) { r.assign({"a", ""}); });
    CHECK_THROWS_AS((ring<>{"a", "a"}), invalid_node);
    CHECK_THROWS_AS((ring<schemes::ketama_group>{"a", "b", "a"}), invalid_node);
    CHECK_THROWS_AS(ring<>(std::vector<std::string>{"a", ""}), invalid_node);
    CHECK(message_of([] { ring<>{"x", "twin", "twin"}; }) == "the node 'twin' is listed twice");
    CHECK(message_of([] { ring<>().add(""); }) == "a node's name is empty");
}

// [B26]: a typed error, before memory for the points is asked for.
TEST_CASE("ring: more points than a ring may hold are refused", "[ring][error][B26][small]") {
    check_refused<invalid_point_count>(three(), [](auto& r) { r.add("x", weight{1'000'000}); });
    check_refused<invalid_point_count>(three(),
                                       [](auto& r) { r.set_weight("a", weight{1'000'000}); });
    check_refused<invalid_point_count>(three(), [](auto& r) { r.set_vnodes("a", max_points); });
    check_refused<invalid_point_count>(three(), [](auto& r) { r.set_vnodes("a", 0xffffffffU); });
    check_refused<invalid_point_count>(three(), [](auto& r) {
        r.add({node_spec("x", {}, {}, max_points / 2), node_spec("y", {}, {}, max_points / 2)});
    });
    check_refused<invalid_point_count>(three(), [](auto& r) {
        r.assign({node_spec("x", {}, {}, max_points), node_spec("y", {}, {}, 1)});
    });
    const auto used = allocations_of([] {
        CHECK_THROWS_AS((ring<>{node_spec("a", weight{1'000'000}), node_spec("b")}),
                        invalid_point_count);
    });
    CHECK(used.bytes < 100'000);
    // 2^32 points in all: the sum must not come round to 0.
    CHECK_THROWS_AS(
        (ring<>{node_spec("a", {}, {}, 0x80000000U), node_spec("b", {}, {}, 0x80000000U)}),
        invalid_point_count);
}

// On the counts alone, as a ring of 2^24 points takes seconds.
TEST_CASE("ring: the most points that a ring may hold are accepted", "[ring][error][small]") {
    const std::array<std::uint32_t, 3> most{max_points - 1, 0, 1};
    CHECK_NOTHROW(detail::check_point_count(most));
    const std::array<std::uint32_t, 3> one_more{max_points - 1, 1, 1};
    CHECK_THROWS_AS(detail::check_point_count(one_more), invalid_point_count);
}

namespace {

// Lets `change` run out of memory at each of its allocations in turn: each time the ring must be
// what it was. Returns how many allocations it took in the end.
template <class Ring, class Change>
std::size_t check_out_of_memory(const Ring& before, Change change) {
    hashring::test::mismatches found;
    for (std::size_t allowed = 0;; ++allowed) {
        Ring ring = before;
        bool failed = false;
        try {
            const allocation_limit limit(allowed);
            change(ring);
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        if (!failed) {
            CHECK_NO_MISMATCHES(found);
            return allowed;
        }
        found.expect(ring == before && ring.fingerprint() == before.fingerprint(), "allowed",
                     allowed);
    }
}

} // namespace

TEMPLATE_TEST_CASE("ring: a change that runs out of memory changes nothing", "[ring][error]",
                   all_schemes::xxh3, all_schemes::murmur_shard,
                   all_schemes::libmemcached_weighted) {
    const auto scheme = with_vnodes<TestType>(5);
    const std::vector<std::string> names = node_names(4, 9);
    const ring<TestType> before(names, scheme);
    // Longer than a string holds in place, so that their copies can fail too.
    const node_spec fresh("a name that is longer than any small string", weight{2});
    const std::vector<node_spec> list{names[2], fresh, names[0]};
    CHECK(check_out_of_memory(before, [&](auto& r) { r.add(fresh); }) > 5);
    CHECK(check_out_of_memory(before, [&](auto& r) { r.add(list); }) > 5);
    CHECK(check_out_of_memory(before, [&](auto& r) { r.remove(names[1]); }) > 5);
    CHECK(check_out_of_memory(before, [&](auto& r) { r.set_weight(names[1], weight{3}); }) > 5);
    CHECK(check_out_of_memory(before, [&](auto& r) { r.set_vnodes(names[3], 2); }) > 5);
    CHECK(check_out_of_memory(before, [&](auto& r) { r.assign(list); }) > 5);
    const ring<TestType> other(list, scheme);
    CHECK(check_out_of_memory(before, [&](auto& r) { r = other; }) > 2);
}

TEST_CASE("ring: a node of one ring can join another, and any range of names will do", "[ring]") {
    const ring<> first{"a", "b", "c"};
    ring<> second;
    CHECK(second.add(first.node(1)));
    CHECK(second.contains("b"));
    CHECK(second.add(std::string_view("d"), weight{2}));
    second.assign(first.replicas("k", 2));
    CHECK(second.size() == 2);
    const std::vector<std::string> names{"x", "y", "z"};
    second.assign(names | std::views::filter([](const std::string& n) { return n != "y"; }));
    CHECK(second == ring<>{"x", "z"});
    second.assign(std::vector<std::string>{"p", "q"});
    CHECK(second == ring<>{"p", "q"});
    STATIC_REQUIRE(std::copyable<ring<schemes::xxh3, int>>);
    STATIC_REQUIRE_FALSE(std::copyable<ring<schemes::xxh3, std::unique_ptr<int>>>);
    STATIC_REQUIRE(std::movable<ring<schemes::xxh3, std::unique_ptr<int>>>);
    ring<schemes::xxh3, bool> flags;
    flags.assign({"a", "b"});
    CHECK(flags.size() == 2);
}

TEST_CASE("ring: names are checked before a payload is made", "[ring][error]") {
    ring<schemes::xxh3, int> r;
    int made = 0;
    const auto make = [&](const node_spec&) {
        return ++made;
    };
    CHECK_THROWS_AS(r.assign(std::vector<std::string>{"x", "y", ""}, make), invalid_node);
    CHECK_THROWS_AS(r.assign(std::vector<std::string>{"x", "y", "x"}, make), invalid_node);
    CHECK(made == 0);
    CHECK(r.empty());
}

TEST_CASE("ring: rings that hash keys differently do not compare", "[ring][error]") {
    using seeded = schemes::labelled<hash::murmur64a>;
    seeded one;
    seeded two;
    two.hash.seed = 1;
    const std::vector<std::string> names{"a", "b"};
    CHECK_THROWS_AS(diff(ring<seeded>(names, one), ring<seeded>(names, two)), invalid_option);
    CHECK(diff(ring<seeded>(names, one), ring<seeded>(names, one)).empty());
    CHECK(seeded::name == "murmur64a/name#j");
}

TEMPLATE_TEST_CASE("ring: a count by hand stands whatever the weight would ask for", "[ring]",
                   all_schemes::xxh3, all_schemes::murmur_shard, all_schemes::bkdr_spaced) {
    const node_spec heavy("heavy", weight{1'000'000}, {}, 10);
    const ring<TestType> r{heavy, "light"};
    CHECK(r.find("heavy")->vnodes() == 10);
    CHECK(r.find("heavy")->weight() == weight{1'000'000});
    CHECK(r.find("light")->vnodes() == TestType{}.vnodes_per_unit);
    CHECK(r.point_count() == 10 + TestType{}.vnodes_per_unit);
    ring<TestType> changed{"light"};
    CHECK_THROWS_AS(changed.add("heavy", weight{1'000'000}), invalid_point_count);
    CHECK(changed.size() == 1);
}
