// SPDX-License-Identifier: MIT
#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/sanitizers.hpp"
#include "support/skews.hpp"

#include <hashring/ring/fresh_points.hpp>
#include <hashring/ring/point_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace {

using hashring::no_node;
using hashring::tie_rule;
using hashring::detail::fresh_points;
using hashring::detail::point_list;

template <class Position>
using pairs = std::vector<std::pair<Position, std::uint32_t>>;

// The points of owners 0, 1, … as a plain sorted vector.
template <class Position, tie_rule Ties>
struct model {
    pairs<Position> points;

    void sort() {
        std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
            if (a.first != b.first) {
                return a.first < b.first;
            }
            return Ties == tie_rule::first ? a.second < b.second : a.second > b.second;
        });
    }
    void rewrite(const std::vector<std::uint32_t>& renamed, const fresh_points<Position>& fresh) {
        pairs<Position> next;
        for (const auto& [position, owner] : points) {
            if (renamed[owner] != no_node) {
                next.emplace_back(position, renamed[owner]);
            }
        }
        auto from = fresh.positions.begin();
        for (const auto& run : fresh.runs) {
            for (std::uint32_t j = 0; j < run.count; ++j) {
                next.emplace_back(*from++, run.owner);
            }
        }
        points = std::move(next);
        sort();
    }
};

template <class List, class Model>
void check_same(const List& list, const Model& truth) {
    using position_type = typename decltype(Model::points)::value_type::first_type;
    decltype(Model::points) got;
    for (std::size_t i = 0; i < list.size(); ++i) {
        got.emplace_back(list.position(i), list.owner(i));
    }
    REQUIRE(got == truth.points);
    REQUIRE(list.empty() == truth.points.empty());
    std::vector<position_type> wanted;
    std::vector<std::uint32_t> owners;
    std::size_t first = 0; // of the points on one position
    for (std::size_t i = 0; i < got.size(); ++i) {
        first = got[i].first == got[first].first ? first : i;
        REQUIRE(list.locate(got[i].first) == first);
        REQUIRE(list.owner_of(got[i].first) == got[first].second);
        wanted.push_back(got[i].first);
        owners.push_back(got[first].second);
    }
    std::vector<std::uint32_t> batch(wanted.size());
    if (!got.empty()) {
        list.owners_of(wanted, batch.data());
    }
    CHECK(batch == owners);
    if (!got.empty() && got.back().first != std::numeric_limits<position_type>::max()) {
        CHECK(list.locate(std::numeric_limits<position_type>::max()) == 0);
        CHECK(list.owner_of(std::numeric_limits<position_type>::max()) == got[0].second);
    }
}

// Who of `before` owners stays, in order, and the points of `come` new ones among them.
template <class Position>
std::pair<std::vector<std::uint32_t>, fresh_points<Position>>
any_change(dice& random, std::size_t before, std::size_t most, Position spread) {
    std::vector<std::uint32_t> renamed;
    fresh_points<Position> fresh;
    std::uint32_t next = 0;
    const auto arrive = [&] {
        while (random.below(4) == 0) {
            const auto count = static_cast<std::uint32_t>(random.below(most));
            fresh.runs.push_back({next++, count});
            for (std::uint32_t j = 0; j < count; ++j) {
                fresh.positions.push_back(static_cast<Position>(random.next() & spread));
            }
        }
    };
    for (std::size_t i = 0; i < before; ++i) {
        arrive();
        renamed.push_back(random.below(5) == 0 ? no_node : next++);
    }
    arrive();
    return {renamed, fresh};
}

std::uint32_t owners_after(const std::vector<std::uint32_t>& renamed, std::size_t come) {
    const auto left = std::count(renamed.begin(), renamed.end(), no_node);
    return static_cast<std::uint32_t>(renamed.size() - static_cast<std::size_t>(left) + come);
}

template <class Position, tie_rule Ties>
void check_histories(Position spread, std::size_t most) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        dice random(seed);
        point_list<Position, Ties> list;
        model<Position, Ties> truth;
        std::uint32_t owners = 0;
        for (int step = 0; step < 12; ++step) {
            const auto [renamed, fresh] = any_change<Position>(random, owners, most, spread);
            list.rewrite(renamed, fresh);
            truth.rewrite(renamed, fresh);
            owners = owners_after(renamed, fresh.runs.size());
            check_same(list, truth);
        }
    }
}

// The list of points on those positions, the i-th owned by i.
template <class Position>
point_list<Position, tie_rule::first> list_on(const std::vector<Position>& positions) {
    fresh_points<Position> fresh{positions, {}};
    for (std::uint32_t i = 0; i < positions.size(); ++i) {
        fresh.runs.push_back({i, 1});
    }
    return point_list<Position, tie_rule::first>(fresh);
}

// The index of the first of sorted `positions` at or after `p`, after the last one 0.
template <class Position>
std::size_t searched(const std::vector<Position>& positions, Position p) {
    const auto found = std::lower_bound(positions.begin(), positions.end(), p);
    return found == positions.end() ? 0 : static_cast<std::size_t>(found - positions.begin());
}

} // namespace

TEMPLATE_TEST_CASE("point list: it answers as a binary search does, however positions crowd",
                   "[ring][points][law]", std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
    for (const std::size_t count : {1U, 2U, 3U, 7U, 100U, 4096U, 20000U}) {
        CAPTURE(count);
        for (const std::vector<TestType>& positions : skews<TestType>(count)) {
            const auto list = list_on(positions);
            hashring::test::mismatches found;
            const auto ask = [&](TestType p) {
                const std::size_t truth = searched(positions, p);
                found.compare(list.locate(p), truth, p);
                found.compare(list.owner_of(p), truth, p);
            };
            dice random(count);
            for (const TestType p : positions) {
                ask(p);
                ask(static_cast<TestType>(p - 1U));
                ask(static_cast<TestType>(p + 1U));
                ask(static_cast<TestType>(random.next()));
            }
            ask(0);
            ask(std::numeric_limits<TestType>::max());
            CHECK_NO_MISMATCHES(found);
        }
    }
}

// Ten million in all: 2 widths, 8 kinds, and half of them at most one off a point.
TEMPLATE_TEST_CASE("point list: ten million positions are answered as without the index",
                   "[ring][points][law]", std::uint32_t, std::uint64_t) {
    constexpr std::size_t questions = 10'000'000 / 16 / exhaustive_stride;
    for (const std::vector<TestType>& positions : skews<TestType>(17'000)) {
        const auto list = list_on(positions);
        dice random(questions);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < questions; ++i) {
            auto p = static_cast<TestType>(random.next());
            if (i % 2 == 0) {
                p = static_cast<TestType>(random.pick(positions) + random.below(3) - 1U);
            }
            wrong += list.owner_of(p) == searched(positions, p) ? 0U : 1U;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("point list: keys that agree with points in the upper half are told apart by the lower",
          "[ring][points][edge][small]") {
    constexpr std::uint64_t upper = 0x12345678'00000000U;
    const auto list = list_on<std::uint64_t>({upper + 5, upper + 7, upper + 7, upper + 9});
    CHECK(list.locate(upper) == 0);
    CHECK(list.locate(upper + 5) == 0);
    CHECK(list.locate(upper + 6) == 1);
    CHECK(list.locate(upper + 7) == 1);
    CHECK(list.locate(upper + 8) == 3);
    CHECK(list.locate(upper + 9) == 3);
    CHECK(list.locate(upper + 10) == 0); // round the circle
    constexpr std::uint64_t last = 0xffffffff'ffffffffU;
    const auto end = list_on<std::uint64_t>({last - 2, last - 1});
    CHECK(end.locate(last - 3) == 0);
    CHECK(end.locate(last - 1) == 1);
    CHECK(end.locate(last) == 0);
    CHECK(list_on<std::uint64_t>({last}).locate(last) == 0);
}

TEST_CASE("point list: 32-bit points take at most 11 bytes and 64-bit ones 15, index included",
          "[ring][points]") {
    const auto narrow = list_on(skews<std::uint32_t>(160'000)[0]);
    const auto wide = list_on(skews<std::uint64_t>(160'000)[0]);
    CHECK(narrow.bytes() <= 11 * narrow.size());
    CHECK(wide.bytes() <= 15 * wide.size());
    CHECK(narrow.bytes() >= 8 * narrow.size());
    CHECK(wide.bytes() >= 12 * wide.size());
}

TEMPLATE_TEST_CASE("point list: rewriting it in place is sorting anew, whatever leaves and comes",
                   "[ring][points][law]", std::uint8_t, std::uint32_t, std::uint64_t) {
    const TestType all = std::numeric_limits<TestType>::max();
    check_histories<TestType, tie_rule::first>(all, 40);
    check_histories<TestType, tie_rule::last>(all, 40);
    check_histories<TestType, tie_rule::first>(3, 20); // nearly all points are equal
    check_histories<TestType, tie_rule::last>(3, 20);
    check_histories<TestType, tie_rule::last>(0, 9);
}

TEST_CASE("point list: one of many owners comes and goes", "[ring][points]") {
    dice random(7);
    fresh_points<std::uint32_t> many;
    for (std::uint32_t owner = 0; owner < 300; ++owner) {
        many.runs.push_back({owner, 100});
    }
    for (std::size_t i = 0; i < 30'000; ++i) {
        many.positions.push_back(static_cast<std::uint32_t>(random.next()));
    }
    point_list<std::uint32_t, tie_rule::first> list(many);
    model<std::uint32_t, tie_rule::first> truth;
    truth.rewrite({}, many);
    check_same(list, truth);
    const point_list<std::uint32_t, tie_rule::first> start = list;

    std::vector<std::uint32_t> renamed(300);
    for (std::uint32_t i = 0; i < 300; ++i) {
        renamed[i] = i + (i >= 150 ? 1 : 0);
    }
    fresh_points<std::uint32_t> one{{}, {{150, 100}}};
    for (std::size_t i = 0; i < 100; ++i) {
        one.positions.push_back(static_cast<std::uint32_t>(random.next()));
    }
    list.rewrite(renamed, one);
    truth.rewrite(renamed, one);
    check_same(list, truth);

    std::vector<std::uint32_t> back(301);
    for (std::uint32_t i = 0; i < 301; ++i) {
        back[i] = i == 150 ? no_node : i - (i > 150 ? 1 : 0);
    }
    list.rewrite(back, {});
    CHECK(list == start);
}

TEST_CASE("point list: its index grows with it, however few points come at a time",
          "[ring][points]") {
    dice random(9);
    point_list<std::uint32_t, tie_rule::first> list;
    fresh_points<std::uint32_t> all;
    std::vector<std::uint32_t> same;
    for (std::uint32_t owner = 0; owner < 120; ++owner) {
        fresh_points<std::uint32_t> some{{}, {{owner, 100}}};
        for (std::size_t i = 0; i < 100; ++i) {
            some.positions.push_back(static_cast<std::uint32_t>(random.next()));
        }
        list.rewrite(same, some);
        same.push_back(owner);
        all.runs.push_back({owner, 100});
        all.positions.insert(all.positions.end(), some.positions.begin(), some.positions.end());
    }
    const point_list<std::uint32_t, tie_rule::first> anew(all);
    CHECK(list == anew);
    CHECK(list.bytes() >= anew.bytes());
}

TEST_CASE("point list: without memory for a change it stays as it is",
          "[ring][points][edge][small]") {
    dice random(3);
    fresh_points<std::uint64_t> some{{}, {{0, 500}, {1, 500}}};
    fresh_points<std::uint64_t> more{{}, {{1, 900}}};
    for (std::size_t i = 0; i < 1000; ++i) {
        some.positions.push_back(random.next());
    }
    for (std::size_t i = 0; i < 900; ++i) {
        more.positions.push_back(random.next());
    }
    const std::vector<std::uint32_t> renamed = {0, no_node};
    point_list<std::uint64_t, tie_rule::first> list(some);
    const auto start = list;
    std::size_t failures = 0;
    for (std::size_t allowed = 0;; ++allowed) {
        try {
            const allocation_limit limit(allowed);
            list.rewrite(renamed, more);
            break;
        } catch (const std::bad_alloc&) {
            ++failures;
            REQUIRE(list == start);
            REQUIRE(list.locate(start.position(700)) == 700);
        }
    }
    CHECK(failures >= 4);
    CHECK(list.size() == 1400);
}
