// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/entry.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
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
/// offset says so and the bucket is halved until the point is found, so that no choice of names
/// makes a look-up worse than O(log points).
///
/// Source: this library's own: a direct-address table of offsets over a sorted vector.
template <std::unsigned_integral Position>
class position_index {
public:
    // --- making --------------------------------------------------------------------------------

    /// Whether a table for `count` points has as many buckets as this one.
    [[nodiscard]] bool fits(std::size_t count) const noexcept {
        return offsets_.size() == buckets_for(count) + 1;
    }
    /// A table of the right size for `count` points, with nothing in it yet.
    void make_room(std::size_t count) {
        offsets_.assign(buckets_for(count) + 1, 0);
        shift_ = static_cast<unsigned>(std::numeric_limits<Position>::digits) -
                 static_cast<unsigned>(std::bit_width(buckets_for(count) - 1));
    }

    /// Fills the table, which fits, for sorted points. O(points + table).
    void fill(std::span<const entry<Position>> points) noexcept {
        std::fill(offsets_.begin(), offsets_.end(), 0U);
        for (std::size_t i = 0; i < points.size(); ++i) { // the last one of a bucket stays
            offsets_[bucket_of(points[i].position()) + 1] = static_cast<std::uint32_t>(i + 1);
        }
        std::uint32_t reached = 0;
        for (std::uint32_t& offset : offsets_) { // a bucket without points begins where it ends
            reached = std::max(reached, offset);
            offset = reached;
        }
        mark_crowded();
    }

    /// Makes and fills the table for sorted points.
    void build(std::span<const entry<Position>> points) {
        make_room(points.size());
        fill(points);
    }

    /// Begins to deal `positions`, in any order, into the buckets of this empty table; `deal` is
    /// then called once for each of them and `mark_crowded` in the end.
    void begin_dealing(std::span<const Position> positions) noexcept {
        for (const Position p : positions) {
            ++offsets_[bucket_of(p) + 1];
        }
        std::uint32_t before = 0; // each offset says where the bucket before its own begins
        for (std::uint32_t& offset : offsets_) {
            before += std::exchange(offset, before);
        }
    }
    /// The index at which `p` stands behind those of its bucket that came before.
    [[nodiscard]] std::size_t deal(Position p) noexcept { return offsets_[bucket_of(p) + 1]++; }

    /// Sets the mark of every bucket that has a crowd.
    void mark_crowded() noexcept {
        for (std::size_t b = 0; b + 1 < offsets_.size(); ++b) {
            mark_if_crowded(b);
        }
    }

    /// Brings this table, which fits before and after, up to points whose sorted positions `gone`
    /// left and whose sorted positions `come` joined. O(table + changes), and no point is read.
    void repair(std::span<const Position> gone, std::span<const Position> come) noexcept {
        auto leaving = gone.begin();
        auto joining = come.begin();
        std::uint32_t more = 0; // modulo 2^32: how many more points stand before the bucket
        std::size_t from = 0;
        while (leaving != gone.end() || joining != come.end()) {
            const bool leaves =
                joining == come.end() || (leaving != gone.end() && *leaving < *joining);
            const std::size_t changed = bucket_of(leaves ? *leaving++ : *joining++);
            raise(from, changed + 1, more);
            from = changed + 1;
            more += leaves ? std::uint32_t(-1) : 1U;
        }
        raise(from, offsets_.size(), more);
        for (const Position p : gone) {
            mark_if_crowded(bucket_of(p));
        }
        for (const Position p : come) {
            mark_if_crowded(bucket_of(p));
        }
    }

    // --- looking up ----------------------------------------------------------------------------

    /// The first of the points from `points` on that stands at or after `p`. Behind them stands one
    /// more, on the largest number there is. O(1) on positions that spread, O(log points) on any.
    [[nodiscard]] const entry<Position>* locate(const entry<Position>* points,
                                                Position p) const noexcept {
        const std::uint32_t offset = offsets_[bucket_of(p)];
        if (offset >= crowded) {
            return locate_crowded(points, p);
        }
        const entry<Position>* point = points + offset;
        point += point->position() < p ? 1 : 0; // without a branch, as nobody can foresee it
        while (point->position() < p) {
            ++point;
        }
        return point;
    }

    /// The offset that a look-up of `p` reads, and the index of the point at which it then begins:
    /// what a batch fetches ahead.
    [[nodiscard]] const std::uint32_t* offset_of(Position p) const noexcept {
        return offsets_.data() + bucket_of(p);
    }
    [[nodiscard]] std::size_t first_of(Position p) const noexcept {
        return *offset_of(p) & ~crowded;
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

    friend bool operator==(const position_index&, const position_index&) = default;

    /// Set in the offset of a bucket that is to be halved; point counts stay below it.
    static constexpr std::uint32_t crowded = std::uint32_t{1} << 31U;
    /// The most points that a bucket is searched for one by one.
    static constexpr std::uint32_t crowd = 8;

    /// Up to so many points four buckets each still fit the second-level cache.
    static constexpr std::size_t few = std::size_t{1} << 14U;

private:
    [[nodiscard]] static std::size_t buckets_for(std::size_t count) noexcept {
        constexpr auto digits = static_cast<unsigned>(std::numeric_limits<Position>::digits);
        const std::size_t wanted = std::max<std::size_t>(count <= few ? 4 * count : count, 2);
        return digits < 32 ? std::min(std::bit_ceil(wanted), std::size_t{1} << digits % 32U)
                           : std::bit_ceil(wanted);
    }

    [[nodiscard]] std::size_t bucket_of(Position p) const noexcept {
        return static_cast<std::size_t>(p >> shift_);
    }

    /// Adds `more`, modulo 2^32, to the offsets from `first` up to `last`; marks stay.
    void raise(std::size_t first, std::size_t last, std::uint32_t more) noexcept {
        for (std::size_t b = first; b < last; ++b) {
            offsets_[b] += more;
        }
    }

    /// Sets or clears the mark of bucket `b`.
    void mark_if_crowded(std::size_t b) noexcept {
        const std::uint32_t first = offsets_[b] & ~crowded;
        const std::uint32_t points = (offsets_[b + 1] & ~crowded) - first;
        offsets_[b] = first | (points > crowd ? crowded : 0);
    }

    [[nodiscard]] const entry<Position>* locate_crowded(const entry<Position>* points,
                                                        Position p) const noexcept {
        const std::size_t bucket = bucket_of(p);
        return std::lower_bound(
            points + (offsets_[bucket] & ~crowded), points + (offsets_[bucket + 1] & ~crowded), p,
            [](const entry<Position>& e, Position wanted) { return e.position() < wanted; });
    }

    std::vector<std::uint32_t> offsets_;
    unsigned shift_ = 0;
};

} // namespace hashring::detail
