// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/service/round_clock.hpp>
#include <hashring/service/round_outcome.hpp>
#include <hashring/service/thread_safety.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

/// \file
/// A thread that does something every period and stops at once.

namespace hashring::detail {

/// The first time after `now` that is a whole number of periods after `planned`, which is not later
/// than `now`: what was due meanwhile is left out, not made up for.
[[nodiscard]] constexpr check_time next_round(check_time planned, check_time now,
                                              check_duration period) noexcept {
    return planned + ((now - planned) / period + 1) * period;
}

/// Calls `job(stop)` on a thread of its own, `first` after the start and then each `period`, one
/// call at a time. `job` must not throw.
class periodic_thread {
public:
    using job_type = std::function<void(const std::atomic<bool>& stop)>;

    periodic_thread(check_duration first, check_duration period, std::shared_ptr<round_clock> clock,
                    job_type job)
        : first_(first), period_(period), clock_(std::move(clock)), job_(std::move(job)) {}
    periodic_thread(const periodic_thread&) = delete;
    periodic_thread& operator=(const periodic_thread&) = delete;
    ~periodic_thread() { stop(); }

    bool start() {
        if (is_own()) {
            throw std::logic_error("a self-check cannot be started by a function that it calls");
        }
        const std::lock_guard lock(control_);
        if (thread_.joinable()) {
            if (!stop_) {
                return false;
            }
            thread_.join();
        }
        stop_ = false;
        try {
            thread_ = std::thread([this, at = clock_->now() + first_] { run(at); });
        } catch (...) {
            stop_ = true;
            throw;
        }
        return true;
    }

    void request_stop() noexcept {
        stop_ = true;
        clock_->wake();
    }

    void stop() noexcept {
        request_stop();
        if (is_own()) {
            return;
        }
        const std::lock_guard lock(control_);
        request_stop(); // a start may have come between
        if (thread_.joinable()) {
            thread_.join();
        }
    }

    [[nodiscard]] bool is_running() const noexcept { return !stop_; }

private:
    [[nodiscard]] bool is_own() const noexcept {
        return worker_.load() == std::this_thread::get_id();
    }

    void run(check_time next) {
        worker_ = std::this_thread::get_id();
        while (sleep_until(next)) {
            job_(stop_);
            next = next_round(next, clock_->now(), period_);
        }
        worker_ = std::thread::id{};
    }

    /// Whether the time has come; if not, the thread is to end.
    [[nodiscard]] bool sleep_until(check_time time) {
        while (!stop_) {
            if (clock_->now() >= time) {
                return true;
            }
            clock_->sleep_until(time);
        }
        return false;
    }

    check_duration first_;
    check_duration period_;
    std::shared_ptr<round_clock> clock_;
    job_type job_;
    std::mutex control_; ///< of starting and joining
    std::thread thread_ HASHRING_GUARDED_BY(control_);
    std::atomic<bool> stop_{true};
    std::atomic<std::thread::id> worker_{};
};

} // namespace hashring::detail
