// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/history.hpp"
#include "support/mismatches.hpp"
#include "support/model.hpp"
#include "support/schemes.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

using namespace hashring;
using test_schemes::listed;

namespace {

// Names whose last digits differ, and for `joined` labels two that share some.
const std::vector<std::string> pool{"n1",        "n11", "n2", "cache-a", "cache-b",
                                    "192.0.2.7", "x",   "y",  "z"};

const node_list target{{"n1", weight{1}},
                       {"n11", weight{2}},
                       {"cache-b", weight{1}},
                       {"x", weight{0.5}},
                       {"y", weight{0}}};

} // namespace

// [B07], [B08], [B13]: no order of arrival and no container leaks into the placement.
TEMPLATE_TEST_CASE("history: all orders of five nodes give one ring", "[ring][law][B07][B08][B13]",
                   HASHRING_ORDER_FREE_SCHEMES) {
    node_list nodes = target;
    std::ranges::sort(nodes, {}, &node_spec::name);
    const ring<TestType> sorted(nodes);
    hashring::test::mismatches found;
    std::size_t orders = 0;
    do {
        ring<TestType> one_by_one;
        for (const node_spec& node : nodes) {
            one_by_one.add(node);
        }
        const ring<TestType> at_once(nodes);
        found.expect(one_by_one == sorted && at_once == sorted, "order", orders);
        found.expect(one_by_one.fingerprint() == sorted.fingerprint(), "order", orders);
        ++orders;
    } while (std::next_permutation(nodes.begin(), nodes.end(),
                                   [](const auto& a, const auto& b) { return a.name < b.name; }));
    CHECK(orders == 120);
    CHECK_NO_MISMATCHES(found);
}

TEMPLATE_TEST_CASE("history: a thousand histories that end in one set give one ring", "[ring][law]",
                   HASHRING_ORDER_FREE_SCHEMES) {
    const auto scheme = with_vnodes<TestType>(6);
    const ring<TestType> fresh(target, scheme);
    hashring::test::mismatches found;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        history<TestType> past(scheme, pool, seed);
        for (int i = 0; i < 6; ++i) {
            past.step();
        }
        past.finish(target);
        found.expect(past.result() == fresh, "seed", seed);
        found.expect(past.result().fingerprint() == fresh.fingerprint(), "seed", seed);
    }
    CHECK_NO_MISMATCHES(found);
}

// Also where the order of the list is a part of the value.
TEMPLATE_TEST_CASE("history: after every step a ring has the points of a list built anew",
                   "[ring][law]", HASHRING_KINDS_OF_SCHEMES) {
    const auto scheme = with_vnodes<TestType>(6);
    hashring::test::mismatches found;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        history<TestType> past(scheme, pool, seed);
        for (int i = 0; i < 12; ++i) {
            past.step();
            if constexpr (!list_scheme<TestType>) { // whose points the model does not pick
                const model_ring<TestType> model{scheme, past.nodes()};
                found.expect(points_of(past.result()) == model.points(), "seed", seed, "step", i);
            }
            found.expect(past.result() == ring<TestType>(past.nodes(), scheme), "seed", seed, i);
            found.expect(past.result().point_count() == sum_of_vnodes(past.result()), seed, i);
        }
    }
    CHECK_NO_MISMATCHES(found);
}

template <class Ring>
void disturb(Ring& ring, const std::string& name, std::uint64_t how) {
    switch (how) {
    case 0:
        ring.remove(name);
        break;
    case 1:
        ring.set_weight(name, weight{0.5});
        break;
    case 2:
        ring.set_vnodes(name, 150);
        break;
    default:
        ring.add("stranger to " + name);
    }
}

// [B05]: 6,000 points on 65,536 positions.
TEMPLATE_TEST_CASE("history: hundreds of collisions change nothing about the laws",
                   "[ring][law][B05]", all_schemes::narrow_first, all_schemes::narrow_last) {
    const std::vector<std::string> names = node_names(60, 8);
    const ring<TestType> fresh(names);
    CHECK(fresh.point_count() == 6000);
    CHECK(collisions(fresh) > 200);
    CHECK(points_of(fresh) == model_ring<TestType>{{}, {names.begin(), names.end()}}.points());

    hashring::test::mismatches found;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        dice random(seed);
        ring<TestType> changed = fresh;
        std::vector<std::string> touched;
        for (std::uint64_t steps = 1 + random.below(4); steps > 0; --steps) {
            touched.push_back(random.pick(names));
            disturb(changed, touched.back(), random.below(4));
        }
        for (const std::string& name : touched) { // back, in whatever order it went
            changed.remove("stranger to " + name);
            changed.add(name);
            changed.set_weight(name, weight{1});
        }
        found.expect(changed == fresh, "seed", seed);
        found.expect(changed.fingerprint() == fresh.fingerprint(), "fingerprint, seed", seed);
    }
    CHECK_NO_MISMATCHES(found);
}

// [B05]: taking a node away restores the ring of the rest, point for point.
TEMPLATE_TEST_CASE("history: a removal leaves exactly the ring of the rest", "[ring][law][B05]",
                   all_schemes::xxh3, all_schemes::narrow_first, all_schemes::narrow_last,
                   all_schemes::bkdr_spaced) {
    const std::vector<std::string> names = node_names(30, 10);
    const ring<TestType> all(names);
    hashring::test::mismatches found;
    for (const std::string& name : names) {
        std::vector<std::string> rest = names;
        std::erase(rest, name);
        ring<TestType> removed = all;
        removed.remove(name);
        found.expect(removed == ring<TestType>(rest), "without", name);
        removed.add(name);
        found.expect(removed == all, "with", name, "again");
    }
    CHECK_NO_MISMATCHES(found);
}

// [B15]: where points are scarce, early nodes gain nothing by being early.
TEST_CASE("history: the place in the list says nothing about the share", "[ring][B15]") {
    std::vector<std::string> names = node_names(300, 12);
    dice(12).shuffle(names);
    using narrow_ring = ring<all_schemes::narrow_first>;
    const narrow_ring forwards(names);
    const narrow_ring backwards(std::vector<std::string>(names.rbegin(), names.rend()));
    CHECK(forwards == backwards);
    CHECK(collisions(forwards) > 3000);

    const std::vector<double> shares = forwards.shares();
    double covariance = 0.0;
    double variance = 0.0;
    for (std::size_t place = 0; place < names.size(); ++place) {
        const double x = static_cast<double>(place) - 149.5;
        const double y = shares[forwards.index_of(names[place])] - 1.0 / 300.0;
        covariance += x * y;
        variance += y * y;
    }
    const double squares_of_places = 300.0 * (300.0 * 300.0 - 1.0) / 12.0;
    const double correlation = covariance / std::sqrt(variance * squares_of_places);
    CHECK(std::abs(correlation) < 0.2); // 3.5 standard deviations of none
}

// [B01], [B06]: three nodes on one point, in all orders.
TEST_CASE("history: the first name owns a point that three nodes share", "[ring][B01][B06]") {
    node_list nodes{"a:7", "b:7", "c:7"};
    do {
        ring<listed<std::uint8_t>> ring;
        for (const node_spec& node : nodes) {
            ring.add(node);
        }
        CHECK(ring.point_count() == 3);
        CHECK(ring.owner("7") == "a:7");
    } while (std::next_permutation(nodes.begin(), nodes.end(),
                                   [](const auto& a, const auto& b) { return a.name < b.name; }));
}

// [B07]: two processes that learned the same members in another order.
TEST_CASE("history: two processes agree about a shared point", "[ring][B07]") {
    using wide = listed<std::uint64_t>;
    ring<wide> one;
    one.add("a:100");
    one.add("b:100");
    ring<wide> other;
    other.add("b:100");
    other.add("a:100");
    for (const char* position : {"0", "50", "99", "100", "101", "18446744073709551615"}) {
        CHECK(one.owner(position) == "a:100");
        CHECK(other.owner(position) == "a:100");
    }
}

// [B03]: both names have the point 2377205975 (group 30 word 1 and group 15 word 3).
TEST_CASE("history: nodes that share a point are removed one by one", "[ring][B03]") {
    using dashed = schemes::labelled<hash::md5, labels::dashed>;
    struct ketama : dashed {
        void points(const placed_node& node, std::span<std::uint32_t> out) const {
            points_by_digest(labels::dashed{}, node, out);
        }
    };
    const std::string one = "cache126:11211";
    const std::string other = "cache448:11211";
    const bool one_first = GENERATE(true, false);
    ring<ketama> nodes{one, other};
    CHECK(nodes.point_count() == 320);
    CHECK(collisions(nodes) == 1);
    CHECK(nodes.owner_at(2377205975U) == one);
    CHECK(nodes.remove(one_first ? one : other));
    CHECK(nodes.point_count() == 160);
    CHECK(nodes == ring<ketama>{node_spec(one_first ? other : one)});
    CHECK(nodes.owner_at(2377205975U) == (one_first ? other : one));
    CHECK(nodes.remove(one_first ? other : one));
    CHECK(nodes == ring<ketama>{});
}

// [B03] on the ring of a program, where the last in the list owns a shared point.
TEST_CASE("history: ketama groups that share a point are removed one by one", "[ring][B03]") {
    const std::string one = "c102.x:11212";
    const std::string other = "c4.x:11212";
    using groups = ring<schemes::ketama_group>;
    groups nodes{one, other, "other.x:11212"};
    REQUIRE(collisions(nodes) == 1);
    std::size_t shared = 1;
    while (nodes.point_position(shared) != nodes.point_position(shared - 1)) {
        ++shared;
    }
    const std::uint32_t position = nodes.point_position(shared);
    CHECK(nodes.owner_at(position) == other);
    CHECK(groups{other, one}.owner_at(position) == one);
    groups without = nodes;
    without.remove(other);
    CHECK(without == groups{one, "other.x:11212"});
    CHECK(without.owner_at(position) == one);
    nodes.remove(one);
    CHECK(nodes == groups{other, "other.x:11212"});
    CHECK(nodes.owner_at(position) == other);
}

// [B04]: one entry a position would refuse some of these.
TEST_CASE("history: a thousand nodes named by numbers join a 32-bit ring", "[ring][B04]") {
    ring<all_schemes::md5_joined> nodes(with_vnodes<all_schemes::md5_joined>(128));
    std::vector<std::string> names;
    for (int i = 0; i < 1024; ++i) {
        names.push_back(decimal(i));
    }
    CHECK(nodes.add(std::vector<std::string>(names.begin(), names.begin() + 800)) == 800);
    std::size_t added = 800;
    for (std::size_t i = 800; i < 816; ++i) { // the 806th is the one that was refused
        added += nodes.add(names[i]) ? 1U : 0U;
    }
    CHECK(nodes.add(std::vector<std::string>(names.begin() + 816, names.end())) == 208);
    CHECK(added == 816);
    CHECK(nodes.size() == 1024);
    CHECK(nodes.point_count() == 1024 * 128);
    const std::vector<uint128> widths = nodes.widths();
    CHECK(std::count(widths.begin(), widths.end(), uint128(0)) == 0);
}

// [B27]: a smaller weight leaves no stale points behind.
TEMPLATE_TEST_CASE("history: a lowered weight is forgotten", "[ring][B27]",
                   HASHRING_KINDS_OF_SCHEMES) {
    ring<TestType> nodes{node_spec("a", weight{2}), node_spec("b")};
    nodes.set_weight("a", weight{1});
    CHECK(nodes == ring<TestType>{"a", "b"});
    nodes.remove("a");
    CHECK(nodes == ring<TestType>{"b"});
}

// [B73]: 100,000 steps against a map.
TEST_CASE("history: a long life of joining and leaving equals a map", "[ring][law][B73]") {
    constexpr std::uint64_t seed = 73;
    dice random(seed);
    using tiny = listed<std::uint8_t>;
    ring<tiny> nodes;
    std::map<std::string, std::vector<unsigned>> model;
    hashring::test::mismatches found;
    for (std::size_t step = 0; step < 100'000; ++step) {
        const auto first = static_cast<unsigned>(random.below(16));
        const std::vector<unsigned> positions{first * 16, first * first, 255 - first / 4};
        const std::string name = test_schemes::listed_node("n", positions);
        if (random.below(2) == 0) {
            found.expect(nodes.add(name) == model.emplace(name, positions).second, "add", step);
        } else {
            found.expect(nodes.remove(name) == (model.erase(name) == 1), "remove", step);
        }
        const auto p = static_cast<std::uint8_t>(random.below(256));
        unsigned nearest = 256;
        std::string owner; // of the least distance the first name, as the map is sorted
        for (const auto& [candidate, its_positions] : model) {
            for (const unsigned q : its_positions) {
                if (const unsigned distance = (q - p) & 255U; distance < nearest) {
                    nearest = distance;
                    owner = candidate;
                }
            }
        }
        const auto answer = nodes.owner_at(p);
        found.expect(answer ? answer->name() == owner : model.empty(), "step", step);
        found.expect(nodes.size() == model.size(), "step", step);
    }
    CAPTURE(seed);
    CHECK_NO_MISMATCHES(found);
}
