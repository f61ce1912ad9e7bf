// SPDX-License-Identifier: MIT
#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace hashring;

namespace {

// Counts by name, and the bound as it is written: the ceiling of c · total · weight / weights.
struct model {
    std::map<std::string, std::uint64_t> in_flight;
    double c = 1.25;

    std::string take(const ring<>& r, std::uint64_t at, const node_marks& marks) {
        double total = 1;
        double weights = 0;
        for (std::uint32_t i = 0; i < r.size(); ++i) {
            if (marks.is_up(i)) {
                total += static_cast<double>(in_flight[std::string(r.node(i).name())]);
                weights += static_cast<double>(r.node(i).weight().thousandths());
            }
        }
        for (auto walk = r.walk_at(at); walk.current() != no_node; walk.advance()) {
            const auto node = r.node(walk.current());
            const std::string name(node.name());
            const double part = static_cast<double>(node.weight().thousandths()) / weights;
            const double most = std::ceil(c * total * part - 1e-9);
            if (marks.is_up(walk.current()) && static_cast<double>(in_flight[name]) < most) {
                ++in_flight[name];
                return name;
            }
        }
        return "nobody";
    }
};

std::string name_of(const ring<>& r, const live_load::ticket& t) {
    return t.node() == no_node ? "nobody" : std::string(r.node(t.node()).name());
}

} // namespace

TEST_CASE("live_load: a request goes to the first node that has room", "[ring][load][law]") {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U);
    CAPTURE(seed);
    dice random(seed);
    ring<> r;
    for (const std::string& name : node_names(6, seed)) {
        r.add(node_spec(name, weight{1 + random.below(3)}));
    }
    const auto pool = node_names(6, seed);
    node_marks marks(r.size());
    live_load load(r);
    model expected;
    std::vector<std::pair<live_load::ticket, std::string>> held;
    test::mismatches found;
    for (int step = 0; step < 1500; ++step) {
        switch (random.below(10)) {
        case 0: { // a node leaves or comes back, with what it has in flight
            const ring<> before = r;
            const std::string& name = random.pick(pool);
            r.contains(name) ? r.remove(name) : r.add(node_spec(name, weight{2}));
            marks = marks.carried_over(before, r);
            load.follow(r);
            break;
        }
        case 1:
            if (!r.empty()) {
                const auto i = static_cast<std::uint32_t>(random.below(r.size()));
                marks.is_up(i) ? marks.mark_down(i) : marks.mark_up(i);
            }
            break;
        case 2:
        case 3:
        case 4:
            if (!held.empty()) {
                const std::size_t i = random.below(held.size());
                load.release(std::move(held[i].first));
                --expected.in_flight[held[i].second];
                held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
            }
            break;
        default: {
            const std::uint64_t at = random.next();
            const std::string wanted = expected.take(r, at, marks);
            live_load::ticket t = load.acquire(r, at, marks);
            found.compare(name_of(r, t), wanted, step);
            if (t.node() != no_node) {
                held.emplace_back(std::move(t), wanted);
            }
            break;
        }
        }
        for (std::uint32_t i = 0; i < r.size(); ++i) {
            found.compare(load.in_flight(i), expected.in_flight[std::string(r.node(i).name())],
                          step);
        }
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(held.size() > 50);
}

TEST_CASE("live_load: while somebody is up somebody has room, and nobody is over the bound",
          "[ring][load][law]") {
    const std::uint32_t percent = GENERATE(101U, 125U, 200U);
    const ring<> r(node_names(5, 1));
    const node_marks marks(5);
    live_load load(r, percent);
    std::size_t nobody = 0;
    std::size_t over = 0;
    const auto hot = r.position("one key");
    for (std::uint64_t total = 1; total <= 1000; ++total) {
        const live_load::ticket t = load.acquire(r, hot, marks);
        nobody += t.node() == no_node ? 1U : 0U;
        const std::uint64_t most = (percent * total + 499) / 500;
        over += t.node() != no_node && load.in_flight(t.node()) > most ? 1U : 0U;
    }
    CHECK(nobody == 0);
    CHECK(over == 0);
    CHECK(load.in_flight(r.owner_index_at(hot)) == (percent * 1000 + 499) / 500); // it is full
}

TEST_CASE("live_load: nobody there, nobody up, nothing that it weighs", "[ring][load][edge]") {
    live_load none(ring<>{});
    CHECK(none.acquire(ring<>(), 5, node_marks()).node() == no_node);
    none.release({}); // does nothing
    const ring<> r{"a", "b"};
    live_load load(r);
    node_marks down(2);
    down.mark_down(0);
    down.mark_down(1);
    CHECK(load.acquire(r, 5, down).node() == no_node);
    CHECK(load.in_flight(0) == 0);
    ring<> weightless{"a"};
    weightless.add("w", weight{0});
    live_load light(weightless);
    for (int i = 0; i < 10; ++i) {
        CHECK(light.acquire(weightless, 5, node_marks(2)).node() == 0);
    }
    node_spec by_hand("h", weight{0});
    by_hand.vnodes = 3;
    ring<> counted;
    counted.add(by_hand);
    live_load alone(counted);
    CHECK(alone.acquire(counted, 5, node_marks(1)).node() == 0);
}

TEST_CASE("live_load: the largest and the least weights under the widest bound keep to it",
          "[ring][load][edge]") {
    node_spec least("least", weight(0.001));
    least.vnodes = 1;
    node_spec most("most", weight{1'000'000});
    most.vnodes = 1;
    ring<> r;
    r.add(least);
    r.add(most);
    const std::uint32_t light = r.index_of("least");
    const auto on_least = r.point_position(r.point_owner(0) == light ? 0 : 1);
    for (const std::uint32_t percent : {101U, 0xffffffffU}) {
        live_load load(r, percent);
        test::mismatches found;
        for (std::uint64_t total = 1; total <= 1000; ++total) {
            // of `percent` · `total` / 100 one part in 10^9 + 1
            const bool has_room = load.in_flight(light) * 100 * 1'000'000'001 < percent * total;
            const live_load::ticket t = load.acquire(r, on_least, node_marks(2));
            found.compare(t.node() == light, has_room, percent, total);
        }
        CHECK_NO_MISMATCHES(found);
        CHECK(load.in_flight(light) == (percent == 101 ? 1 : 43));
    }
}

TEST_CASE("live_load: a request of a node that left is given back to its name", "[ring][load]") {
    ring<> r{"a", "b"};
    live_load load(r);
    const auto on_a = [&] {
        std::uint64_t key = 0;
        while (*r.owner(key) != "a") {
            ++key;
        }
        return r.position(key);
    }();
    live_load::ticket t = load.acquire(r, on_a, node_marks(2));
    REQUIRE(name_of(r, t) == "a");
    r.remove("a");
    load.follow(r);
    CHECK(load.in_flight(0) == 0); // b's
    r.add("a");
    load.follow(r);
    CHECK(load.in_flight(r.index_of("a")) == 1);
    load.release(std::move(t));
    CHECK(load.in_flight(r.index_of("a")) == 0);
}

TEST_CASE("live_load: a request is given back once, whoever had its ticket", "[ring][load][edge]") {
    STATIC_REQUIRE(!std::is_copy_constructible_v<live_load::ticket>);
    STATIC_REQUIRE(!std::is_copy_assignable_v<live_load::ticket>);
    STATIC_REQUIRE(std::is_nothrow_move_constructible_v<live_load::ticket>);
    const ring<> r{"a"};
    const node_marks up(1);
    live_load load(r);
    live_load::ticket first = load.acquire(r, 5, up);
    live_load::ticket second = load.acquire(r, 5, up);
    CHECK(load.in_flight(0) == 2);
    live_load::ticket moved = std::move(first);
    CHECK(first.node() == no_node); // empty
    CHECK(moved.node() == 0);
    load.release(std::move(first));
    CHECK(load.in_flight(0) == 2);
    load.release(std::move(moved));
    CHECK(load.in_flight(0) == 1);
    CHECK(moved.node() == no_node);
    load.release(std::move(moved));
    CHECK(load.in_flight(0) == 1);
    first = std::move(second);
    CHECK(second.node() == no_node);
    load.release(std::move(second));
    CHECK(load.in_flight(0) == 1);
    load.release(std::move(first));
    CHECK(load.in_flight(0) == 0);
}

TEST_CASE("live_load: of a node that it does not know nothing is in flight, nor given back",
          "[ring][load][edge]") {
    const ring<> two{"a", "b"};
    live_load of_two(two);
    node_marks only_b(2);
    only_b.mark_down(0);
    live_load::ticket last = of_two.acquire(two, 5, only_b);
    REQUIRE(last.node() == 1);
    live_load none(ring<>{});
    none.release(std::move(last)); // it is not its own
    CHECK(none.in_flight(0) == 0);
    CHECK(none.in_flight(no_node) == 0);
    CHECK(of_two.in_flight(2) == 0);
    CHECK(of_two.in_flight(no_node) == 0);
}

TEST_CASE("live_load: names that left are forgotten, but not while a ticket is out for them",
          "[ring][load][edge]") {
    ring<> r{"kept", "pod"};
    live_load load(r);
    node_marks no_pod(2);
    no_pod.mark_down(r.index_of("pod"));
    node_marks no_kept(2);
    no_kept.mark_down(r.index_of("kept"));
    live_load::ticket of_kept = load.acquire(r, 5, no_pod);
    live_load::ticket of_pod = load.acquire(r, 5, no_kept);
    test::mismatches found;
    for (int i = 0; i < 300; ++i) {
        r.assign({"kept", concat("pod-", decimal(static_cast<std::uint32_t>(i)))});
        load.follow(r);
        found.compare(load.in_flight(r.index_of("kept")), 1U, i);
        found.compare(load.in_flight(1 - r.index_of("kept")), 0U, i); // none of another's
        live_load::ticket t = load.acquire(r, 5, no_kept);
        found.compare(load.in_flight(1), 1U, i);
        load.release(std::move(t));
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(allocations_of([&] { const live_load copy(load); }).count <= 10);
    r.assign({"kept", "pod"});
    load.follow(r);
    CHECK(load.in_flight(r.index_of("pod")) == 1);
    load.release(std::move(of_pod));
    load.release(std::move(of_kept));
    CHECK(load.in_flight(0) == 0);
    CHECK(load.in_flight(1) == 0);
}

TEST_CASE("live_load: where memory runs out nothing is followed", "[ring][load][edge]") {
    const ring<> before{"b", "d"};
    const ring<> after{"b", "c", "d", "e"};
    const ring<> later{"a", "c", "e"};
    std::size_t allowed = 0;
    for (bool is_done = false; !is_done; allowed += is_done ? 0U : 1U) {
        CAPTURE(allowed);
        live_load load(before);
        live_load::ticket t = load.acquire(before, before.position("key"), node_marks(2));
        const std::uint32_t taken = t.node();
        try {
            const allocation_limit limit(allowed);
            load.follow(after);
            is_done = true;
        } catch (const std::bad_alloc&) {
            CHECK(load.in_flight(taken) == 1); // the nodes of before
            CHECK(load.in_flight(1 - taken) == 0);
            CHECK(load.in_flight(2) == 0);
        }
        load.follow(later);
        for (std::uint32_t i = 0; i < 3; ++i) { // each has a count of its own
            CHECK(load.in_flight(i) == 0);
            node_marks others_down(3);
            others_down.mark_down((i + 1) % 3);
            others_down.mark_down((i + 2) % 3);
            load.release(load.acquire(later, 5, others_down));
            CHECK(load.acquire(later, 5, others_down).node() == i); // and never released
            CHECK(load.in_flight(i) == 1);
        }
        load.release(std::move(t));
        load.follow(before);
        CHECK(load.in_flight(0) == 0);
        CHECK(load.in_flight(1) == 0);
    }
    CHECK(allowed > 5);
}

TEST_CASE("live_load: a node that it was not told of takes nothing", "[ring][load][edge]") {
    ring<> r{"a"};
    live_load load(r);
    r.add("b");
    const auto on_b = [&] {
        std::uint64_t key = 0;
        while (*r.owner(key) != "b") {
            ++key;
        }
        return r.position(key);
    }();
    CHECK(name_of(r, load.acquire(r, on_b, node_marks(2))) == "a");
    load.follow(r);
    CHECK(name_of(r, load.acquire(r, on_b, node_marks(1))) == "a"); // of b nobody knows if it is up
    CHECK(name_of(r, load.acquire(r, on_b, node_marks(2))) == "b");
    CHECK(load.acquire(r, on_b, node_marks()).node() == no_node);
    CHECK(load.in_flight(r.index_of("a")) == 2);
    CHECK(load.in_flight(r.index_of("b")) == 1);
}

TEST_CASE("live_load: a bound that nobody can keep is refused", "[ring][load][error]") {
    const ring<> r{"a"};
    CHECK_THROWS_AS(live_load(r, 100), invalid_option);
    CHECK_THROWS_AS(live_load(r, 0), invalid_option);
}
