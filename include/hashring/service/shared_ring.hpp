// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/key.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/lookup.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

/// \file
/// A ring that one writer changes while any number of threads look up in it. Needs threads.

namespace hashring {

/// One published state: it never changes, and is freed when nobody holds it any more.
template <node_lookup Placed>
struct published {
    std::uint64_t version; ///< 1 for the first one, and one more each time
    Placed ring;
};

/// Who owns a key, by which version.
template <node_lookup Placed>
struct versioned_owner {
    std::uint64_t version;
    /// Points into that version: good until the reader's next call, or its end.
    std::optional<typename Placed::node_type> node;
};

/// A ring (or a table) of which there is always one newest version, and never half of one.
///
/// Threads that look up have a `reader` each, which keeps the version that it last saw and looks at
/// one word to learn that there is a newer one: no lock and no write to shared memory, 0.4 ns on
/// top of a plain look-up. A reader never waits: while a writer is between the two stores that make
/// a version the newest one, it goes on with the one that it has. Each version lives as long as
/// some reader, or `newest`, holds it, so a reader that idles pins one: `release` it.
///
/// Versions are made beside the newest one and published when they are whole. Writers take turns;
/// what throws, publishes nothing. Every member may be called by any thread at any time.
///
/// Source: this library's own choice among eight forms that were measured side by side.
template <node_lookup Placed = ring<>>
class shared_ring {
    using state_ptr = std::shared_ptr<const published<Placed>>;

    struct shared_state {
        /// On a cache line that nothing else is written to.
        alignas(64) std::atomic<std::uint64_t> version{0};
        alignas(64) std::mutex pointer_guard;
        state_ptr newest; ///< guarded by `pointer_guard`
        std::mutex writing;
    };

public:
    using placed_type = Placed;

    /// Looks up in the newest version. One thread uses it at a time; it may outlive its ring.
    class reader {
    public:
        /// The newest version. What it returns is good until the next call, or the reader's end.
        /// Law: versions never fall from call to call.
        [[nodiscard]] const published<Placed>& look() noexcept {
            if (!held_) {
                const std::lock_guard lock(shared_->pointer_guard);
                held_ = shared_->newest;
            } else if (shared_->version.load(std::memory_order_acquire) != held_->version) {
                follow();
            }
            return *held_;
        }

        /// Who owns a key in the newest version. Law: it is what that version's ring says.
        template <key Key>
        [[nodiscard]] versioned_owner<Placed> owner(const Key& k) noexcept {
            const published<Placed>& seen = look();
            return {seen.version, seen.ring.owner(k)};
        }

        /// Lets go of the version that is held, so that it can be freed; the next call takes the
        /// newest one, for which it waits while a writer stores two words.
        void release() noexcept { held_.reset(); }

    private:
        friend class shared_ring;

        explicit reader(std::shared_ptr<shared_state> shared) noexcept
            : shared_(std::move(shared)) {}

        /// Takes the newest version, or keeps the one that it has if that is just being exchanged.
        void follow() noexcept {
            const std::unique_lock lock(shared_->pointer_guard, std::try_to_lock);
            if (lock.owns_lock()) {
                held_ = shared_->newest;
            }
        }

        std::shared_ptr<shared_state> shared_;
        state_ptr held_;
    };

    /// Its first version is `first`, or an empty ring.
    shared_ring() : shared_ring(Placed{}) {}
    explicit shared_ring(Placed first) : shared_(std::make_shared<shared_state>()) {
        publish(std::move(first));
    }

    /// A reader, for a thread of its own.
    [[nodiscard]] reader read() const noexcept { return reader(shared_); }

    /// The newest version, held by what it returns. For now and then: a reader is faster.
    [[nodiscard]] state_ptr newest() const noexcept {
        const std::lock_guard lock(shared_->pointer_guard);
        return shared_->newest;
    }

    /// The number of the newest version.
    [[nodiscard]] std::uint64_t version() const noexcept {
        return shared_->version.load(std::memory_order_acquire);
    }

    /// Makes `next` the newest version and returns its number. Throws `std::bad_alloc`, and then
    /// has published nothing.
    std::uint64_t publish(Placed next) {
        const std::lock_guard turn(shared_->writing);
        return store(std::move(next));
    }

    /// Calls `change` with a copy of the newest ring and publishes what that becomes; returns its
    /// number. Other writers wait meanwhile, readers do not. What `change` throws comes through,
    /// and nothing is published.
    template <class Change>
        requires std::copy_constructible<Placed>
    std::uint64_t update(Change change) {
        const std::lock_guard turn(shared_->writing);
        Placed next(newest()->ring);
        change(next);
        return store(std::move(next));
    }

private:
    /// The next version, whole, in place of the newest. The writer has its turn.
    std::uint64_t store(Placed&& next) {
        const std::uint64_t number = shared_->version.load(std::memory_order_relaxed) + 1;
        auto made = std::make_shared<published<Placed>>(published<Placed>{number, std::move(next)});
        state_ptr old; // freed outside of the lock
        {
            const std::lock_guard lock(shared_->pointer_guard);
            old = std::exchange(shared_->newest, std::move(made));
            shared_->version.store(number, std::memory_order_release);
        }
        return number;
    }

    std::shared_ptr<shared_state> shared_;
};

} // namespace hashring
