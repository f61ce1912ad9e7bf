// SPDX-License-Identifier: MIT
#pragma once

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
/// Sorting points, whose positions mostly spread evenly over the circle.

namespace hashring::detail {

/// One point while a list is made.
template <std::unsigned_integral Position>
struct entry {
    Position position;
    std::uint32_t owner;
};

/// Puts the entries of each bucket, which are few unless positions crowd, in the order of `before`.
template <class Entry, class Before>
void sort_bucket(std::span<Entry> bucket, Before before) {
    constexpr std::size_t few = 16;
    if (bucket.size() > few) {
        std::sort(bucket.begin(), bucket.end(), before);
        return;
    }
    for (std::size_t i = 1; i < bucket.size(); ++i) {
        const Entry moving = bucket[i];
        std::size_t at = i;
        for (; at > 0 && before(moving, bucket[at - 1]); --at) {
            bucket[at] = bucket[at - 1];
        }
        bucket[at] = moving;
    }
}

/// Sorts `entries` in the total order `before`, which must order by position first.
///
/// Entries are dealt into buckets by the top bits of their positions, about four a bucket, and each
/// bucket is sorted by itself: O(n) where positions spread, O(n log n) on any.
template <std::unsigned_integral Position, class Before>
void sort_points(std::vector<entry<Position>>& entries, Before before) {
    constexpr std::size_t worth_dealing = 64;
    if (entries.size() < worth_dealing || std::numeric_limits<Position>::digits < 32) {
        std::sort(entries.begin(), entries.end(), before);
        return;
    }
    const auto bits = static_cast<unsigned>(std::bit_width(entries.size())) - 2U;
    const unsigned shift = static_cast<unsigned>(std::numeric_limits<Position>::digits) - bits;
    std::vector<std::uint32_t> ends((std::size_t{1} << bits) + 1, 0);
    for (const entry<Position>& e : entries) {
        ++ends[static_cast<std::size_t>(e.position >> shift) + 1];
    }
    for (std::size_t b = 1; b < ends.size(); ++b) {
        ends[b] += ends[b - 1];
    }
    std::vector<entry<Position>> dealt(entries.size());
    for (const entry<Position>& e : entries) { // moves each bucket's start up to its end
        dealt[ends[static_cast<std::size_t>(e.position >> shift)]++] = e;
    }
    std::size_t start = 0;
    for (std::size_t b = 0; b + 1 < ends.size(); ++b) {
        sort_bucket(std::span(dealt).subspan(start, ends[b] - start), before);
        start = ends[b];
    }
    entries = std::move(dealt);
}

} // namespace hashring::detail
