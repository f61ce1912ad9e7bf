// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/service/round_outcome.hpp>
#include <hashring/service/thread_safety.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

/// \file
/// Time as a self-check sees it, so that a test can bring its own.

namespace hashring {

/// A clock with an alarm that can be cut short. One clock serves one self-check.
class round_clock {
public:
    round_clock() = default;
    round_clock(const round_clock&) = delete;
    round_clock& operator=(const round_clock&) = delete;
    virtual ~round_clock() = default;

    /// The time, which never goes back. Called from any thread.
    [[nodiscard]] virtual check_time now() const noexcept = 0;
    /// Returns at `time`, or at once after `wake`, or earlier without a reason. Called from the
    /// thread of the self-check only.
    virtual void sleep_until(check_time time) noexcept = 0;
    /// Ends the sleep that is going on, or if there is none the next one. Called from any thread.
    virtual void wake() noexcept = 0;
};

/// `std::chrono::steady_clock`.
class steady_round_clock final : public round_clock {
public:
    [[nodiscard]] check_time now() const noexcept override {
        return std::chrono::steady_clock::now();
    }
    void sleep_until(check_time time) noexcept override HASHRING_LOCKS_UNSEEN {
        std::unique_lock lock(mutex_);
        alarm_.wait_until(lock, time, [this]() HASHRING_LOCKS_UNSEEN { return woken_; });
        woken_ = false;
    }
    void wake() noexcept override {
        const std::lock_guard lock(mutex_);
        woken_ = true;
        alarm_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable alarm_;
    bool woken_ HASHRING_GUARDED_BY(mutex_) = false;
};

} // namespace hashring
