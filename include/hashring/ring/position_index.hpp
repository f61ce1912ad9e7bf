// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>
#include <hashring/ring/point_store.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

/// \file
/// A table on the top bits of a position that says where in the sorted points to look.

namespace hashring::detail {

/// For each value of the top bits (a *bucket*) the index of the first point in or after it. With
/// about as many buckets as points a look-up reads the table and passes half a point on average,
/// however many points there are.
///
/// A *group* of 32 neighbouring buckets has the index of its first point in full, and each of them
/// how many of the group's points stand before it, in a byte: a quarter of the memory, so that a
/// cache holds four times as many.
///
/// Positions that share their top bits crowd a bucket: where it holds more than `crowd` points, or
/// more of its group stand before it than a byte can count, it says so, and the points of the group
/// are halved until the right one is found. So no choice of names makes a look-up worse than
/// O(log points).
///
/// Source: this library's own: a direct-address table of offsets over a sorted vector.
class position_index {
public:
    // --- making --------------------------------------------------------------------------------

    /// Whether the table for `count` points whose tops have `bits` bits is as large as this one.
    [[nodiscard]] bool fits(std::size_t count, unsigned bits) const noexcept {
        return locals_.size() == buckets_for(count, bits);
    }
    /// A table of that size with nothing in it yet.
    void make_room(std::size_t count, unsigned bits) {
        const std::size_t buckets = buckets_for(count, bits);
        bases_.assign(buckets / group_size + 1, 0);
        locals_.assign(buckets, 0);
        shift_ = bits - static_cast<unsigned>(std::bit_width(buckets) - 1);
    }

    /// Fills the table, which fits, for sorted points. O(points + table).
    void fill(std::span<const point_head> points) noexcept {
        std::fill(bases_.begin(), bases_.end(), 0U);
        for (std::size_t i = 0; i < points.size(); ++i) { // the last one of a group stays
            bases_[group_of(points[i].top) + 1] = static_cast<std::uint32_t>(i + 1);
        }
        std::uint32_t reached = 0;
        for (std::uint32_t& base : bases_) { // a group without points begins where it ends
            reached = std::max(reached, base);
            base = reached;
        }
        for (std::size_t g = 0; g + 1 < bases_.size(); ++g) {
            fill_group(points, g);
        }
    }

    /// Begins to deal points on those positions, in any order, into the buckets of this empty
    /// table; `deal` is then called once for each of them and `end_dealing` in the end. Returns
    /// false, and the table is to be filled, if a group has more points than a byte can count.
    template <position_integer Position>
    [[nodiscard]] bool begin_dealing(const std::vector<Position>& positions) noexcept {
        for (const Position p : positions) {
            const std::uint32_t top = top_of(p);
            std::uint8_t& local = locals_[top >> shift_];
            // From 0 again where a group is crowded, which is filled in another way.
            local = static_cast<std::uint8_t>(local + 1U);
            ++bases_[group_of(top) + 1];
        }
        if (*std::max_element(bases_.begin(), bases_.end()) > crowded) {
            return false;
        }
        std::partial_sum(bases_.begin(), bases_.end(), bases_.begin());
        for_each_group([](std::span<std::uint8_t> locals) {
            std::uint8_t before = 0;
            for (std::uint8_t& local : locals) {
                before += std::exchange(local, before);
            }
        });
        return true;
    }
    /// The index for a point with that `top`: behind those of its bucket that came before.
    [[nodiscard]] std::size_t deal(std::uint32_t top) noexcept {
        const std::size_t bucket = top >> shift_;
        return std::size_t{bases_[bucket / group_size]} + locals_[bucket]++;
    }
    void end_dealing() noexcept {
        for_each_group([](std::span<std::uint8_t> locals) {
            std::array<std::uint8_t, group_size + 1> ends{}; // of each bucket, behind a 0
            std::copy(locals.begin(), locals.end(), ends.begin() + 1);
            for (std::size_t b = 0; b < group_size; ++b) {
                const auto count = static_cast<std::uint8_t>(ends[b + 1] - ends[b]);
                locals[b] = count > crowd ? crowded : ends[b];
            }
        });
    }

    /// Brings this table, which fits before and after, up to the sorted `points`, from which those
    /// with the sorted tops `gone` left and to which those with `come` joined. O(table + changes).
    void repair(std::span<const std::uint32_t> gone, std::span<const std::uint32_t> come,
                std::span<const point_head> points) noexcept {
        shift_bases(gone, come);
        for (const std::span<const std::uint32_t> tops : {gone, come}) {
            std::size_t filled = bases_.size();
            for (const std::uint32_t top : tops) {
                if (group_of(top) != filled) {
                    filled = group_of(top);
                    fill_group(points, filled);
                }
            }
        }
    }

    // --- looking up ----------------------------------------------------------------------------

    /// Whether the bucket of `top` is crowded: the points of its group are to be halved then.
    [[nodiscard]] bool crowds(std::uint32_t top) const noexcept {
        return locals_[top >> shift_] == crowded;
    }
    /// The index of the first point in or after the bucket of `top`, if it is not crowded; else
    /// some index at most 255 past the group's first point.
    [[nodiscard]] std::size_t start(std::uint32_t top) const noexcept {
        const std::size_t bucket = top >> shift_;
        return std::size_t{bases_[bucket / group_size]} + locals_[bucket];
    }
    /// The points of the group of `top`: from this index up to that.
    [[nodiscard]] std::pair<std::size_t, std::size_t> group(std::uint32_t top) const noexcept {
        return {bases_[group_of(top)], bases_[group_of(top) + 1]};
    }

    /// What a look-up reads first, for a batch to fetch ahead.
    [[nodiscard]] const std::uint8_t* line_of(std::uint32_t top) const noexcept {
        return locals_.data() + (top >> shift_);
    }

    /// The most points that any search passes one by one: a law says at most `crowd`. O(table).
    [[nodiscard]] std::size_t longest_scan() const noexcept {
        std::size_t longest = 0;
        for (std::size_t b = 0; b < locals_.size(); ++b) {
            if (locals_[b] != crowded) {
                const bool last = b % group_size == group_size - 1;
                const bool known = !last && locals_[b + 1] != crowded;
                const std::size_t g = b / group_size;
                const std::size_t end = known ? bases_[g] + locals_[b + 1] : bases_[g + 1];
                // The end of a bucket before a crowded one is not in the table.
                if (known || last) {
                    longest = std::max(longest, end - (bases_[g] + locals_[b]));
                }
            }
        }
        return longest;
    }

    /// Bytes of memory that the table takes.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return bases_.capacity() * sizeof(std::uint32_t) + locals_.capacity();
    }

    void swap(position_index& other) noexcept {
        bases_.swap(other.bases_);
        locals_.swap(other.locals_);
        std::swap(shift_, other.shift_);
    }

    friend bool operator==(const position_index&, const position_index&) = default;

    /// The most points that a bucket is searched for one by one.
    static constexpr std::uint32_t crowd = 8;
    /// Up to so many points four buckets each still fit the second-level cache beside them.
    static constexpr std::size_t few = std::size_t{1} << 14U;

private:
    static constexpr std::size_t group_size = 32;
    static constexpr std::uint8_t crowded = 0xff;

    [[nodiscard]] static std::size_t buckets_for(std::size_t count, unsigned bits) noexcept {
        const std::size_t wanted = std::max(count <= few ? 4 * count : count, group_size);
        return std::min(std::bit_ceil(wanted), std::size_t{1} << std::min(bits, 31U));
    }

    [[nodiscard]] std::size_t group_of(std::uint32_t top) const noexcept {
        return (top >> shift_) / group_size;
    }

    /// Calls `use` with the bytes of each group.
    template <class Use>
    void for_each_group(Use use) noexcept {
        for (std::size_t b = 0; b < locals_.size(); b += group_size) {
            use(std::span(locals_).subspan(b, group_size));
        }
    }

    /// Counts the points of group `g`, whose place is known, bucket by bucket.
    void fill_group(std::span<const point_head> points, std::size_t g) noexcept {
        std::array<std::uint32_t, group_size> counts{};
        for (std::uint32_t i = bases_[g]; i < bases_[g + 1]; ++i) {
            ++counts[(points[i].top >> shift_) % group_size];
        }
        std::uint32_t before = 0;
        for (std::size_t b = 0; b < group_size; ++b) {
            const bool crowds = before >= crowded || counts[b] > crowd;
            locals_[g * group_size + b] = crowds ? crowded : static_cast<std::uint8_t>(before);
            before += counts[b];
        }
    }

    /// Moves the starts of all groups by the points that left or joined before them.
    void shift_bases(std::span<const std::uint32_t> gone,
                     std::span<const std::uint32_t> come) noexcept {
        auto leaving = gone.begin();
        auto joining = come.begin();
        std::uint32_t more = 0; // modulo 2^32
        for (std::size_t g = 0; g + 1 < bases_.size(); ++g) {
            for (; leaving != gone.end() && group_of(*leaving) == g; ++leaving) {
                --more;
            }
            for (; joining != come.end() && group_of(*joining) == g; ++joining) {
                ++more;
            }
            bases_[g + 1] += more;
        }
    }

    std::vector<std::uint32_t> bases_; // by group, and one more: the number of points
    std::vector<std::uint8_t> locals_; // by bucket
    unsigned shift_ = 0;
};

} // namespace hashring::detail
