// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/weights_plan.hpp>
#include <hashring/core/error.hpp>
#include <hashring/service/periodic_thread.hpp>
#include <hashring/service/round_clock.hpp>
#include <hashring/service/round_outcome.hpp>
#include <hashring/service/round_values.hpp>
#include <hashring/service/round_watch.hpp>
#include <hashring/service/self_check_functions.hpp>
#include <hashring/service/self_check_round.hpp>
#include <hashring/service/self_check_settings.hpp>
#include <hashring/service/thread_safety.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

/// \file
/// The periodic self-check of a running cluster: collect the loads, make a plan, apply it.
///
/// This header starts threads, so `hashring.hpp` leaves it out; a program that includes it links
/// the threads of its platform (`Threads::Threads` in CMake, `-pthread`).

namespace hashring {

/// Checks a cluster's loads every period and applies what its rule plans.
///
/// ```cpp
/// hashring::self_check<> check({.source = [&] { return read_stats(); },
///                               .apply = [&](const auto& plan) { change_ring(plan); },
///                               .report = [&](const auto& round) { log(round.text()); }});
/// check.start();
/// ```
/// A round asks the source, makes a plan of what it says and of the state kept from the rounds
/// before, and applies it. A round is skipped, the state left as it was and the reason reported, if
/// a function throws, or the statistics come too late, are not whole or too old (see
/// `self_check_round`), or if a plan could be stale by the time it is applied: its statistics have
/// become older than `max_age`, a change was noted after they were asked for, or the self-check was
/// told to stop. A round that was under way when the self-check was stopped is never taken up by
/// one that is started later; `start` waits for its end. Rounds that come due while one runs are
/// left out.
///
/// **Stopping** wakes a thread that waits for its next round at once. C++ cannot interrupt a
/// function: while one of the caller's runs, `stop` and the destructor wait for it. A slow source
/// had better watch `round_watch::stop_requested` and have a time-out of its own; `request_stop`
/// does not wait. After either nothing is applied but what the apply function had already been
/// called with.
///
/// **Threads**: every member function but the constructor and the destructor may be called from any
/// thread and from the functions that it calls; `stop` there does not wait, `start` throws. The
/// destructor must not run inside them. No lock is held while they run.
///
/// Source: postal paper, load transfer between nodes (self-check with a period of 30 s).
template <self_check_plan Plan = weights_plan>
class self_check {
public:
    using plan_type = Plan;
    using state_type = plan_state<Plan>;
    using functions = self_check_functions<Plan>;

    /// Does not start yet.
    ///
    /// @param calls     source, rule and apply are needed.
    /// @param settings  period and bounds.
    /// @param state     of the rule, saved from another run.
    /// @param clock     its own; the steady clock if null.
    /// @throws invalid_option  for a function that is needed and empty, or times without a meaning.
    explicit self_check(functions calls, self_check_settings settings = {}, state_type state = {},
                        std::shared_ptr<round_clock> clock = nullptr)
        : calls_(checked(std::move(calls))),
          settings_(checked(std::move(settings))),
          clock_(clock ? std::move(clock) : std::make_shared<steady_round_clock>()),
          memory_{std::move(state), {}, {}},
          thread_(settings_.first_after(), settings_.period, clock_,
                  [this](const std::atomic<bool>& stop) { run(stop); }) {}
    self_check(const self_check&) = delete;
    self_check& operator=(const self_check&) = delete;
    /// As `stop`. Not while another thread uses it, nor inside a function that it calls.
    ~self_check() = default;

    /// Starts the rounds, with the state that the last ones left. False if they are going on.
    ///
    /// If it was told to stop and a function is still running, this waits for it. Any thread but
    /// its own: two that start and stop at a time do so one after the other.
    /// @throws std::system_error  if no thread can be had; then nothing has started.
    /// @throws std::logic_error   if called from a function that the self-check calls.
    bool start() { return thread_.start(); }

    /// No round begins and no plan is applied any more; waits for a function that is running, but
    /// for the one that calls this. Any thread.
    void stop() noexcept { thread_.stop(); }

    /// As `stop`, but waits for nothing. Any thread.
    void request_stop() noexcept { thread_.request_stop(); }

    /// Whether it has been started and not been told to stop since. Any thread.
    [[nodiscard]] bool is_running() const noexcept { return thread_.is_running(); }

    /// Says that the cluster was changed by somebody else: a node came or went, or got another
    /// weight. The plan of the round that is going on is dropped, and the nodes of rounds before
    /// are not expected any more. To be called after the change and under the lock of the change,
    /// if there is one; see `round_watch::is_current`. Any thread.
    void note_change() noexcept { ++revision_; }

    /// The state of the rule after the last round that was done, for instance to save it. Any
    /// thread; what copying throws. O(n).
    [[nodiscard]] state_type state() const {
        const std::lock_guard lock(mutex_);
        return memory_.state;
    }

private:
    [[nodiscard]] static functions checked(functions calls) {
        if (!calls.source || !calls.apply || !calls.rule) {
            throw invalid_option("a self-check needs a source, a rule and an apply function");
        }
        return calls;
    }
    [[nodiscard]] static self_check_settings checked(self_check_settings settings) {
        settings.check();
        return settings;
    }

    void run(const std::atomic<bool>& stop) noexcept {
        round_report<Plan> report;
        report.number = ++rounds_;
        try {
            round(round_watch(stop, revision_), report);
        } catch (...) {
            report.outcome = round_outcome::check_failed;
            report.detail = detail::caught_text();
        }
        try {
            if (calls_.report) {
                calls_.report(report);
            }
        } catch (...) { // NOLINT(bugprone-empty-catch): see `report`
        }
    }

    void round(const round_watch& watch, round_report<Plan>& report) {
        const source_answer answer = ask(watch);
        report.asked = answer.asked;
        report.source_took = answer.answered - answer.asked;
        if (watch.stop_requested()) {
            report.outcome = round_outcome::stopped;
            return;
        }
        auto decision = self_check_round(answer, remembered(watch), settings_, calls_.rule);
        report.plan = std::move(decision.plan);
        if (decision.skip) {
            report.outcome = decision.skip->reason;
            report.detail = std::move(decision.skip->detail);
        } else if (const auto objection =
                       plan_objection(decision.measured, clock_->now(), settings_,
                                      watch.is_superseded(), watch.stop_requested())) {
            report.outcome = *objection;
        } else if (report.plan) {
            carry_out(*report.plan, watch, report);
        }
        if (is_done(report.outcome)) {
            remember(watch, std::move(decision.next));
        }
    }

    [[nodiscard]] source_answer ask(const round_watch& watch) {
        source_answer answer;
        answer.asked = clock_->now();
        try {
            answer.stats = calls_.source(watch);
        } catch (...) {
            answer.error = detail::caught_text();
        }
        answer.answered = clock_->now();
        return answer;
    }

    [[nodiscard]] self_check_memory<state_type> remembered(const round_watch& watch) const {
        const std::lock_guard lock(mutex_);
        self_check_memory<state_type> memory = memory_;
        if (known_at_ != watch.revision()) {
            memory.nodes.clear();
        }
        return memory;
    }

    void remember(const round_watch& watch, self_check_memory<state_type> next) {
        const std::lock_guard lock(mutex_);
        memory_ = std::move(next);
        known_at_ = watch.revision();
    }

    void carry_out(const Plan& plan, const round_watch& watch, round_report<Plan>& report) {
        report.outcome = round_outcome::nothing_to_do;
        if (plan.empty()) {
            return;
        }
        try {
            report.outcome =
                calls_.apply(plan, watch) ? round_outcome::applied : round_outcome::apply_declined;
        } catch (...) {
            report.outcome = round_outcome::apply_failed;
            report.detail = detail::caught_text();
        }
    }

    functions calls_;
    self_check_settings settings_;
    std::shared_ptr<round_clock> clock_;
    std::atomic<std::uint64_t> revision_{0};
    mutable std::mutex mutex_; ///< of the memory
    std::uint64_t rounds_ = 0; ///< counted on the thread
    /// The revision at which the nodes of the memory were seen.
    std::uint64_t known_at_ HASHRING_GUARDED_BY(mutex_) = 0;
    self_check_memory<state_type> memory_ HASHRING_GUARDED_BY(mutex_);
    detail::periodic_thread thread_; ///< the last: it ends first
};

} // namespace hashring
