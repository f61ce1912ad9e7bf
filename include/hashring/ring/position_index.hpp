// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

/// \file
/// A table on the top bits of a position that says where in the sorted points to look.

namespace hashring::detail {

/// For each value of the top bits (a *bucket*) the index of the first point in or after it. With as
/// many buckets as points a look-up reads the table once and passes half a point on average,
/// however many points there are.
///
/// Positions that share their top bits crowd a bucket: where it holds more than `crowd` points its
/// entry says so and the bucket is halved until the point is found, so that no choice of names
/// makes a look-up worse than O(log points).
///
/// Source: this library's own: a direct-address table of offsets over a sorted vector.
template <std::unsigned_integral Position>
class position_index {
public:
    /// The table for the `count` sorted positions from `positions` on, behind which one more stands
    /// that is the largest number there is. O(count).
    void build(const Position* positions, std::size_t count) {
        const unsigned bits = bits_for(count);
        shift_ = static_cast<unsigned>(std::numeric_limits<Position>::digits) - bits;
        offsets_.assign((std::size_t{1} << bits) + 1, static_cast<std::uint32_t>(count));
        std::size_t bucket = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t own = bucket_of(positions[i]);
            for (; bucket <= own; ++bucket) {
                offsets_[bucket] = static_cast<std::uint32_t>(i);
            }
        }
        mark_crowded();
    }

    /// The index of the first of those positions that is at or after `p`; their number if that is
    /// the one behind them. O(1) on positions that spread, O(log count) on any.
    [[nodiscard]] std::size_t locate(const Position* positions, Position p) const noexcept {
        const std::uint32_t entry = offsets_[bucket_of(p)];
        if (entry >= crowded) {
            return locate_crowded(positions, p);
        }
        std::size_t i = entry;
        while (positions[i] < p) {
            ++i;
        }
        return i;
    }

    /// The most points that any search passes one by one: a law says at most `crowd`. O(table).
    [[nodiscard]] std::size_t longest_scan() const noexcept {
        std::size_t longest = 0;
        for (std::size_t b = 0; b + 1 < offsets_.size(); ++b) {
            const std::uint32_t next = offsets_[b + 1] & ~crowded;
            longest =
                std::max<std::size_t>(longest, offsets_[b] < crowded ? next - offsets_[b] : 0);
        }
        return longest;
    }

    /// Bytes of memory that the table takes.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return offsets_.capacity() * sizeof(std::uint32_t);
    }

    void swap(position_index& other) noexcept {
        offsets_.swap(other.offsets_);
        std::swap(shift_, other.shift_);
    }

    /// Set in an entry whose bucket is to be halved; point counts stay below it.
    static constexpr std::uint32_t crowded = std::uint32_t{1} << 31U;
    /// The most points that a bucket is searched for one by one.
    static constexpr std::uint32_t crowd = 8;

private:
    /// Up to so many points four buckets each still fit the second-level cache.
    static constexpr std::size_t few = std::size_t{1} << 14U;

    [[nodiscard]] static unsigned bits_for(std::size_t count) noexcept {
        const std::size_t buckets = std::max<std::size_t>(count <= few ? 4 * count : count, 2);
        const auto bits = static_cast<unsigned>(std::bit_width(buckets - 1));
        return std::min(bits, static_cast<unsigned>(std::numeric_limits<Position>::digits));
    }

    [[nodiscard]] std::size_t bucket_of(Position p) const noexcept {
        return static_cast<std::size_t>(p >> shift_);
    }

    void mark_crowded() noexcept {
        for (std::size_t b = 0; b + 1 < offsets_.size(); ++b) {
            if (offsets_[b + 1] - offsets_[b] > crowd) {
                offsets_[b] |= crowded;
            }
        }
    }

    [[nodiscard]] std::size_t locate_crowded(const Position* positions, Position p) const noexcept {
        const std::size_t bucket = bucket_of(p);
        const Position* const first = positions + (offsets_[bucket] & ~crowded);
        const Position* const last = positions + (offsets_[bucket + 1] & ~crowded);
        return static_cast<std::size_t>(std::lower_bound(first, last, p) - positions);
    }

    std::vector<std::uint32_t> offsets_;
    unsigned shift_ = 0;
};

} // namespace hashring::detail
