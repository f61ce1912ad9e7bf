// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/scripted_check.hpp"

#include <hashring/service/self_check.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// The self-check with a clock that goes by hand and functions that follow a script. Between two
// sleeps the script may be changed: see manual_clock.

using namespace rebalancing;
using namespace std::chrono_literals;
using hashring::test::scripted_check;

TEST_CASE("self-check: a round comes every 30 seconds and applies its plan",
          "[self_check][golden][small]") {
    scripted_check s;
    CHECK_FALSE(s.check.is_running());
    CHECK(s.check.start());
    CHECK(s.check.is_running());
    CHECK(s.clock->wait_for_sleep() == 30s);
    CHECK(s.sources == 0);
    s.clock->pass(30s - 1ns);
    CHECK(s.sources == 0);
    s.clock->pass(1ns);
    CHECK(s.outcomes() == "applied ");
    CHECK(s.applied == std::vector<std::string>{"b:100>92 "});
    CHECK(s.reports[0].number == 1);
    CHECK(s.reports[0].plan == rebalance(s.stats));
    CHECK(s.check.state() == rebalance(s.stats).state);
    CHECK(s.clock->wait_for_sleep() == 30s);
    s.stats[1].used = 500;
    s.clock->pass(30s);
    CHECK(s.outcomes() == "applied nothing_to_do ");
    CHECK(s.applied.size() == 1);
    CHECK(s.reports[1].number == 2);
    CHECK(s.reports[1].asked - s.reports[0].asked == 30s);
}

TEST_CASE("self-check: the first round can be at once", "[self_check][golden]") {
    self_check_settings settings;
    settings.period = 10s;
    settings.first = 0s;
    scripted_check s(settings);
    s.check.start();
    CHECK(s.clock->wait_for_sleep() == 10s);
    CHECK(s.outcomes() == "applied ");
}

TEST_CASE("self-check: rounds that come due while one runs are left out", "[self_check][law]") {
    self_check_settings settings;
    settings.period = 10s;
    settings.source_limit = 100s;
    settings.max_age = 100s;
    scripted_check s(settings);
    s.on_source = [&](const round_watch&) {
        s.clock->advance(35s);
    };
    s.check.start();
    s.clock->pass(10s);
    CHECK(s.sources == 1);
    CHECK(s.reports[0].source_took == 35s);
    CHECK(s.clock->wait_for_sleep() == 5s); // at 50, the beat is kept
    s.on_source = [&](const round_watch&) {
        s.clock->advance(10s);
    };
    s.clock->pass(5s);
    CHECK(s.sources == 2);
    CHECK(s.clock->wait_for_sleep() == 10s); // the one that was due at its end is left out, too
}

TEST_CASE("self-check: skipped rounds leave no trace in the state", "[self_check][law]") {
    constexpr std::uint64_t seed = 20240229;
    CAPTURE(seed);
    dice random(seed);
    thresholds rule = limit("5%");
    rule.smoothing = fraction64::ratio(1, 3);
    rule.cooldown = 1;
    scripted_check s({}, weights_rule{rule});
    rebalance_state model;
    std::uint64_t done = 0;
    s.check.start();
    for (int round = 0; round < 200; ++round) {
        for (node_stats& n : s.stats) {
            n.used = 300 + random.below(400);
        }
        const std::uint64_t fate = random.below(8);
        s.on_source = [&, fate](const round_watch&) {
            if (fate == 0) {
                throw std::runtime_error("failed");
            }
            s.clock->advance(fate == 1 ? 31s : 0s);
            if (fate == 2) {
                s.check.note_change();
            }
        };
        s.on_apply = [fate](const round_watch&) -> bool {
            if (fate == 3) {
                throw std::runtime_error("failed");
            }
            return fate != 4;
        };
        const weights_plan plan = rebalance(s.stats, rule, model);
        if (fate > 4 || (fate > 2 && plan.empty())) {
            model = plan.state;
            ++done;
        }
        s.clock->pass(s.clock->wait_for_sleep());
        REQUIRE(s.check.state() == model);
        REQUIRE(is_done(s.reports.back().outcome) == (fate > 4 || (fate > 2 && plan.empty())));
    }
    CHECK(done > 50);
    CHECK(s.reports.size() == 200);
}

TEST_CASE("self-check: an exception of any function costs its round only",
          "[self_check][error][small]") {
    scripted_check s;
    s.check.start();
    const auto broken = [](const round_watch&) {
        throw std::runtime_error("broken");
    };
    SECTION("the source") {
        s.on_source = broken;
        s.clock->pass(30s);
        CHECK(s.reports[0].text() == "skipped: the source of the statistics failed: broken");
        CHECK_FALSE(s.reports[0].plan.has_value());
    }
    SECTION("the source, with something odd") {
        s.on_source = [](const round_watch&) {
            throw 1;
        };
        s.clock->pass(30s);
        CHECK(s.reports[0].text() == "skipped: the source of the statistics failed: "
                                     "an exception of no standard type");
    }
    SECTION("the rule") {
        s.on_rule = [] {
            throw std::runtime_error("broken");
        };
        s.clock->pass(30s);
        CHECK(s.reports[0].text() == "skipped: no plan could be made: broken");
    }
    SECTION("the apply function") {
        s.on_apply = [](const round_watch&) -> bool {
            throw std::runtime_error("broken");
        };
        s.clock->pass(30s);
        CHECK(s.reports[0].text() == "skipped: the plan could not be applied: broken");
        CHECK(s.reports[0].plan == rebalance(s.stats));
    }
    SECTION("an apply function that declines") {
        s.on_apply = [](const round_watch&) {
            return false;
        };
        s.clock->pass(30s);
        CHECK(s.reports[0].text() == "skipped: the plan was declined");
    }
    SECTION("the report") {
        s.on_report = [] {
            throw std::runtime_error("broken");
        };
        s.clock->pass(30s);
        CHECK(s.outcomes() == "applied "); // the round was done all the same
        CHECK(s.check.state() == rebalance(s.stats).state);
        s.on_report = nullptr;
        s.clock->pass(30s);
        CHECK(s.outcomes() == "applied applied ");
        return;
    }
    CHECK(s.check.state() == rebalance_state{});
    CHECK(s.applied.empty());
    s.on_source = nullptr;
    s.on_rule = nullptr;
    s.on_apply = nullptr;
    s.clock->pass(30s);
    CHECK(s.reports[1].outcome == round_outcome::applied);
    CHECK(s.check.state() == rebalance(s.stats).state);
}

TEST_CASE("self-check: a slow source skips its round", "[self_check][edge][small]") {
    self_check_settings settings;
    settings.source_limit = 2s;
    scripted_check s(settings);
    s.check.start();
    s.on_source = [&](const round_watch&) {
        s.clock->advance(2s + 1ns);
    };
    s.clock->pass(30s);
    s.on_source = [&](const round_watch&) {
        s.clock->advance(2s);
    };
    s.clock->pass(s.clock->wait_for_sleep());
    CHECK(s.outcomes() == "source_slow applied ");
    CHECK(s.reports[0].source_took == 2s + 1ns);
}

TEST_CASE("self-check: a plan that took too long to make is not applied", "[self_check][edge]") {
    scripted_check s;
    s.check.start();
    s.on_rule = [&] {
        s.clock->advance(30s + 1ns);
    };
    s.clock->pass(30s);
    CHECK(s.outcomes() == "plan_stale ");
    CHECK(s.reports[0].plan.has_value());
    CHECK(s.check.state() == rebalance_state{});
    s.on_rule = [&] {
        s.clock->advance(30s);
    };
    s.clock->pass(s.clock->wait_for_sleep());
    CHECK(s.outcomes() == "plan_stale applied ");
}

TEST_CASE("self-check: nodes are missed until a change is noted", "[self_check][edge]") {
    scripted_check s;
    s.check.start();
    s.clock->pass(30s);
    const node_stats gone = s.stats.back();
    s.stats.pop_back();
    s.clock->pass(30s);
    s.clock->pass(30s);
    CHECK(s.outcomes() == "applied source_partial source_partial ");
    CHECK(s.reports[2].detail == "none of node 'c'");
    s.check.note_change();
    s.clock->pass(30s);
    CHECK(s.reports[3].outcome == round_outcome::applied);
    s.stats.erase(s.stats.begin()); // the change is noted once, not for ever
    s.clock->pass(30s);
    CHECK(s.reports[4].text() == "skipped: the statistics are not whole: none of node 'a'");
}

TEST_CASE("self-check: a plan older than a change is dropped", "[self_check][edge]") {
    scripted_check s;
    s.check.start();
    SECTION("a change while the source runs") {
        s.on_source = [&](const round_watch& watch) {
            s.seen.push_back(watch.is_superseded());
            s.check.note_change();
            s.seen.push_back(watch.is_superseded());
            s.seen.push_back(watch.is_current());
            s.seen.push_back(watch.stop_requested());
        };
        s.clock->pass(30s);
        CHECK(s.seen == std::vector<bool>{false, true, false, false});
    }
    SECTION("a change while the plan is made") {
        s.on_rule = [&] {
            s.check.note_change();
        };
        s.clock->pass(30s);
    }
    CHECK(s.outcomes() == "superseded ");
    CHECK(s.applied.empty());
    CHECK(s.check.state() == rebalance_state{});
    s.on_source = nullptr;
    s.on_rule = nullptr;
    s.clock->pass(30s);
    CHECK(s.outcomes() == "superseded applied ");
}

TEST_CASE("self-check: a plan without changes that is superseded does not count either",
          "[self_check][edge]") {
    scripted_check s;
    s.stats[1].used = 500;
    s.on_source = [&](const round_watch&) {
        s.check.note_change();
    };
    s.check.start();
    s.clock->pass(30s);
    CHECK(s.outcomes() == "superseded ");
    CHECK(s.check.state() == rebalance_state{});
}

TEST_CASE("self-check: an apply function sees a change that came before it", "[self_check][edge]") {
    scripted_check s;
    s.on_apply = [&](const round_watch& watch) {
        s.check.note_change(); // as somebody would who has the lock of the ring first
        return watch.is_current();
    };
    s.check.start();
    s.clock->pass(30s);
    CHECK(s.outcomes() == "apply_declined ");
    s.on_apply = [&](const round_watch& watch) {
        const bool is_current = watch.is_current();
        s.check.note_change(); // as the function itself may, by what it calls
        return is_current;
    };
    s.clock->pass(30s);
    CHECK(s.outcomes() == "apply_declined applied ");
    CHECK_FALSE(s.check.state() == rebalance_state{});
    s.stats.pop_back(); // the change that came after the statistics
    s.clock->pass(30s);
    CHECK(s.reports[2].outcome == round_outcome::applied);
}

TEST_CASE("self-check: statistics that are no newer are not used again", "[self_check][edge]") {
    self_check_settings settings;
    settings.max_age = 100s;
    scripted_check s(settings);
    s.measured = s.clock->now();
    s.check.start();
    s.clock->pass(30s);
    s.clock->pass(30s);
    CHECK(s.outcomes() == "applied stats_stale ");
    s.measured = s.clock->now();
    s.clock->pass(30s);
    CHECK(s.reports[2].outcome == round_outcome::applied);
}

TEST_CASE("self-check: other plans and rules", "[self_check][edge]") {
    const auto clock = std::make_shared<hashring::test::manual_clock>();
    const nodes stats{node("a", 500), node("b", 600), node("c", 500)};
    std::vector<transfer_plan> sent;
    self_check<transfer_plan> transfers({.source = [&] { return stats; },
                                         .apply =
                                             [&](const auto& plan) {
                                                 sent.push_back(plan);
                                             }},
                                        {}, {2}, clock);
    transfers.start();
    clock->pass(30s);
    clock->pass(30s);
    CHECK(sent.empty()); // the state that was handed in is a cooldown of two rounds
    clock->pass(30s);
    REQUIRE(sent.size() == 1);
    CHECK(sent[0].transfers == plan_transfers(stats, {}).transfers);

    struct count_plan {
        int state = 0;
        [[nodiscard]] bool empty() const noexcept { return state > 2; }
    };
    const auto other_clock = std::make_shared<hashring::test::manual_clock>();
    int applied = 0;
    self_check<count_plan> counting({.source = [&] { return collected_stats(stats); },
                                     .apply = [&](const count_plan&) { ++applied; },
                                     .rule =
                                         [](auto, int state) {
                                             return count_plan{state + 1};
                                         }},
                                    {}, {}, other_clock);
    counting.start();
    for (int i = 0; i < 4; ++i) {
        other_clock->pass(30s);
    }
    CHECK(applied == 2);
    CHECK(counting.state() == 4);
}

TEST_CASE("self-check: the functions that it needs have to be there", "[self_check][error]") {
    using check = self_check<>;
    const auto make = [](bool source, bool apply, bool rule, check_duration period) {
        check::functions calls;
        if (source) {
            calls.source = [] {
                return nodes{};
            };
        }
        if (apply) {
            calls.apply = [](const weights_plan&) {
            };
        }
        if (!rule) {
            calls.rule = nullptr;
        }
        self_check_settings settings;
        settings.period = period;
        check(std::move(calls), settings).stop();
    };
    CHECK_THROWS_AS(make(false, true, true, 1s), invalid_option);
    CHECK_THROWS_AS(make(true, false, true, 1s), invalid_option);
    CHECK_THROWS_AS(make(true, true, false, 1s), invalid_option);
    CHECK_THROWS_AS(make(true, true, true, 0s), invalid_option);
    make(true, true, true, 1s);
}
