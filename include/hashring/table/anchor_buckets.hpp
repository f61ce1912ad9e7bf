// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>
#include <hashring/hash/mix.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

/// \file
/// AnchorHash over buckets: a hash finds its bucket among those that work.

namespace hashring {

/// Buckets 0 … capacity − 1, some of which work; `bucket_of` shares the hashes out to those evenly.
///
/// Law: a bucket that stops gives its hashes to all others evenly and moves no other's; the bucket
/// that starts is the one that stopped last, and takes back exactly what it had. The order in which
/// they stopped is a part of the value. At first bucket 0 would start, then 1, and so on.
///
/// A look-up takes 1 + ln(capacity / working) draws in expectation, so that it slows down as fewer
/// work. 20 bytes a bucket.
///
/// Source: G. Mendelson, S. Vargaftik, K. Barabash, D. Lorenz, I. Keslassy, A. Orda, "AnchorHash: A
/// Scalable Consistent Hash", IEEE/ACM Transactions on Networking, 2021, algorithm 3. The paper
/// leaves the hashes open.
class anchor_buckets {
public:
    /// No buckets.
    anchor_buckets() = default;
    /// Buckets of which none works.
    explicit anchor_buckets(std::uint32_t capacity)
        : removed_at_(capacity),
          successor_(capacity),
          working_(capacity),
          place_(capacity),
          stopped_(capacity),
          stopped_count_(capacity) {
        for (auto* each : {&removed_at_, &successor_, &working_, &place_}) {
            std::iota(each->begin(), each->end(), 0U);
        }
        std::iota(stopped_.rbegin(), stopped_.rend(), 0U);
    }

    [[nodiscard]] std::uint32_t capacity() const noexcept {
        return static_cast<std::uint32_t>(place_.size());
    }
    /// How many work.
    [[nodiscard]] std::uint32_t size() const noexcept { return capacity() - stopped_count_; }
    [[nodiscard]] bool is_full() const noexcept { return stopped_count_ == 0; }
    /// Those that do not work, in the order in which they stopped: it says all of the value.
    [[nodiscard]] std::span<const std::uint32_t> stopped() const noexcept {
        return {stopped_.data(), stopped_count_};
    }
    [[nodiscard]] bool works(std::uint32_t bucket) const noexcept {
        return size() > 0 && removed_at_[bucket] == 0;
    }

    /// Bytes of memory that they take.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return (removed_at_.capacity() + successor_.capacity() + working_.capacity() +
                place_.capacity() + stopped_.capacity()) *
               sizeof(std::uint32_t);
    }

    /// Starts the bucket that stopped last, and returns it. There must be one.
    std::uint32_t start() noexcept {
        const std::uint32_t last = size();
        --stopped_count_;
        const std::uint32_t bucket = stopped_[stopped_count_];
        removed_at_[bucket] = 0;
        place_[working_[last]] = last;
        working_[place_[bucket]] = bucket;
        return bucket;
    }

    /// Stops a bucket, which must work.
    void stop(std::uint32_t bucket) noexcept {
        stopped_[stopped_count_] = bucket;
        ++stopped_count_;
        const std::uint32_t last = size();
        removed_at_[bucket] = last;
        working_[place_[bucket]] = working_[last];
        successor_[bucket] = working_[last];
        place_[working_[last]] = place_[bucket];
    }

    /// The bucket of a hash; one must work. Expected O(1 + log(capacity / size)) draws.
    [[nodiscard]] std::uint32_t bucket_of(std::uint64_t hash) const noexcept {
        std::uint32_t bucket = below(capacity(), hash::mix(hash));
        while (removed_at_[bucket] > 0) {
            std::uint32_t next = below(removed_at_[bucket], draw(hash, bucket));
            while (removed_at_[next] >= removed_at_[bucket]) { // it had stopped before `bucket` did
                next = successor_[next];
            }
            bucket = next;
        }
        return bucket;
    }

    /// What a hash draws where `bucket` does not work.
    [[nodiscard]] static std::uint64_t draw(std::uint64_t hash, std::uint32_t bucket) noexcept {
        return hash::mix(hash + (std::uint64_t{bucket} + 1) * 0x9e3779b97f4a7c15U);
    }
    /// A number in [0, count) in proportion to a draw.
    [[nodiscard]] static std::uint32_t below(std::uint32_t count, std::uint64_t drawn) noexcept {
        return static_cast<std::uint32_t>(multiply(drawn, count).high);
    }

    friend bool operator==(const anchor_buckets& a, const anchor_buckets& b) noexcept {
        return a.capacity() == b.capacity() && std::equal(a.stopped().begin(), a.stopped().end(),
                                                          b.stopped().begin(), b.stopped().end());
    }

private:
    std::vector<std::uint32_t> removed_at_; ///< 0 if it works, else how many did when it stopped
    std::vector<std::uint32_t> successor_;  ///< who took its place among those that work
    std::vector<std::uint32_t> working_;    ///< those that work, then what was there
    std::vector<std::uint32_t> place_;      ///< where in `working_` a bucket is, or was
    std::vector<std::uint32_t> stopped_;    ///< those that do not, and room for all others
    std::uint32_t stopped_count_ = 0;
};

} // namespace hashring
