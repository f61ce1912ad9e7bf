// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/service/round_clock.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

namespace hashring::test {

/// A clock that goes when it is told to. What happens on the thread of a self-check before it falls
/// asleep is seen by whoever waits for that, so scripts may be changed without further locks.
class manual_clock final : public round_clock {
public:
    [[nodiscard]] check_time now() const noexcept override {
        const std::lock_guard lock(mutex_);
        return now_;
    }
    void sleep_until(check_time time) noexcept override {
        std::unique_lock lock(mutex_);
        alarm_ = time;
        sleeping_ = true;
        changed_.notify_all();
        changed_.wait(lock, [this] { return woken_ || now_ >= alarm_; });
        sleeping_ = false;
        woken_ = false;
    }
    void wake() noexcept override {
        const std::lock_guard lock(mutex_);
        woken_ = true;
        changed_.notify_all();
    }

    void advance(check_duration time) {
        const std::lock_guard lock(mutex_);
        now_ += time;
        changed_.notify_all();
    }
    /// Returns how long the sleep will be once somebody sleeps, all rounds that are due being over.
    check_duration wait_for_sleep() {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, std::chrono::seconds(60),
                               [this] { return sleeping_ && !woken_ && now_ < alarm_; })) {
            throw std::runtime_error("nobody sleeps");
        }
        return alarm_ - now_;
    }
    /// Lets time pass from sleep to sleep.
    void pass(check_duration time) {
        wait_for_sleep();
        advance(time);
        wait_for_sleep();
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    check_time now_{std::chrono::hours(1)};
    check_time alarm_{};
    bool sleeping_ = false;
    bool woken_ = false;
};

} // namespace hashring::test
