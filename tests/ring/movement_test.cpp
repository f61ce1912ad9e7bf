// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/schemes.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;

namespace {

constexpr std::uint64_t key_count = 20'000;

// How many keys change owner. Each that does must satisfy `may_move(from, to)`.
template <class Ring, class MayMove>
std::size_t check_moves(const Ring& before, const Ring& after, MayMove may_move) {
    hashring::test::mismatches found;
    std::size_t moved = 0;
    dice random(1); // all bytes of a key vary, which BKDR needs to spread them
    for (std::uint64_t i = 0; i < key_count; ++i) {
        const std::uint64_t key = random.next();
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

template <class Ring>
std::vector<typename Ring::position_type> positions_of(const Ring& ring, std::string_view name) {
    std::vector<typename Ring::position_type> positions;
    for (const auto& p : ring.points()) {
        if (p.node == name) {
            positions.push_back(p.position);
        }
    }
    return positions;
}

template <class Scheme>
ring<Scheme> ten_nodes(std::uint64_t seed) {
    ring<Scheme> nodes;
    dice random(seed);
    for (const std::string& name : node_names(10, seed)) {
        nodes.add({name, weight_in_tenths<Scheme>(5 + random.below(4) * 5)});
    }
    return nodes;
}

// A ring of these nodes with these counts.
template <class Scheme>
ring<Scheme> counted(const std::vector<std::string>& names,
                     const std::vector<std::uint32_t>& counts) {
    std::vector<node_spec> nodes;
    for (std::size_t i = 0; i < names.size(); ++i) {
        nodes.emplace_back(names[i], weight{}, std::string(), counts[i]);
    }
    return ring<Scheme>(nodes);
}

// What allocators that look at the whole set promise: a key leaves a node whose count fell, or goes
// to one whose count rose.
template <class Ring>
std::size_t check_moves_follow_counts(const Ring& before, const Ring& after) {
    const auto count = [](const Ring& ring, std::string_view name) {
        const auto node = ring.find(name);
        return node ? node->vnodes() : 0;
    };
    return check_moves(before, after, [&](std::string_view from, std::string_view to) {
        return count(after, from) < count(before, from) || count(after, to) > count(before, to);
    });
}

} // namespace

// [B17]: the least insertion: owners change only to the node in the middle.
TEST_CASE("movement: a node put between two others moves no key between them", "[ring][B17]") {
    const ring<> before{"a", "c"};
    ring<> after = before;
    after.add("b");
    CHECK(check_moves(before, after, [](auto, auto to) { return to == "b"; }) > key_count / 4);
}

TEMPLATE_TEST_CASE("movement: a new node only takes keys", "[ring][law]",
                   HASHRING_OWN_POINTS_SCHEMES, all_schemes::libmemcached) {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    CAPTURE(seed);
    const ring<TestType> before = ten_nodes<TestType>(seed);
    ring<TestType> after = before;
    REQUIRE(after.add("new-node"));
    CHECK(check_moves(before, after, [](auto, auto to) { return to == "new-node"; }) > 0);
    const auto moved = diff(before, after);
    for (const transfer& t : moved.transfers()) {
        CHECK(moved.name(t.to) == "new-node");
    }
    CHECK(moved.moved_width() == after.widths()[after.index_of("new-node")]);
}

// Exact shares, over a hundred lists of names.
TEST_CASE("movement: on average a change of ten equal nodes moves its node's share", "[ring]") {
    double of_joining = 0.0;
    double of_leaving = 0.0;
    hashring::test::mismatches found;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto names = node_names(10, seed);
        const ring<> ten(names);
        ring<> eleven(ten);
        eleven.add("one-more");
        const auto come = diff(ten, eleven);
        ring<> nine(ten);
        nine.remove(names[seed % 10]);
        const auto gone = diff(ten, nine);
        for (const auto& arc : come.arcs()) {
            found.expect(come.name(arc.to) == "one-more", "joined", seed);
        }
        for (const auto& arc : gone.arcs()) {
            found.expect(gone.name(arc.from) == names[seed % 10], "left", seed);
        }
        of_joining += come.moved_fraction() * 11 / 100;
        of_leaving += gone.moved_fraction() * 10 / 100;
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(of_joining >= 0.85);
    CHECK(of_joining <= 1.15);
    CHECK(of_leaving >= 0.85);
    CHECK(of_leaving <= 1.15);
}

TEMPLATE_TEST_CASE("movement: a removed node only gives its keys away", "[ring][law]",
                   HASHRING_OWN_POINTS_SCHEMES, all_schemes::libmemcached) {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    CAPTURE(seed);
    const ring<TestType> before = ten_nodes<TestType>(seed);
    const std::string gone(before.node(static_cast<std::uint32_t>(seed)).name());
    ring<TestType> after = before;
    REQUIRE(after.remove(gone));
    CHECK(check_moves(before, after, [&](auto from, auto) { return from == gone; }) > 0);
    const auto moved = diff(before, after);
    for (const transfer& t : moved.transfers()) {
        CHECK(moved.name(t.from) == gone);
    }
    CHECK(moved.moved_width() == before.widths()[before.index_of(gone)]);
}

TEMPLATE_TEST_CASE("movement: a new weight moves keys only to or from its node", "[ring][law]",
                   HASHRING_OWN_POINTS_SCHEMES) {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    CAPTURE(seed);
    const ring<TestType> before = ten_nodes<TestType>(seed);
    const std::string name(before.node(4).name());
    for (const double changed : {0.0, 0.25, 0.75, 3.0, 7.5}) {
        CAPTURE(changed);
        ring<TestType> after = before;
        REQUIRE(after.set_weight(name, weight{changed}));
        const auto its_own = [&](auto from, auto to) {
            return from == name || to == name;
        };
        CHECK(check_moves(before, after, its_own) > 0);
    }
}

// [B21], [B27]: with points hashed one by one a weight adds or takes points and moves none.
TEMPLATE_TEST_CASE("movement: a larger weight only takes keys and a smaller one only gives",
                   "[ring][law][B21][B27]", HASHRING_INDEPENDENT_SCHEMES,
                   all_schemes::ketama_group) {
    const ring<TestType> small{node_spec("a", weight{1}), "b", "c"};
    const ring<TestType> large{node_spec("a", weight{2}), "b", "c"};
    ring<TestType> changed = small;
    changed.set_weight("a", weight{2});
    CHECK(changed == large);
    CHECK(check_moves(small, large, [](auto, auto to) { return to == "a"; }) > 0);
    changed.set_weight("a", weight{1});
    CHECK(changed == small);
    CHECK(check_moves(large, small, [](auto from, auto) { return from == "a"; }) > 0);

    const auto few = positions_of(small, "a");
    const auto many = positions_of(large, "a");
    CHECK(many.size() == 2 * few.size());
    CHECK(std::includes(many.begin(), many.end(), few.begin(), few.end()));
}

// [B19]: the identity is the name; an address is only where to find the node.
TEMPLATE_TEST_CASE("movement: a new address moves nothing", "[ring][B19]",
                   HASHRING_INDEPENDENT_SCHEMES, all_schemes::ketama_group,
                   all_schemes::murmur_shard, all_schemes::libmemcached,
                   all_schemes::libmemcached_weighted) {
    ring<TestType> nodes{node_spec("shard-1", {}, "192.0.2.1:6379"), node_spec("shard-2")};
    const ring<TestType> before = nodes;
    const auto moved = nodes.assign({node_spec("shard-1", {}, "192.0.2.9:6379"), "shard-2"});
    CHECK(moved.empty());
    CHECK(nodes == before);
    CHECK(nodes.find("shard-1")->address() == "192.0.2.9:6379");
}

TEST_CASE("movement: the postal paper hashes addresses so that a new one moves its node",
          "[ring][B19]") {
    using paper_ring = ring<schemes::bkdr_spaced>;
    const paper_ring named{"a", "192.168.1.11"};
    const paper_ring addressed{node_spec("a", {}, "192.168.1.10"), "192.168.1.11"};
    CHECK(diff(named, addressed).moved_width() > uint128(0));
    CHECK(addressed.node(1) == "a");
    CHECK(positions_of(addressed, "a") == positions_of(paper_ring{"192.168.1.10"}, "192.168.1.10"));
}

// The blog names points by the place in the list: what a removal costs there, of ten nodes.
TEST_CASE("movement: removing a node of murmur-shard renames all after it", "[ring][law]") {
    const std::vector<std::string> names = node_names(10, 1);
    const ring<schemes::murmur_shard> before(names);
    const auto moved_percent = [&](std::size_t gone) {
        ring<schemes::murmur_shard> after = before;
        after.remove(names[gone]);
        return std::lround(100.0 * diff(before, after).moved_fraction());
    };
    CHECK(moved_percent(0) == 98);
    CHECK(moved_percent(5) == 48);
    CHECK(moved_percent(9) == 11);

    ring<schemes::murmur_shard> longer = before;
    longer.add("a last one");
    CHECK(check_moves(before, longer, [](auto, auto to) { return to == "a last one"; }) > 0);
    ring<schemes::murmur_shard> shorter = before;
    shorter.remove(names[9]);
    CHECK(check_moves(before, shorter, [&](auto from, auto) { return from == names[9]; }) > 0);
}

TEMPLATE_TEST_CASE("movement: a budget shared anew moves keys only as its counts moved",
                   "[ring][law]", HASHRING_INDEPENDENT_SCHEMES, all_schemes::ketama_group) {
    std::vector<std::string> names = node_names(8, 7);
    std::vector<weight> weights{weight{1}, weight{2}, weight{3},   weight{1},
                                weight{5}, weight{1}, weight{0.5}, weight{2}};
    const auto before = counted<TestType>(names, allocate_budget(weights, 1200));

    weights[2] = weight{1};
    const auto reweighted = counted<TestType>(names, allocate_budget(weights, 1200));
    CHECK(check_moves_follow_counts(before, reweighted) > 0);

    names.push_back("new-node");
    weights.push_back(weight{2});
    const auto joined = counted<TestType>(names, allocate_budget(weights, 1200));
    CHECK(check_moves_follow_counts(reweighted, joined) > 0);
    CHECK(joined.find(names[0])->vnodes() < reweighted.find(names[0])->vnodes());

    names.erase(names.begin() + 4);
    weights.erase(weights.begin() + 4);
    const auto left = counted<TestType>(names, allocate_budget(weights, 1200));
    CHECK(check_moves_follow_counts(joined, left) > 0);
}

TEMPLATE_TEST_CASE("movement: counts by capability move keys only as they moved", "[ring][law]",
                   HASHRING_INDEPENDENT_SCHEMES, all_schemes::ketama_group) {
    std::vector<std::string> names = node_names(6, 8);
    std::vector<std::uint64_t> capabilities{1, 2, 4, 1, 2, 3};
    const auto before = counted<TestType>(names, allocate_by_capability(capabilities, 40));

    names.push_back("weaker"); // halves a_min, so that all counts rise
    capabilities = {2, 4, 8, 2, 4, 6, 1};
    const auto joined = counted<TestType>(names, allocate_by_capability(capabilities, 40));
    CHECK(check_moves_follow_counts(before, joined) > 0);

    names.erase(names.begin());
    capabilities.erase(capabilities.begin());
    const auto left = counted<TestType>(names, allocate_by_capability(capabilities, 40));
    CHECK(check_moves_follow_counts(joined, left) > 0);
}
