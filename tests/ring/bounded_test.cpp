// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/placement/xxh3.hpp>
#include <hashring/ring/bounded.hpp>
#include <hashring/ring/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace hashring;
namespace bounded = hashring::bounded_load;

namespace {

using counters = std::vector<std::uint64_t>;
using order = std::vector<std::uint32_t>;

std::uint64_t sum(const counters& c) {
    return std::accumulate(c.begin(), c.end(), std::uint64_t{0});
}

counters caps_of(std::uint64_t slots, const counters& weights) {
    counters caps;
    std::uint64_t before = 0;
    for (const std::uint64_t w : weights) {
        caps.push_back(bounded::whole_cap(slots, w, before, sum(weights)));
        before += w;
    }
    return caps;
}

} // namespace

TEST_CASE("bounded load: all may have the requests and one more, times the factor",
          "[bounded][golden]") {
    STATIC_REQUIRE(bounded::slots_of_all(0, 100) == 1);
    STATIC_REQUIRE(bounded::slots_of_all(0, 125) == 2); // 1.25, rounded up
    STATIC_REQUIRE(bounded::slots_of_all(3, 125) == 5);
    STATIC_REQUIRE(bounded::slots_of_all(99, 101) == 101);
    STATIC_REQUIRE(bounded::slots_of_all(100, 101) == 103); // 102.01
}

TEST_CASE("bounded load: whole slots are shared out by weight without a rest",
          "[bounded][golden]") {
    CHECK(caps_of(10, {1, 1, 1}) == counters{3, 3, 4});
    CHECK(caps_of(11, {1, 1, 1}) == counters{3, 4, 4});
    CHECK(caps_of(2, {16, 32, 48}) == counters{1, 1, 1}); // 0 1 1, and at least 1
    CHECK(caps_of(60, {16, 32, 48}) == counters{10, 20, 30});
}

TEST_CASE("bounded load: caps by weight leave room for the next request", "[bounded][law]") {
    constexpr std::uint64_t seed = 41;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (int i = 0; i < 2000; ++i) {
        counters weights(1 + input.number_of_any_width() % 9);
        for (auto& w : weights) {
            w = 1 + input.number_of_any_width() % 4096;
        }
        const std::uint64_t slots = 1 + input.number_of_any_width() % 100'000;
        const counters caps = caps_of(slots, weights);
        wrong.expect(sum(caps) >= slots, slots);
        wrong.expect(sum(caps) < slots + weights.size(), slots);
        for (std::size_t k = 0; k < caps.size(); ++k) { // within one of its part
            const std::uint64_t part = slots * weights[k] / sum(weights);
            wrong.expect(caps[k] >= part && caps[k] <= part + 1, slots, k);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("bounded load: a share of the slots is rounded up and is at least 1",
          "[bounded][golden]") {
    CHECK(bounded::rounded_up_cap(10, 0.5) == 5);
    CHECK(bounded::rounded_up_cap(11, 0.5) == 6);
    CHECK(bounded::rounded_up_cap(1, 0.001) == 1);
    CHECK(bounded::rounded_up_cap(0, 0.5) == 1);
    CHECK(bounded::rounded_up_cap(9, 1.0 / 3) == 3);
}

TEST_CASE("bounded load: nodes are asked in the order of the twister", "[bounded][golden]") {
    CHECK(bounded::shuffled_order(5, 2) == order{2, 1, 0, 4, 3});
    CHECK(bounded::shuffled_order(5, 6) == order{4, 0, 2, 3, 1});
    CHECK(bounded::shuffled_order(5, 7) == order{0, 1, 4, 3, 2});
    CHECK(bounded::shuffled_order(1, 7) == order{0});
    CHECK(bounded::shuffled_order(0, 7) == order{});
}

TEST_CASE("bounded load: who is full sends on by the shuffled order", "[bounded][golden]") {
    // By seed 2 the others of 1 are asked as 2, 0, 4, 3.
    const counters caps = {2, 2, 2, 2, 2};
    CHECK(bounded::owner_by_shuffle(1, caps, counters{9, 2, 0, 0, 0}, 2) == 1); // one above is room
    CHECK(bounded::owner_by_shuffle(1, caps, counters{0, 3, 0, 0, 0}, 2) == 2);
    CHECK(bounded::owner_by_shuffle(1, caps, counters{0, 3, 3, 0, 0}, 2) == 0);
    CHECK(bounded::owner_by_shuffle(1, caps, counters{3, 3, 3, 2, 3}, 2) == 3);
    // All are full: the least full, and of equals the first that is asked.
    CHECK(bounded::owner_by_shuffle(1, caps, counters{9, 9, 9, 9, 9}, 2) == 1);
    CHECK(bounded::owner_by_shuffle(1, caps, counters{8, 9, 9, 8, 8}, 2) == 0);
    CHECK(bounded::owner_by_shuffle(1, counters{2, 2, 2, 8, 2}, counters{4, 4, 4, 9, 4}, 2) == 3);
}

TEST_CASE("bounded load: on a ring nobody is given more than its cap", "[bounded][law]") {
    const ring<> r({{"a", weight{1}}, {"b", weight{2}}, {"c", weight{5}}});
    const counters weights = {1, 2, 5};
    const counters sums = bounded::weight_sums(weights);
    CHECK(sums == counters{0, 1, 3, 8});
    for (const std::uint32_t percent : {100U, 125U, 200U}) {
        counters loads(3);
        test::mismatches wrong;
        std::size_t kept = 0;
        for (int i = 0; i < 500; ++i) {
            const auto position = r.position("key-" + std::to_string(i % 40));
            const counters caps = caps_of(bounded::slots_of_all(sum(loads), percent), weights);
            const std::uint32_t node = bounded::owner_on_ring(r, position, sums, loads, percent);
            REQUIRE(node < 3);
            wrong.expect(loads[node] < caps[node], i);
            // Who comes before it on the way had no room.
            for (auto walk = r.walk_at(position); walk.current() != node; walk.advance()) {
                wrong.expect(loads[walk.current()] >= caps[walk.current()], i);
            }
            kept += node == r.owner_index_at(position) ? 1U : 0U;
            ++loads[node];
        }
        CHECK(wrong.report() == "");
        CHECK(kept > 100);
        CHECK((percent > 100 || kept < 500));
    }
}

TEST_CASE("bounded load: a ring without points and nodes without weight are answered",
          "[bounded][edge]") {
    CHECK(bounded::owner_on_ring(ring<>(), 0, bounded::weight_sums({}), {}, 125) == no_node);
    ring<> r({{"a", weight{0}}});
    CHECK(r.set_vnodes("a", 3));
    CHECK(bounded::owner_on_ring(r, 0, counters{0, 0}, counters{0}, 125) == 0);
    CHECK(bounded::next_on_ring(r, 2, [](std::uint32_t) { return false; }) == no_node);
}
