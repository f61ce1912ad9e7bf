// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/failing_calls.hpp"

#include <hashring/hashring.hpp>
#include <hashring/service/shared_ring.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace hashring;
using test::check_each_allocation_failing;

// Too long for the room that a std::string has in itself.
std::string name(std::string_view short_name) {
    return concat("a node whose name is on the heap: ", short_name);
}

// Node i has weight i mod `weights` + 1.
std::vector<node_spec> nodes(std::uint32_t count, std::uint32_t weights = 3) {
    std::vector<node_spec> result;
    for (std::uint32_t i = 0; i < count; ++i) {
        result.emplace_back(name(decimal(i)), weight{i % weights + 1},
                            concat("its address, ", name("x")));
    }
    return result;
}

// What builds from a list may take its strings over, so each call has a list of its own.
template <class Placed, class Change>
void check_change(const Placed& before, Change change, std::uint32_t weights = 3) {
    std::vector<node_spec> list = nodes(4, weights);
    list.emplace_back(name("new"));
    const auto failed = check_each_allocation_failing(
        [&] { return std::pair(before, list); }, [&](auto& p) { change(p.first, p.second); },
        [&](const auto& p) {
            return p.first == before && p.first.fingerprint() == before.fingerprint();
        });
    CHECK(failed > 0);
}

// Its copies fail after `left` of them, as do those of what owns a file or a socket.
struct counted_copy {
    static inline std::size_t left = 1000;
    static inline std::size_t alive = 0;

    int value = 0;

    explicit counted_copy(int number = 0) noexcept : value(number) { ++alive; }
    counted_copy(const counted_copy& other) : value(other.value) {
        if (left == 0) {
            throw std::runtime_error("no copy");
        }
        --left;
        ++alive;
    }
    counted_copy(counted_copy&& other) noexcept : value(other.value) { ++alive; }
    counted_copy& operator=(counted_copy&&) noexcept = default;
    counted_copy& operator=(const counted_copy& other) { return *this = counted_copy(other); }
    ~counted_copy() { --alive; }
};

// As above, for each copy of a payload. Returns how many `change` makes.
template <class Placed, class Change>
std::size_t check_each_copy_failing(const Placed& before, Change change) {
    test::mismatches found;
    for (std::size_t allowed = 0;; ++allowed) {
        bool failed = false;
        const std::size_t alive = counted_copy::alive;
        {
            counted_copy::left = 1000;
            Placed placed = before;
            counted_copy::left = allowed;
            try {
                change(placed);
            } catch (const std::runtime_error&) {
                failed = true;
            }
            counted_copy::left = 1000;
            found.expect(!failed || (placed == before && placed.payload(name("1"))->value == 1),
                         "changed, allowed", allowed);
        }
        found.compare(counted_copy::alive, alive, "alive, allowed", allowed);
        if (!failed) {
            CHECK_NO_MISMATCHES(found);
            return allowed;
        }
    }
}

struct weight_change {
    std::string name;
    hashring::weight weight;
};

} // namespace

// --- laws ---------------------------------------------------------------------------------------

TEMPLATE_TEST_CASE("out of memory: a ring is what it was, and nothing leaks", "[memory][law][ring]",
                   schemes::xxh3, schemes::ketama_group, schemes::bkdr_spaced, compat::jedis) {
    using ring_type = ring<TestType>;
    const ring_type before(nodes(3), TestType{});
    const std::vector<node_spec> two{{name("x")}, {name("y")}};
    check_change(before, [](ring_type& r, auto& list) { r.add(std::move(list.back())); });
    check_change(before, [](ring_type& r, auto& list) { r.add(list); });
    check_change(before, [](ring_type& r, auto&) { r.remove(name("1")); });
    check_change(before, [](ring_type& r, auto&) { r.set_weight(name("1"), weight{4}); });
    check_change(before, [](ring_type& r, auto& list) { r.assign(list); });
    check_change(before, [](ring_type& r, auto& list) { r = ring_type(list); });
    const std::vector<weight_change> plan{{name("0"), weight{5}}, {name("2"), weight{7}}};
    check_change(before, [&](ring_type& r, auto&) { r.apply(plan); });
}

TEST_CASE("out of memory: what is read off a ring throws bad_alloc alone",
          "[memory][law][ring][small]") {
    const ring<> before(nodes(3));
    const ring<> after(nodes(4));
    const std::string text = save(before);
    CHECK(check_each_allocation_failing([&] { return ring<>(nodes(3)); }) > 0);
    CHECK(check_each_allocation_failing([&] { return ring<>(before); }) > 0);
    CHECK(check_each_allocation_failing([&] { return before.changes_to(after); }) > 0);
    CHECK(check_each_allocation_failing([&] { return before.changes_to(after).transfers(); }) > 0);
    CHECK(check_each_allocation_failing([&] { return save(before); }) > 0);
    CHECK(check_each_allocation_failing([&] { return load<ring<>>(text); }) > 0);
    const std::vector<std::size_t> caps(3, 40);
    CHECK(check_each_allocation_failing([&] { return partition_owners(before, 100, caps); }) > 0);
    CHECK(check_each_allocation_failing([&] {
              return domain_ladder(before, 1, [](auto node, std::size_t) { return node.name(); });
          }) > 0);
}

TEMPLATE_TEST_CASE("out of memory: a table is what it was, and nothing leaks",
                   "[memory][law][table]", table<schemes::maglev>, table<schemes::jump>,
                   table<schemes::rendezvous>, anchor_table<>) {
    const TestType before(nodes(3, 1));
    const std::string text = save(before);
    check_change(before, [](TestType& t, auto& list) { t.add(std::move(list.back())); }, 1);
    check_change(before, [](TestType& t, auto& list) { t.add(list); }, 1);
    check_change(before, [](TestType& t, auto&) { t.remove(name("2")); }, 1);
    check_change(before, [](TestType& t, auto& list) { t.assign(list); }, 1);
    if constexpr (requires(TestType& t, node_spec by) { t.replace("", by); }) {
        check_change(before, [](TestType& t, auto& list) { t.replace(name("1"), list.back()); }, 1);
    }
    CHECK(check_each_allocation_failing([&] { return save(before); }) > 0);
    CHECK(check_each_allocation_failing([&] { return load<TestType>(text); }) > 0);
}

TEST_CASE("out of memory: an exact ring is what it was, and nothing leaks",
          "[memory][law][exact][small]") {
    const exact_ring<> before(nodes(3));
    const exact_ring<> after(nodes(4));
    const std::string text = before.save();
    const uint128 amount(1'000'000);
    check_change(before, [](auto& r, auto& list) { r.join(std::move(list.back())); });
    check_change(before, [](auto& r, auto&) { r.leave(name("1")); });
    check_change(before, [](auto& r, auto&) { r.resize(name("1"), weight{7}); });
    check_change(before, [&](auto& r, auto&) { r.transfer(name("0"), name("1"), amount); });
    CHECK(check_each_allocation_failing([&] { return exact_ring<>(nodes(3)); }) > 0);
    CHECK(check_each_allocation_failing([&] { return exact_ring<>(ring<>(nodes(2))); }) > 0);
    CHECK(check_each_allocation_failing([&] { return before.changes_to(after); }) > 0);
    CHECK(check_each_allocation_failing([&] { return before.save(); }) > 0);
    CHECK(check_each_allocation_failing([&] { return exact_ring<>::load(text); }) > 0);
}

TEST_CASE("out of memory: plans are made or not", "[memory][law][plan][small]") {
    std::vector<node_stats> stats;
    for (const std::uint64_t used : {100U, 500U, 900U}) {
        stats.push_back(node_stats::with_free(name(decimal(used)), 1000, 1000 - used, 160));
    }
    const thresholds settings;
    CHECK(check_each_allocation_failing([&] { return plan_weights(stats, settings); }) > 0);
    CHECK(check_each_allocation_failing([&] { return plan_transfers(stats, settings); }) > 0);
    const auto plan = plan_transfers(stats, settings);
    REQUIRE(!plan.empty());
    const std::vector<std::string> names{name("100"), name("500"), name("900")};
    const exact_ring<> before(names);
    const auto held = [](std::string_view) {
        return std::uint64_t{1000};
    };
    check_change(before, [&](exact_ring<>& r, auto&) { r.apply(plan, held); });
}

TEST_CASE("out of memory: pins, marks, loads and transitions are what they were",
          "[memory][law][small]") {
    const ring<> before(nodes(3));
    const ring<> after(nodes(4));

    pins pinned;
    pinned.pin(name("key 1"), name("1"));
    const auto pin = [](pins& p) {
        p.pin(name("key 2"), name("2"));
    };
    const auto pin_again = [](pins& p) {
        p.pin(name("key 1"), name("a longer name that does not fit in place of the first"));
    };
    CHECK(check_each_allocation_failing(pinned, pin) > 0);
    CHECK(check_each_allocation_failing(pinned, pin_again) > 0);
    const std::string pins_text = pinned.save();
    CHECK(check_each_allocation_failing([&] { return pinned.save(); }) > 0);
    CHECK(check_each_allocation_failing([&] { return pins::load(pins_text); }) > 0);

    node_marks marks(3);
    marks.mark_down(1);
    CHECK(check_each_allocation_failing([&] { return marks.carried_over(before, after); }) > 0);

    transition<ring<>> going(before, after);
    going.mark_done(0);
    going.mark_done(2);
    const std::string done = going.save();
    CHECK(check_each_allocation_failing([&] { return transition<ring<>>(before, after); }) > 0);
    CHECK(check_each_allocation_failing([&] { return going.save(); }) > 0);
    const auto resumed = check_each_allocation_failing(
        [&] { return transition<ring<>>(before, after); }, [&](auto& t) { t.resume(done); },
        [](const auto& t) { return t.done_count() == 0; });
    CHECK(resumed > 0);
}

TEST_CASE("out of memory: a live load follows a ring or not", "[memory][law][load][small]") {
    const ring<> before(nodes(3));
    ring<> after(nodes(5));
    after.remove(name("0")); // so that the others stand elsewhere
    const node_marks up(3);
    const auto loaded = [&] {
        live_load load(before);
        for (std::uint32_t i = 0; i < 30; ++i) {
            (void)load.acquire(before, before.position(i), up);
        }
        return load;
    };
    const auto failed = check_each_allocation_failing(
        loaded, [&](live_load& load) { load.follow(after); },
        [&](live_load& load) {
            // Taken as it would have been: neither the nodes nor what is in flight have changed.
            live_load other = loaded();
            std::size_t same = 0;
            for (std::uint32_t i = 0; i < 30; ++i) {
                const auto at = before.position(i + 1000);
                same += load.acquire(before, at, up).node() == other.acquire(before, at, up).node();
            }
            return same == 30;
        });
    CHECK(failed > 0);
}

TEST_CASE("out of memory: a record is appended whole or not at all",
          "[memory][law][record][small]") {
    const std::string payload(100, 'v');
    group::record_view record;
    record.payload = payload;
    CHECK(check_each_allocation_failing([&] { return group::encode(record); }) > 0);
    const std::string stream("what stands there");
    CHECK(check_each_allocation_failing(
              stream, [&](std::string& out) { group::append_record(out, record); }) > 0);
}

TEST_CASE("out of memory: a group is made or not", "[memory][law][group][small]") {
    const std::vector<group::copy> copies{{name("a"), group::role::master}, {name("b")}};
    CHECK(check_each_allocation_failing([&] { return group::members(copies); }) > 0);
}

TEST_CASE("out of memory: nothing is published by a shared ring", "[memory][law][shared_ring]") {
    const auto made = [] {
        return std::make_unique<shared_ring<>>(ring<>(nodes(3)));
    };
    const auto same = [first = ring<>(nodes(3))](const auto& shared) {
        return shared->version() == 1 && shared->newest()->ring == first;
    };
    CHECK(check_each_allocation_failing([] { return shared_ring<>(ring<>(nodes(2))).version(); }) >
          0);
    CHECK(check_each_allocation_failing(
              made, [](auto& shared) { shared->publish(ring<>(nodes(2))); }, same) > 0);
    CHECK(check_each_allocation_failing(
              made, [](auto& shared) { shared->update([](ring<>& r) { r.remove(name("1")); }); },
              same) > 0);
}

TEMPLATE_TEST_CASE("a payload that cannot be copied: who is placed is what it was",
                   "[memory][law][payload][small]", (ring<schemes::xxh3, counted_copy>),
                   (table<schemes::rendezvous, counted_copy>)) {
    TestType before;
    for (int i = 0; i < 3; ++i) {
        before.add(name(decimal(i)), counted_copy(i));
    }
    const counted_copy given(7);
    CHECK(check_each_copy_failing(before, [](TestType& p) { const TestType copy = p; }) == 3);
    CHECK(check_each_copy_failing(before, [](TestType& p) {
              TestType copy;
              copy = p;
          }) == 3);
    CHECK(check_each_copy_failing(before, [&](TestType& p) { p.add(name("x"), given); }) == 1);
    CHECK(check_each_copy_failing(before, [&](TestType& p) {
              p.assign(nodes(5, 1), [&](const node_spec&) { return given; });
          }) == 2);
    CHECK(check_each_copy_failing(before, [](TestType& p) { p.remove(name("1")); }) == 0);
}

namespace user {

struct throwing_hash {
    using result_type = std::uint64_t;
    static constexpr std::string_view name = "throwing";
    static constexpr bool avalanches = true;

    result_type operator()(std::string_view bytes) const { return bytes.size(); }
    friend constexpr bool operator==(const throwing_hash&, const throwing_hash&) = default;
};

struct quiet_hash : throwing_hash {
    result_type operator()(std::string_view bytes) const noexcept { return bytes.size(); }
    friend constexpr bool operator==(const quiet_hash&, const quiet_hash&) = default;
};

} // namespace user

TEST_CASE("hash: one that may throw is none", "[hash][error]") {
    STATIC_REQUIRE(hash_function<user::quiet_hash>);
    STATIC_REQUIRE_FALSE(hash_function<user::throwing_hash>);
}
