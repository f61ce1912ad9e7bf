// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/scripted_check.hpp"

#include <hashring/service/self_check.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

// Starting, stopping and racing. No test waits for real time to pass; where one is measured, the
// bound is far from what it takes and far from the period.

using namespace rebalancing;
using namespace std::chrono_literals;
using hashring::test::scripted_check;

namespace {

using steady = std::chrono::steady_clock;

nodes uneven() {
    return {node("a", 500), node("b", 600), node("c", 500)};
}

self_check_settings at_once(check_duration period) {
    self_check_settings settings;
    settings.period = period;
    settings.first = 0s;
    settings.source_limit = 1h;
    settings.max_age = 1h;
    return settings;
}

// The steady clock, whose first wake waits for a gate.
class gated_clock final : public round_clock {
public:
    [[nodiscard]] check_time now() const noexcept override { return clock_.now(); }
    void sleep_until(check_time time) noexcept override { clock_.sleep_until(time); }
    void wake() noexcept override {
        if (!asked_.exchange(true)) {
            woken.set_value();
            gate.get_future().wait();
        }
        clock_.wake();
    }

    std::promise<void> woken;
    std::promise<void> gate;

private:
    steady_round_clock clock_;
    std::atomic<bool> asked_{false};
};

void wait_for_stop(const round_watch& watch) {
    while (!watch.stop_requested()) {
        std::this_thread::yield();
    }
}

} // namespace

TEST_CASE("self-check: stopping does not wait for the next round", "[self_check][law]") {
    std::promise<void> reported;
    const auto begin = steady::now();
    {
        self_check<> check({.source = [] { return uneven(); },
                            .apply = [](const weights_plan&) {},
                            .report =
                                [&](const auto&) {
                                    reported.set_value();
                                }},
                           at_once(1h));
        check.start();
        reported.get_future().wait();
        check.stop();
        CHECK_FALSE(check.is_running());
        reported = {};
        check.start(); // for the destructor; the first round may or may not begin
    }
    CHECK(steady::now() - begin < 60s);
}

TEST_CASE("self-check: the steady clock gives a round each period", "[self_check][law]") {
    std::promise<void> third;
    int rounds = 0;
    self_check<> check({.source = [] { return uneven(); },
                        .apply = [](const weights_plan&) {},
                        .report =
                            [&](const auto&) {
                                if (++rounds == 3) {
                                    third.set_value();
                                }
                            }},
                       at_once(2ms));
    const auto begin = steady::now();
    check.start();
    third.get_future().wait();
    CHECK(steady::now() - begin >= 4ms);
    check.stop();
}

TEST_CASE("self-check: the steady clock's alarm can be cut short before it begins",
          "[self_check][edge]") {
    steady_round_clock clock;
    const auto begin = steady::now();
    clock.wake();
    clock.sleep_until(begin + 1h);
    CHECK(steady::now() - begin < 30min);
    clock.sleep_until(steady::now() + 2ms); // is not cut short by the wake before
    CHECK(steady::now() - begin >= 2ms);
}

TEST_CASE("self-check: a slow source that watches is left at once and its plan is dropped",
          "[self_check][edge]") {
    std::promise<void> asked;
    std::atomic<int> applied{0};
    const bool does_throw = GENERATE(false, true);
    std::vector<round_report<weights_plan>> reports;
    self_check<> check({.source =
                            [&](const round_watch& watch) {
                                asked.set_value();
                                wait_for_stop(watch);
                                return does_throw ? throw std::runtime_error("stopped") : uneven();
                            },
                        .apply = [&](const weights_plan&) { ++applied; },
                        .report =
                            [&](const auto& round) {
                                reports.push_back(round);
                            }},
                       at_once(1h));
    check.start();
    asked.get_future().wait();
    check.stop();
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].text() == "skipped: the self-check was stopped");
    CHECK_FALSE(reports[0].plan.has_value()); // none was made
    CHECK(applied == 0);
    CHECK(check.state() == rebalance_state{});
}

TEST_CASE("self-check: a plan made while it is stopped is not applied", "[self_check][edge]") {
    std::promise<void> planning;
    std::atomic<int> applied{0};
    std::atomic<bool> go_on{false};
    std::vector<round_report<weights_plan>> reports;
    self_check<> check({.source = [] { return uneven(); },
                        .apply = [&](const weights_plan&) { ++applied; },
                        .rule =
                            [&](std::span<const node_stats> stats, const rebalance_state& state) {
                                planning.set_value();
                                while (!go_on) {
                                    std::this_thread::yield();
                                }
                                return rebalance(stats, {}, state);
                            },
                        .report =
                            [&](const auto& round) {
                                reports.push_back(round);
                            }},
                       at_once(1h));
    check.start();
    planning.get_future().wait();
    check.request_stop();
    CHECK_FALSE(check.is_running());
    go_on = true;
    check.stop();
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].outcome == round_outcome::stopped);
    CHECK(reports[0].plan.has_value());
    CHECK(applied == 0);
}

TEST_CASE("self-check: a plan that is being applied when it is stopped counts",
          "[self_check][edge]") {
    std::promise<void> applying;
    std::optional<round_outcome> outcome;
    std::vector<bool> current;
    self_check<> check({.source = [] { return uneven(); },
                        .apply =
                            [&](const weights_plan&, const round_watch& watch) {
                                current.push_back(watch.is_current());
                                applying.set_value();
                                wait_for_stop(watch);
                                current.push_back(watch.is_current());
                            },
                        .report =
                            [&](const auto& round) {
                                outcome = round.outcome;
                            }},
                       at_once(1h));
    check.start();
    applying.get_future().wait();
    check.stop();
    CHECK(current == std::vector<bool>{true, false});
    CHECK(outcome == round_outcome::applied);
    CHECK(check.state() == rebalance(uneven()).state);
}

TEST_CASE("self-check: a round from before a restart is never applied after it",
          "[self_check][law]") {
    std::promise<void> asked;
    std::atomic<bool> go_on{false};
    std::atomic<int> sources{0};
    std::promise<void> second;
    std::vector<std::uint64_t> applied; // the loads that plans were made of
    std::vector<round_outcome> outcomes;
    self_check<> check(
        {.source =
             [&] {
                 nodes stats = uneven();
                 if (++sources == 1) {
                     asked.set_value();
                     while (!go_on) {
                         std::this_thread::yield();
                     }
                     stats[1].used = 700;
                 }
                 return stats;
             },
         .apply = [&](const weights_plan& plan) { applied.push_back(plan.changes.at(0).vnodes); },
         .report =
             [&](const auto& round) {
                 outcomes.push_back(round.outcome);
                 if (outcomes.size() == 2) {
                     second.set_value();
                 }
             }},
        at_once(1h));
    check.start();
    asked.get_future().wait();
    check.request_stop();
    std::thread starter([&] { check.start(); }); // waits for the source
    go_on = true;
    starter.join();
    CHECK(check.is_running());
    second.get_future().wait();
    check.stop();
    CHECK(outcomes == std::vector{round_outcome::stopped, round_outcome::applied});
    CHECK(applied == std::vector<std::uint64_t>{92}); // of a load of 600
}

TEST_CASE("self-check: the state outlives a restart", "[self_check][law]") {
    scripted_check s;
    s.check.start();
    s.clock->pass(30s);
    const rebalance_state state = s.check.state();
    s.check.stop();
    CHECK(s.check.state() == state);
    s.clock->advance(1h);
    CHECK(s.sources == 1);
    CHECK(s.check.start());
    CHECK_FALSE(s.check.start());
    CHECK(s.clock->wait_for_sleep() == 30s);
    s.clock->pass(30s);
    CHECK(s.outcomes() == "applied applied ");
    CHECK(s.reports[1].number == 2);
    CHECK(s.check.state() == rebalance(s.stats, {}, state).state);
    s.check.stop();
    s.check.stop();
    CHECK(s.sources == 2);
}

TEST_CASE("self-check: what it calls may stop it, but not start it", "[self_check][edge]") {
    scripted_check s;
    std::promise<void> over;
    bool refused = false;
    s.on_report = [&] {
        s.check.stop(); // does not wait for itself
        try {
            s.check.start();
        } catch (const std::logic_error&) {
            refused = true;
        }
        over.set_value();
    };
    s.check.start();
    s.clock->wait_for_sleep();
    s.clock->advance(30s);
    over.get_future().wait();
    CHECK_FALSE(s.check.is_running());
    s.check.stop();
    CHECK(refused);
    CHECK(s.outcomes() == "applied ");
    s.on_report = nullptr;
    CHECK(s.check.start());
    s.clock->pass(30s);
    CHECK(s.outcomes() == "applied applied ");
}

TEST_CASE("self-check: a stop ends what was started while it began", "[self_check][edge]") {
    const auto clock = std::make_shared<gated_clock>();
    self_check<> check({.source = [] { return uneven(); },
                        .apply =
                            [](const weights_plan&) {
                            }},
                       {}, {}, clock);
    std::thread stopper([&] { check.stop(); });
    clock->woken.get_future().wait();
    CHECK(check.start());
    clock->gate.set_value();
    stopper.join();
    CHECK_FALSE(check.is_running());
}

TEST_CASE("self-check: a thread that has the identity of a stopped one may start it again",
          "[self_check][edge]") {
    scripted_check s;
    int refused = 0;
    for (int i = 0; i < 8; ++i) { // systems give a thread the identity of one that has ended
        s.check.start();
        s.clock->wait_for_sleep();
        s.check.stop();
        std::thread([&] {
            try {
                s.check.start();
            } catch (const std::logic_error&) {
                ++refused;
            }
        }).join();
        s.check.stop();
    }
    CHECK(refused == 0);
}

TEST_CASE("self-check: after a stop nothing is called, over many starts", "[self_check][law]") {
    int calls = 0; // not atomic: a stop makes what came before it visible
    std::uint64_t rounds = 0;
    self_check<> check({.source =
                            [&] {
                                ++calls;
                                return uneven();
                            },
                        .apply = [&](const weights_plan&) { ++calls; },
                        .report =
                            [&](const auto& round) {
                                ++calls;
                                rounds = round.number;
                            }},
                       at_once(1us));
    std::size_t late = 0;
    for (int i = 0; i < 300; ++i) {
        check.start();
        if (i % 3 == 0) {
            std::this_thread::yield();
        }
        check.stop();
        const int before = calls;
        std::this_thread::yield();
        late += calls != before ? 1U : 0U;
    }
    CHECK(late == 0);
    CHECK(static_cast<std::uint64_t>(calls) >= 2 * rounds);
}

TEST_CASE("self-check: any thread may start, stop, note and read", "[self_check][law]") {
    std::atomic<int> inside{0};
    std::atomic<int> overlaps{0};
    std::atomic<int> stale{0};
    const auto enter = [&] {
        overlaps += inside.fetch_add(1) != 0 ? 1 : 0;
    };
    const auto leave = [&] {
        inside.fetch_sub(1);
    };
    std::mutex ring;             // the caller's lock, under which changes are made and noted
    std::uint64_t changes = 0;   // under it
    std::uint64_t collected = 0; // the changes that the statistics of the round know of
    self_check<> check({.source =
                            [&] {
                                enter();
                                const std::lock_guard lock(ring);
                                collected = changes;
                                leave();
                                return uneven();
                            },
                        .apply =
                            [&](const weights_plan&, const round_watch& watch) {
                                enter();
                                const std::lock_guard lock(ring);
                                const bool is_current = watch.is_current();
                                stale += is_current && collected != changes ? 1 : 0;
                                leave();
                                return is_current;
                            },
                        .report =
                            [&](const auto&) {
                                enter();
                                leave();
                            }},
                       at_once(1us));
    const auto many = [](auto what) {
        return std::thread([what] {
            for (int i = 0; i < 400; ++i) {
                what();
            }
        });
    };
    std::vector<std::thread> threads;
    threads.push_back(many([&] { check.start(); }));
    threads.push_back(many([&] { check.stop(); }));
    threads.push_back(many([&] {
        const std::lock_guard lock(ring);
        ++changes;
        check.note_change();
    }));
    threads.push_back(many([&] {
        static_cast<void>(check.state());
        if (check.is_running()) {
            check.request_stop();
        }
        check.start();
    }));
    for (std::thread& thread : threads) {
        thread.join();
    }
    check.stop();
    CHECK_FALSE(check.is_running());
    CHECK(overlaps == 0);
    CHECK(stale == 0);
    CHECK(inside == 0);
}
