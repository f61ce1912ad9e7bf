// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/service/ejection.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace hashring;
using std::chrono::milliseconds;

namespace {

using time_point = node_health::time_point;

time_point at(std::int64_t ms) {
    return time_point(milliseconds(ms));
}

// All outcomes since the node was last ejected or taken back, in words of the rules.
struct model {
    bool is_ejected = false;
    std::vector<bool> outcomes;
    time_point ask_at{};

    static std::size_t last_equal(const std::vector<bool>& all, bool value) {
        std::size_t count = 0;
        while (count < all.size() && all[all.size() - 1 - count] == value) {
            ++count;
        }
        return count;
    }

    void see(bool answered, time_point now, const ejection_rules& rules) {
        outcomes.push_back(answered);
        if (!is_ejected && last_equal(outcomes, false) >= rules.failures) {
            *this = {true, {}, now + rules.first_pause};
        } else if (is_ejected && last_equal(outcomes, true) >= rules.successes) {
            *this = {};
        } else if (is_ejected && !answered) {
            std::size_t failed = 0;
            for (const bool o : outcomes) {
                failed += o ? 0U : 1U;
            }
            milliseconds pause = rules.first_pause * (std::int64_t{1} << failed);
            ask_at = now + std::min(pause, rules.longest_pause);
        }
    }
};

} // namespace

TEST_CASE("ejection: failures in a row eject, successes in a row take back",
          "[service][ejection][law]") {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U);
    CAPTURE(seed);
    dice random(seed);
    const ejection_rules rules{static_cast<std::uint32_t>(1 + random.below(4)),
                               static_cast<std::uint32_t>(1 + random.below(3)), milliseconds(10),
                               milliseconds(75), 50};
    node_health node;
    model expected;
    test::mismatches found;
    std::size_t ejections = 0;
    time_point now = at(1000);
    for (int step = 0; step < 3000; ++step) {
        now += milliseconds(random.below(30));
        found.compare(may_be_asked(node, now), !expected.is_ejected || now >= expected.ask_at,
                      step);
        const bool answered = random.below(2) == 0;
        if (!may_be_asked(node, now)) { // sent before
            const node_health before = node;
            found.expect(observe(node, answered, now, rules, true) == health_change::none, step);
            found.expect(node == before, step);
            continue;
        }
        const bool was = expected.is_ejected;
        expected.see(answered, now, rules);
        const health_change change = observe(node, answered, now, rules, true);
        found.compare(node.is_ejected, expected.is_ejected, step);
        found.expect(change == (was == expected.is_ejected ? health_change::none
                                : was                      ? health_change::taken_back
                                                           : health_change::ejected),
                     step);
        ejections += change == health_change::ejected ? 1U : 0U;
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(ejections > 20);
}

TEST_CASE("ejection: a node that flaps is not ejected at every outcome", "[service][ejection]") {
    const ejection_rules rules; // 3 failures, 2 successes
    node_health node;
    for (int i = 0; i < 100; ++i) {
        CHECK(observe(node, i % 3 == 0, at(i), rules, true) == health_change::none);
    }
    for (int i = 0; i < 2; ++i) {
        CHECK(observe(node, true, at(i), rules, true) == health_change::none);
    }
    CHECK(node == node_health());
}

TEST_CASE("ejection: answers to what was sent before the pause neither lengthen it nor end it",
          "[service][ejection]") {
    const ejection_rules rules; // 3 failures, 2 successes, 1 s
    node_health node;
    for (int i = 0; i < 3; ++i) {
        observe(node, false, at(0), rules, true);
    }
    const node_health ejected{true, 0, 0, at(1000)};
    REQUIRE(node == ejected);
    for (int i = 0; i < 6; ++i) {
        CHECK(observe(node, false, at(1), rules, true) == health_change::none);
        CHECK(observe(node, true, at(999), rules, true) == health_change::none);
        CHECK(observe(node, true, at(999), rules, true) == health_change::none);
        CHECK(node == ejected);
    }
    CHECK(observe(node, false, at(1000), rules, true) == health_change::none);
    CHECK(node == node_health{true, 0, 1, at(3000)});
    CHECK(observe(node, true, at(2999), rules, true) == health_change::none);
    CHECK(observe(node, true, at(3000), rules, true) == health_change::none);
    CHECK(observe(node, true, at(3000), rules, true) == health_change::taken_back);
}

TEST_CASE("ejection: pauses double up to the longest", "[service][ejection][golden]") {
    const ejection_rules rules;
    node_health node;
    for (int i = 0; i < 3; ++i) {
        observe(node, false, at(0), rules, true);
    }
    REQUIRE(node.is_ejected);
    std::vector<std::int64_t> pauses;
    std::int64_t now = 0;
    for (int i = 0; i < 9; ++i) {
        const auto next =
            std::chrono::duration_cast<milliseconds>(node.ask_at.time_since_epoch()).count();
        CHECK_FALSE(may_be_asked(node, at(next - 1)));
        CHECK(may_be_asked(node, at(next)));
        pauses.push_back(next - now);
        now = next;
        observe(node, false, at(now), rules, true);
    }
    CHECK(pauses ==
          std::vector<std::int64_t>{1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000});
    CHECK(observe(node, true, at(now + 60'000), rules, true) == health_change::none);
    CHECK(node.is_ejected);
    CHECK(observe(node, true, at(now + 60'001), rules, true) == health_change::taken_back);
    CHECK(node == node_health());
    CHECK(pause_of(rules, 0xffffffffU) == milliseconds(60'000));
    CHECK(pause_of({3, 2, milliseconds(5), milliseconds(2), 50}, 0) == milliseconds(2));
    CHECK(pause_of({3, 2, milliseconds(0), milliseconds(2), 50}, 0xffffffffU) == milliseconds(0));
    CHECK(pause_of({3, 2, milliseconds(3), milliseconds::max(), 50}, 0xffffffffU) ==
          milliseconds::max());
}

TEST_CASE("ejection: not more nodes than may be at a time", "[service][ejection][edge]") {
    ejection_rules rules;
    CHECK_FALSE(may_eject(rules, 0, 0));
    CHECK_FALSE(may_eject(rules, 0, 1)); // half of one
    CHECK(may_eject(rules, 0, 2));
    CHECK_FALSE(may_eject(rules, 1, 2));
    CHECK(may_eject(rules, 1, 4));
    CHECK_FALSE(may_eject(rules, 2, 5));
    rules.most_percent = 100;
    CHECK(may_eject(rules, 4, 5));
    CHECK_FALSE(may_eject(rules, 5, 5));
    rules.most_percent = 0;
    CHECK_FALSE(may_eject(rules, 0, 1000));
    node_health node;
    for (int i = 0; i < 10; ++i) { // it stays in use
        CHECK(observe(node, false, at(i), rules, false) == health_change::none);
    }
    CHECK_FALSE(node.is_ejected);
    CHECK(observe(node, true, at(10), rules, true) == health_change::none);
    CHECK(observe(node, false, at(11), rules, true) == health_change::none); // counted anew
    for (int i = 0; i < 5; ++i) {
        observe(node, false, at(12), rules, false);
    }
    CHECK(observe(node, false, at(13), rules, true) == health_change::ejected);
}

TEST_CASE("ejection: a pause that is longer than the clock can say ends never",
          "[service][ejection][edge]") {
    const milliseconds longest = milliseconds::max();
    const ejection_rules rules{1, 1, longest, longest, 100};
    for (const time_point now : {at(0), at(5), at(-5), time_point::min(), time_point::max()}) {
        node_health node;
        CHECK(observe(node, false, now, rules, true) == health_change::ejected);
        CHECK(node.ask_at == time_point::max());
        node.ask_at = now; // as if it were over
        observe(node, false, now, rules, true);
        CHECK(node.ask_at == time_point::max());
    }
    const auto second_last = time_point::max() - milliseconds(2);
    CHECK(end_of_pause(second_last, milliseconds(1)) == second_last + milliseconds(1));
    CHECK(end_of_pause(second_last, milliseconds(2)) == time_point::max());
    CHECK(end_of_pause(second_last, milliseconds(3)) == time_point::max());
    CHECK(
        (end_of_pause(time_point::min(), milliseconds(3)) == time_point::min() + milliseconds(3)));
}
