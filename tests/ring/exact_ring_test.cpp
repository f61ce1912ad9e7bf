// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/exact_churn.hpp"
#include "support/exact_rings.hpp"
#include "support/mismatches.hpp"
#include "support/test_schemes.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hashring;
using namespace exact_churn;
using hashring::test::mismatches;

namespace {

using byte_ring = exact_ring<test_schemes::listed<std::uint8_t>>;

constexpr std::uint64_t seed = 0x7a11;

template <class Ring>
std::string points_text(const Ring& ring) {
    std::string text;
    for (std::size_t i = 0; i < ring.point_count(); ++i) {
        text += concat(text.empty() ? "" : " ", decimal(ring.point_position(i)), "=",
                       ring.node(ring.point_owner(i)).name());
    }
    return text;
}

} // namespace

TEST_CASE("exact_ring: a circle of 256 positions, cut by hand", "[exact][golden]") {
    byte_ring ring;
    ring.join("a");
    CHECK(points_text(ring) == "255=a");
    ring.join("b"); // takes 128 off the front of the one arc
    CHECK(points_text(ring) == "127=b 255=a");
    ring.join("c"); // 43 off the front of each
    CHECK(points_text(ring) == "42=c 127=b 170=c 255=a");
    ring.leave("b"); // its 85 positions fit into what the boundary before them gives c
    CHECK(points_text(ring) == "84=c 127=a 170=c 255=a");
    ring.resize("a", weight{3}); // 64 more, off the front of what follows an arc of a
    CHECK(points_text(ring) == "63=a 84=c 127=a 170=c");
    ring.transfer("a", "c", 10); // likewise, across the end of the circle
    CHECK(points_text(ring) == "63=a 84=c 127=a 180=c");
    ring.transfer("a", "c", 100);
    CHECK(points_text(ring) == "24=c 63=a 84=c 127=a");
    ring.transfer("a", "c", 60); // the rest of that arc, and 21 of the next
    CHECK(points_text(ring) == "105=c 127=a");
}

TEST_CASE("exact_ring: the same events give the ring that they always gave", "[exact][golden]") {
    exact_ring<> ring(node_names(20, 1));
    ring.leave("s1-node-3");
    ring.resize("s1-node-7", weight{2.5});
    ring.transfer("s1-node-0", "s1-node-9", std::uint64_t{1} << 55U);
    CHECK(ring.point_count() == 157);
    CHECK(ring.fingerprint() == 0x91c4ae8e933a3fdbU);
}

TEST_CASE("exact_ring: it takes over the arcs of a hashed ring", "[exact][golden]") {
    // 20 is b's and a's, and the first name owns it; 250 of c wraps and joins c's 5.
    using byte_hashed = ring<test_schemes::listed<std::uint8_t>>;
    const byte_ring taken(
        byte_hashed{{"a:20,40", "b:20,60,70", node_spec("c:250,5", weight{4}), "d:100"}});
    CHECK(points_text(taken) == "5=c:250,5 40=a:20,40 70=b:20,60,70 100=d:100");
    CHECK(taken.find("c:250,5")->weight() == weight{4});
}

TEST_CASE("exact_ring: on going over from a hashed ring no key moves, and changes are exact",
          "[exact][law]") {
    CAPTURE(seed);
    mismatches found;
    for (const std::size_t nodes : {1U, 2U, 7U, 30U}) {
        ring<schemes::xxh3, int> hashed(weighted_names(nodes, seed));
        hashed.set_vnodes(hashed.node(0).name(), 3);
        exact_ring<> exact(hashed, 16);
        dice random(seed);
        for (int i = 0; i < 3000; ++i) {
            const std::uint64_t p = random.next();
            found.expect(exact.owner_index_at(p) == hashed.owner_index_at(p), "random", p);
        }
        for (std::size_t i = 0; i < hashed.point_count(); ++i) {
            const std::uint64_t p = hashed.point_position(i);
            found.expect(exact.owner_index_at(p) == hashed.owner_index_at(p), "on a point", p);
            found.expect(exact.owner_index_at(p + 1) == hashed.owner_index_at(p + 1), "after", p);
        }
        CHECK(names_of(exact) == names_of(hashed));
        CHECK(exact.widths() == hashed.widths());
        CHECK(exact.most_cuts() == 16);
        CHECK(exact_ring<>::load(exact.save()) == exact);
        const auto come = exact.join("fresh");
        CHECK(come.moved_width() == owned(exact, "fresh"));
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("exact_ring: who joins or leaves moves exactly its share", "[exact][law]") {
    CAPTURE(seed);
    for (const std::size_t nodes : {2U, 3U, 10U, 40U}) {
        CAPTURE(nodes);
        exact_ring<> ring(node_names(nodes, seed));
        CHECK(gap_over_weight(ring) <= 1e-15);
        mismatches found;
        churn(ring, 60, 1, seed, found);
        CHECK_NO_MISMATCHES(found);
        CHECK(gap_over_weight(ring) <= 1e-15);
        CHECK(ring.point_count() <= 120 * nodes);
    }
}

TEST_CASE("exact_ring: the same with weights of 1, 2 and 4", "[exact][law]") {
    CAPTURE(seed);
    exact_ring<> ring(weighted_names(30, seed));
    mismatches found;
    churn(ring, 100, 3, seed, found);
    CHECK_NO_MISMATCHES(found);
    CHECK(gap_over_weight(ring) <= 1e-15);
    CHECK(ring.point_count() <= 120 * ring.size());
}

TEST_CASE("exact_ring: fewer cuts give fewer points and a gap of about one over them",
          "[exact][law]") {
    const exact_ring<> few(node_names(100, seed), {}, 16);
    const exact_ring<> many(node_names(100, seed));
    CHECK(few.most_cuts() == 16);
    CHECK(few.point_count() < many.point_count());
    CHECK(gap_over_weight(few) > 0.01);
    CHECK(gap_over_weight(few) < 0.08);
}

TEST_CASE("exact_ring: another weight moves keys only to its node or only from it",
          "[exact][law]") {
    CAPTURE(seed);
    dice random(seed);
    exact_ring<> ring(weighted_names(25, seed));
    mismatches found;
    for (int i = 0; i < 200; ++i) {
        const auto index = static_cast<std::uint32_t>(random.below(ring.size()));
        const std::string name(ring.node(index).name());
        const weight w = weight::from_thousandths(500 * random.below(9));
        const bool may_grow = w >= ring.node(index).weight();
        const bool may_shrink = w <= ring.node(index).weight();
        const uint128 before = owned(ring, name);
        const auto moved = ring.resize(name, w);
        const uint128 after = owned(ring, name);
        found.expect((may_grow && all_to(moved, name)) || (may_shrink && all_from(moved, name)),
                     "sides", i);
        found.expect(moved.moved_width() == std::max(after, before) - std::min(after, before),
                     "width", i);
        found.expect(ring.node(index).weight() == w, "weight", i);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(gap_over_weight(ring) <= 1e-15);
}

TEST_CASE("exact_ring: after 500 transfers every share is what the ledger says", "[exact][law]") {
    CAPTURE(seed);
    dice random(seed);
    exact_ring<> ring(weighted_names(50, seed));
    std::vector<uint128> ledger = ring.widths();
    const std::vector<std::string> names = names_of(ring);
    mismatches found;
    for (int i = 0; i < 500; ++i) {
        const std::size_t from = random.below(50);
        const std::size_t to = (from + 1 + random.below(49)) % 50;
        const uint128 amount = random.next() % (ledger[from].low / 2 + 1);
        const auto moved = ring.transfer(names[from], names[to], amount);
        ledger[from] -= amount;
        ledger[to] += amount;
        found.expect(moved.moved_width() == amount && all_to(moved, names[to]) &&
                         all_from(moved, names[from]),
                     "transfer", i);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(ring.widths() == ledger);
    CHECK(ring.point_count() < 200 * ring.size());
}

TEST_CASE("exact_ring: a change moves no key between those it does not name", "[exact][law]") {
    CAPTURE(seed);
    exact_ring<> ring(node_names(12, seed));
    const exact_ring<> before(ring);
    ring.leave("s31249-node-4");
    const auto moved = ring.join("fresh");
    mismatches found;
    for (std::uint64_t k = 0; k < 20000; ++k) {
        const auto was = before.owner(k)->name();
        const auto is = ring.owner(k)->name();
        found.expect(is == was || was == "s31249-node-4" || is == "fresh", k);
        found.expect(!moved.moves(k) || is == "fresh", "diff", k);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(before.changes_to(ring).moved_fraction() >= 1.0 / 12 - 1e-9);
    CHECK(before.changes_to(ring).moved_fraction() <= 2.0 / 12);
}

TEST_CASE("exact_ring: on a small circle every change is right at every position", "[exact][law]") {
    CAPTURE(seed);
    small_circle_history<31> history(seed);
    for (int i = 0; i < 3000; ++i) {
        history.step();
    }
    CHECK_NO_MISMATCHES(history.found());
}

TEST_CASE("exact_ring: a plan of transfers is carried out in parts of what nodes hold",
          "[exact][law]") {
    struct step {
        std::string from;
        std::string to;
        std::uint64_t amount;
    };
    struct plan {
        std::vector<step> transfers;
    };
    exact_ring<> ring(std::vector<std::string>{"a", "b", "c", "d"});
    const uint128 quarter = owned(ring, "a");
    const auto moved = ring.apply(plan{{{"a", "b", 30}, {"a", "c", 20}, {"d", "c", 5}}},
                                  [](std::string_view name) { return name == "a" ? 100U : 10U; });
    CHECK(owned(ring, "a") == quarter.low / 2 + 1); // both parts rounded down
    CHECK(owned(ring, "b") == quarter + divide(multiply(quarter, 30), 100).quotient);
    CHECK(owned(ring, "d") == quarter.low / 2);
    CHECK(moved.transfers().size() == 3);
    CHECK(ring.apply(std::vector<step>{}, [](std::string_view) { return 0U; }).empty());

    const exact_ring<> before(ring);
    const auto hundred = [](std::string_view) {
        return 100U;
    };
    CHECK_THROWS_AS(ring.apply(std::vector<step>{{"a", "b", 10}, {"a", "b", 101}}, hundred),
                    invalid_amount);
    CHECK_THROWS_AS(ring.apply(std::vector<step>{{"a", "b", 60}, {"a", "c", 60}}, hundred),
                    invalid_amount);
    CHECK_THROWS_AS(ring.apply(std::vector<step>{{"a", "b", 10}, {"x", "b", 1}}, hundred),
                    unknown_node);
    CHECK(ring == before);
}

TEST_CASE("exact_ring: without weights nobody owns anything", "[exact][edge]") {
    exact_ring<> ring;
    CHECK_FALSE(ring.owner("k").has_value());
    ring.join(node_spec("idle", weight{0}));
    CHECK(ring.size() == 1);
    CHECK_FALSE(ring.owner("k").has_value());
    CHECK(ring.resize("idle", weight{0}).empty());

    const auto all = ring.join("a");
    CHECK(all.moved_fraction() == 1.0);
    CHECK(ring.owner("k")->name() == "a");
    CHECK(ring.placed_count() == 1);
    CHECK(ring.resize("a", weight{0}).moved_fraction() == 1.0); // nobody to give it to
    CHECK(ring.point_count() == 0);
    CHECK(ring.resize("idle", weight{0.001}).moved_fraction() == 1.0);
    CHECK(ring.leave("a").empty());
    CHECK(ring.leave("idle").moved_fraction() == 1.0);
    CHECK(ring.empty());
    CHECK(ring == exact_ring<>());
}

TEST_CASE("exact_ring: a node set to weight 0 stays and owns nothing", "[exact][edge]") {
    exact_ring<> ring(node_names(5, 2));
    const auto moved = ring.resize("s2-node-1", weight{0});
    CHECK(all_from(moved, "s2-node-1"));
    CHECK(owned(ring, "s2-node-1") == uint128(0));
    CHECK(ring.find("s2-node-1")->vnodes() == 0);
    CHECK(ring.replicas("key", 9).size() == 4);
    CHECK(gap_over_weight(ring) <= 1e-15);
}

TEST_CASE("exact_ring: a position belongs to the first point at or after it", "[exact][edge]") {
    const byte_ring ring(std::vector<std::string>{"a", "b"});
    REQUIRE(points_text(ring) == "127=b 255=a");
    CHECK(ring.owner("127")->name() == "b");
    CHECK(ring.owner("128")->name() == "a");
    CHECK(ring.owner("255")->name() == "a");
    CHECK(ring.owner("0")->name() == "b");
}

TEST_CASE("exact_ring: more nodes than positions share what there is", "[exact][edge]") {
    exact_ring<test_schemes::listed<std::uint8_t, 4>> ring(node_names(9, 3));
    CHECK(ring.placed_count() <= 5);
    uint128 sum;
    for (const uint128& w : ring.widths()) {
        sum += w;
    }
    CHECK(sum == uint128(5));
}

TEST_CASE("exact_ring: what cannot be is refused and changes nothing", "[exact][error]") {
    exact_ring<> ring(node_names(3, 4));
    ring.join(node_spec("idle", weight{0}));
    const exact_ring<> before(ring);
    CHECK_THROWS_AS(ring.join("idle"), invalid_node);
    CHECK_THROWS_AS(ring.join(""), invalid_node);
    CHECK_THROWS_AS(ring.leave("nobody"), unknown_node);
    CHECK_THROWS_AS(ring.resize("nobody", weight{1}), unknown_node);
    CHECK_THROWS_AS(ring.transfer("nobody", "s4-node-0", 1), unknown_node);
    CHECK_THROWS_AS(ring.transfer("s4-node-0", "nobody", 1), unknown_node);
    CHECK_THROWS_AS(ring.transfer("s4-node-0", "s4-node-0", 1), invalid_amount);
    CHECK_THROWS_AS(ring.transfer("s4-node-0", "idle", 1), invalid_amount);
    CHECK_THROWS_AS(ring.transfer("s4-node-0", "s4-node-1", owned(ring, "s4-node-0") + 1),
                    invalid_amount);
    CHECK_THROWS_AS(exact_ring<>({}, 0), invalid_option);
    hashring::ring<> hashed(node_names(3, 4));
    CHECK_THROWS_AS(exact_ring<>(hashed, 0), invalid_option);
    hashed.add("idle", weight{0});
    CHECK(exact_ring<>(hashed).find("idle")->vnodes() == 0);
    hashed.set_vnodes("idle", 1);
    CHECK_THROWS_AS(exact_ring<>(hashed), invalid_node);
    using byte_hashed = hashring::ring<test_schemes::listed<std::uint8_t>>;
    const node_spec owns_one("idle:10", weight{0}, "", 1); // the others own the rest
    CHECK_THROWS_AS(byte_ring(byte_hashed{{"a:9,255", owns_one}}), invalid_node);
    const node_spec owns_none("idle:9", weight{0}, "", 1); // a's point comes first
    CHECK(byte_ring(byte_hashed{{"a:9,255", owns_none}}).point_count() == 1);
    for (const std::string& name : names_of(hashed)) {
        hashed.set_vnodes(name, 0);
    }
    CHECK_THROWS_AS(exact_ring<>(hashed), invalid_node);
    CHECK(exact_ring<>(hashring::ring<>()) == exact_ring<>());
    CHECK(ring == before);
    CHECK(ring.transfer("s4-node-0", "s4-node-1", 0).empty());
    CHECK_FALSE(ring.transfer("s4-node-0", "s4-node-1", owned(ring, "s4-node-0")).empty());
    CHECK(ring.find("s4-node-0")->vnodes() == 0);
}
