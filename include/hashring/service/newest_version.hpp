// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/service/thread_safety.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

/// \file
/// A pointer to the newest of a row of versions. Needs threads.

namespace hashring::detail {

/// A pointer to the newest version of something, each of which says its `version`: 1, 2, and so on.
///
/// Two places take turns: a writer puts version n into place n mod 2, then says that n is the
/// newest, and then empties the other place. So who reads takes what was said to be the newest from
/// a place that no writer holds, wherever a writer is stopped; readers wait for each other alone,
/// while one copies a pointer. `Guard` is a mutex.
template <class Versioned, class Guard = std::mutex>
class newest_version {
public:
    using pointer = std::shared_ptr<const Versioned>;

    /// The number of the newest version; 0 before the first.
    [[nodiscard]] std::uint64_t number() const noexcept {
        return number_.load(std::memory_order_acquire);
    }

    /// The newest version; there must be one. Law: if `number()` was n before, its version is n or
    /// more.
    [[nodiscard]] pointer get() const noexcept HASHRING_LOCKS_UNSEEN {
        for (;;) {
            const std::uint64_t newest = number();
            const place& at = places_[newest % 2];
            const std::unique_lock lock(at.guard, std::try_to_lock);
            // Another version there: it was not the newest any more, or is not yet said to be.
            if (lock.owns_lock() && at.held && at.held->version == newest) {
                return at.held;
            }
            std::this_thread::yield();
        }
    }

    /// Makes `next`, whose version is `number() + 1`, the newest. One writer at a time.
    void put(pointer next) noexcept {
        const std::uint64_t number = next->version;
        exchange(places_[number % 2], std::move(next));
        number_.store(number, std::memory_order_release);
        exchange(places_[(number + 1) % 2], nullptr);
    }

private:
    struct alignas(64) place {
        mutable Guard guard{};
        pointer held HASHRING_GUARDED_BY(guard){};
    };

    /// What was there is freed outside of the lock.
    static void exchange(place& at, pointer other) noexcept {
        const std::lock_guard lock(at.guard);
        at.held.swap(other);
    }

    /// On a cache line that nothing else is written to.
    alignas(64) std::atomic<std::uint64_t> number_{0};
    place places_[2];
};

} // namespace hashring::detail
