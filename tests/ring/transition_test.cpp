// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace hashring;

namespace {

using steps = transition<ring<>>;

ring<> drawn_ring(dice& random) {
    ring<> r;
    for (const std::string& name : node_names(random.below(7), 9)) {
        if (random.below(3) > 0) {
            r.add(node_spec(name, weight{1 + random.below(3)}));
        }
    }
    return r;
}

steps drawn_transition(std::uint64_t seed) {
    dice random(seed);
    ring<> before = drawn_ring(random);
    return {std::move(before), drawn_ring(random)};
}

// Of 500 positions and all ends of arcs, those whose route is not what the two rings say.
std::string wrong_routes(const steps& t, std::uint64_t seed) {
    dice random(seed);
    test::mismatches found;
    std::vector<std::uint64_t> positions;
    for (int i = 0; i < 500; ++i) {
        positions.push_back(random.next());
    }
    for (const auto& arc : t.moved().arcs()) {
        for (const std::uint64_t end : {arc.where.first, arc.where.last}) {
            positions.insert(positions.end(), {end - 1, end, end + 1});
        }
    }
    for (const std::uint64_t p : positions) {
        const std::uint32_t old = t.before().owner_index_at(p);
        const std::uint32_t now = t.after().owner_index_at(p);
        const std::string was = old == no_node ? "-" : std::string(t.before().node(old).name());
        const std::string is = now == no_node ? "-" : std::string(t.after().node(now).name());
        const std::size_t arc = t.moved().index_at(p);
        const bool asks = was != is && !t.is_done(arc);
        found.expect(t.route_at(p) == transition_route{now, asks ? old : no_node}, p);
        found.compare(arc < t.moved().arcs().size(), was != is, p);
    }
    return found.report();
}

} // namespace

TEST_CASE("transition: keys are asked for at both owners until their arc is done",
          "[ring][transition][law]") {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U);
    CAPTURE(seed);
    steps t = drawn_transition(seed);
    dice random(seed + 100);
    const std::size_t arcs = t.moved().arcs().size();
    CHECK(t.is_finished() == (arcs == 0));
    CHECK(wrong_routes(t, seed) == "");
    std::size_t done = 0;
    for (std::size_t i = 0; i < arcs / 2; ++i) {
        done += t.mark_done(random.below(arcs)) ? 1U : 0U;
    }
    CHECK(t.done_count() == done);
    CHECK(wrong_routes(t, seed) == "");
    for (std::size_t i = 0; i < arcs; ++i) {
        CHECK(t.is_finished() == (t.done_count() == arcs));
        t.mark_done(i);
    }
    CHECK(t.is_finished());
    CHECK(t.done_count() == arcs);
    CHECK(wrong_routes(t, seed) == "");
}

TEST_CASE("transition: what is done is saved, and resumed on top of what is done",
          "[ring][transition][law]") {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U);
    CAPTURE(seed);
    steps here = drawn_transition(seed);
    steps there = drawn_transition(seed);
    dice random(seed);
    const std::size_t arcs = here.moved().arcs().size();
    for (std::size_t i = 0; i < arcs / 2; ++i) {
        here.mark_done(random.below(arcs));
    }
    if (arcs > 0) {
        here.mark_done(0);
        here.mark_done(arcs - 1);
    }
    there.resume(here.save());
    CHECK(there.save() == here.save());
    CHECK(there.done_count() == here.done_count());
    CHECK(steps(here.before(), here.after(), here.save()).save() == here.save());
    CHECK_THROWS_AS(steps(here.before(), here.after(), "x"), invalid_state);
    steps further = drawn_transition(seed);
    for (std::size_t i = 0; i < arcs; i += 3) {
        further.mark_done(i);
    }
    further.resume(here.save());
    test::mismatches found;
    for (std::size_t i = 0; i < arcs; ++i) {
        found.expect(further.route_of(i) == further.route_at(further.moved().arcs()[i].where.last),
                     "route", i);
        found.compare(further.is_done(i), i % 3 == 0 || here.is_done(i), i);
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("transition: the saved form is this", "[ring][transition][golden]") {
    steps t{ring<>{"a"}, ring<>{"a", "b"}};
    t.mark_done(0);
    t.mark_done(1);
    t.mark_done(4);
    const std::string text = t.save();
    CHECK(text == "hashring transition 1\nrings " + decimal(t.before().fingerprint()) + " " +
                      decimal(t.after().fingerprint()) + "\ndone 0 1\ndone 4 4\n" +
                      text.substr(text.find("end ")));
}

TEST_CASE("transition: to and from nobody", "[ring][transition][edge]") {
    steps first{ring<>(), ring<>{"a"}};
    CHECK(first.route("k") == transition_route{0, no_node}); // nobody had it
    REQUIRE(first.moved().arcs().size() == 1);
    first.mark_done(0);
    CHECK(first.is_finished());
    const steps last{ring<>{"a"}, ring<>()};
    CHECK(last.route("k") == transition_route{no_node, 0});
    const steps none{ring<>{"a", "b"}, ring<>{"b", "a"}};
    CHECK(none.is_finished());
    CHECK(none.route("k").from == no_node);
    CHECK(steps(ring<>(), ring<>()).route("k") == transition_route{});
}

TEST_CASE("transition: a damaged or foreign text is refused by its line, and marks nothing",
          "[ring][transition][error]") {
    steps t{ring<>{"a", "b"}, ring<>{"a", "b", "c"}};
    t.mark_done(2);
    t.mark_done(3);
    const std::string good = t.save();
    steps fresh{ring<>{"a", "b"}, ring<>{"a", "b", "c"}};
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = bad[i] == '7' ? '8' : '7';
        CHECK_THROWS_AS(fresh.resume(bad), invalid_state);
        CHECK_THROWS_AS(fresh.resume(good.substr(0, i)), invalid_state);
    }
    CHECK_THROWS_AS(fresh.resume(good + "x"), invalid_state);
    CHECK(fresh.done_count() == 0);
    steps other{ring<>{"a", "b"}, ring<>{"a", "b", "d"}};
    try {
        other.resume(good);
        FAIL("it was taken");
    } catch (const invalid_state& error) {
        CHECK(std::string(error.what()).find("2") != std::string::npos);
        CHECK(std::string(error.what()).find("two other rings") != std::string::npos);
    }
    CHECK(other.done_count() == 0);
    fresh.resume(good);
    CHECK(fresh.done_count() == 2);
}

TEST_CASE("transition: an exact ring changes as a hashed one does", "[ring][transition][exact]") {
    exact_ring<> before(std::vector<node_spec>{"a", "b"});
    exact_ring<> after = before;
    after.join("c");
    transition<exact_ring<>> t(before, after);
    REQUIRE(t.moved().arcs().size() > 0);
    test::mismatches found;
    for (std::uint64_t key = 0; key < 500; ++key) {
        const transition_route route = t.route(key);
        const bool moves = after.owner(key)->name() == "c";
        found.compare(route.to, after.owner_index_at(after.position(key)), key);
        found.compare(route.from, moves ? before.owner_index_at(before.position(key)) : no_node,
                      key);
    }
    CHECK_NO_MISMATCHES(found);
}
