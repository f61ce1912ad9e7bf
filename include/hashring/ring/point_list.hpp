// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/hints.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/arc.hpp>
#include <hashring/ring/entry.hpp>
#include <hashring/ring/fresh_points.hpp>
#include <hashring/ring/merge_points.hpp>
#include <hashring/ring/point_store.hpp>
#include <hashring/ring/position_index.hpp>
#include <hashring/ring/sort_points.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

/// \file
/// The sorted vector of points that a ring searches.

namespace hashring {

/// The index that stands for no node.
inline constexpr std::uint32_t no_node = 0xffffffffU;

namespace detail {

/// Points sorted by (position, owner in the order of the tie rule), and an index into them. Equal
/// points all stay; the first of them owns the position.
///
/// Behind the last point stands one that is searched but not counted: on the largest number there
/// is, owned by the owner of the first point. It ends every search and answers for the way round.
template <position_integer Position, tie_rule Ties>
class point_list {
public:
    using entry_type = entry<Position>;

    point_list() = default;

    /// The sorted list of `fresh` points. O(points) where positions spread.
    explicit point_list(const fresh_points<Position>& fresh) {
        if (fresh.positions.empty()) {
            return;
        }
        index_.make_room(fresh.positions.size(), top_bits);
        points_ = sorted_points(fresh, index_, before);
        close();
    }

    /// Renames the owners by `renamed` (`no_node` drops a node's points), keeping the order of
    /// those that stay, and merges `fresh` points in: one pass to drop, one to merge, and the index
    /// repaired where few change. Changes nothing if memory runs out.
    void rewrite(std::span<const std::uint32_t> renamed, const fresh_points<Position>& fresh) {
        point_list come(fresh);
        if (empty()) {
            swap(come);
            return;
        }
        const std::vector<std::size_t> gone = dropped(renamed);
        const std::size_t count = size() - gone.size() + come.size();
        if (count == 0) {
            *this = {};
            return;
        }
        const std::vector<std::uint32_t> left = tops_of(gone);
        const std::vector<std::uint32_t> joined = come.tops();
        const bool fits = index_.fits(count, top_bits);
        position_index refit;
        if (!fits) {
            refit.make_room(count, top_bits);
        }
        make_room(size() + come.size());
        change(gone, renamed, come); // from here on nothing throws
        if (fits && left.size() + joined.size() <= count / 8) {
            index_.repair(left, joined, counted());
            return;
        }
        if (!fits) {
            index_.swap(refit);
        }
        index_.fill(counted());
    }

    [[nodiscard]] bool empty() const noexcept { return points_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return empty() ? 0 : points_.size() - 1; }
    [[nodiscard]] Position position(std::size_t i) const noexcept { return points_.position(i); }
    [[nodiscard]] std::uint32_t owner(std::size_t i) const noexcept { return points_.owner(i); }

    /// Bytes of memory that the points and the index take.
    [[nodiscard]] std::size_t bytes() const noexcept { return points_.bytes() + index_.bytes(); }

    /// The index of the first point at or after `p`, after the last one 0; the list is not empty.
    /// O(1) where positions spread, O(log size) anywhere.
    [[nodiscard]] std::size_t locate(Position p) const noexcept {
        const std::size_t found = find(p);
        return found == size() ? 0 : found;
    }
    /// The owner of position `p`; the list is not empty. As `locate`.
    [[nodiscard]] std::uint32_t owner_of(Position p) const noexcept {
        return points_.owner(find(p));
    }

    /// Writes the owner of each of `wanted` to `out`; the list is not empty. The same as `owner_of`
    /// one by one, but on long lists what later ones read is fetched meanwhile.
    void owners_of(std::span<const Position> wanted, std::uint32_t* out) const noexcept {
        if (size() <= position_index::few) { // all stays in the cache
            std::transform(wanted.begin(), wanted.end(), out,
                           [this](Position p) { return owner_of(p); });
            return;
        }
        constexpr std::size_t near = 24; // so many look-ups ahead the point is fetched,
        constexpr std::size_t far = 40;  // so many the index
        const std::size_t count = wanted.size();
        for (const Position p : wanted.first(std::min(far, count))) {
            prefetch(index_.line_of(top_of(p)));
        }
        std::size_t i = 0;
        for (; i + far < count; ++i) {
            prefetch(index_.line_of(top_of(wanted[i + far])));
            prefetch(points_.heads(), index_.start(top_of(wanted[i + near])));
            out[i] = owner_of(wanted[i]);
        }
        for (; i + near < count; ++i) { // what is left of the index has been fetched
            prefetch(points_.heads(), index_.start(top_of(wanted[i + near])));
            out[i] = owner_of(wanted[i]);
        }
        for (; i < count; ++i) {
            out[i] = owner_of(wanted[i]);
        }
    }

    /// The number of positions that point `i` owns on a circle that ends at `last_position`: from
    /// one past the point before it to its own, or 0 if the point before it stands on the same
    /// position.
    [[nodiscard]] uint128 width_of(std::size_t i, Position last_position) const noexcept {
        if (i > 0 && position(i - 1) == position(i)) {
            return {};
        }
        const Position before_it = position(i == 0 ? size() - 1 : i - 1);
        return width(arc<Position>{next_position(before_it, last_position), position(i)},
                     last_position);
    }

    /// The exact number of positions that each of `nodes` owners has; the sum is the whole circle,
    /// or 0 if there are no points.
    [[nodiscard]] std::vector<uint128> widths(std::size_t nodes, Position last_position) const {
        std::vector<uint128> result(nodes);
        for (std::size_t i = 0; i < size(); ++i) {
            result[owner(i)] += width_of(i, last_position);
        }
        return result;
    }

    void swap(point_list& other) noexcept {
        points_.swap(other.points_);
        index_.swap(other.index_);
    }

    friend bool operator==(const point_list& a, const point_list& b) noexcept {
        return a.points_ == b.points_;
    }

private:
    static constexpr unsigned top_bits = std::min(std::numeric_limits<Position>::digits, 32);

    /// The total order. A node's own equal points are interchangeable. An object, not a function,
    /// as sorting by a pointer to one would call it each time.
    static constexpr auto before = [](const entry_type& a, const entry_type& b) noexcept {
        if (a.position != b.position) {
            return a.position < b.position;
        }
        return Ties == tie_rule::first ? a.owner < b.owner : a.owner > b.owner;
    };

    // --- looking up ----------------------------------------------------------------------------

    /// The index of the first point at or after `p`, or of the one behind the last.
    [[nodiscard]] std::size_t find(Position p) const noexcept {
        const std::uint32_t top = top_of(p);
        if (index_.crowds(top)) {
            return halved(p);
        }
        const point_head* const heads = points_.heads();
        std::size_t i = index_.start(top);
        i += heads[i].top < top ? 1 : 0; // without a branch, as nobody can foresee it
        while (heads[i].top < top) {
            ++i;
        }
        if constexpr (point_store<Position>::splits) {
            if (heads[i].top == top) {
                return told_apart(i, p);
            }
        }
        return i;
    }

    /// As `find`, from point `i` on, whose position has the same upper half as `p`.
    HASHRING_SELDOM [[nodiscard]] std::size_t told_apart(std::size_t i, Position p) const noexcept {
        while (position(i) < p) {
            ++i;
        }
        return i;
    }

    /// As `find`, in a crowd.
    HASHRING_SELDOM [[nodiscard]] std::size_t halved(Position p) const noexcept {
        auto [first, last] = index_.group(top_of(p));
        while (first < last) {
            const std::size_t middle = first + (last - first) / 2;
            if (position(middle) < p) {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        return first;
    }

    // --- changing ------------------------------------------------------------------------------

    /// Room for `count` points and the one that ends searches, and for a sixteenth more where they
    /// have to move, so that adding nodes one by one seldom moves them and leaves little unused.
    void make_room(std::size_t count) {
        if (count + 1 > points_.capacity()) {
            points_.reserve(count + 1 + count / 16);
        }
    }

    /// Puts the point that ends searches behind the others, for which there is room.
    void close() noexcept {
        points_.resize(points_.size() + 1);
        points_.set(points_.size() - 1, {std::numeric_limits<Position>::max(), points_.owner(0)});
    }

    /// The points but for that one.
    [[nodiscard]] std::span<const point_head> counted() const noexcept {
        return {points_.heads(), size()};
    }

    [[nodiscard]] std::vector<std::uint32_t> tops() const {
        std::vector<std::uint32_t> result;
        result.reserve(size());
        for (const point_head& head : counted()) {
            result.push_back(head.top);
        }
        return result;
    }
    [[nodiscard]] std::vector<std::uint32_t> tops_of(std::span<const std::size_t> indices) const {
        std::vector<std::uint32_t> result;
        result.reserve(indices.size());
        for (const std::size_t i : indices) {
            result.push_back(points_.heads()[i].top);
        }
        return result;
    }

    /// The indices of the points whose owners `renamed` drops.
    [[nodiscard]] std::vector<std::size_t> dropped(std::span<const std::uint32_t> renamed) const {
        std::vector<std::size_t> result;
        if (std::find(renamed.begin(), renamed.end(), no_node) != renamed.end()) {
            for (std::size_t i = 0; i < size(); ++i) {
                if (renamed[owner(i)] == no_node) {
                    result.push_back(i);
                }
            }
        }
        return result;
    }

    /// Drops, renames and merges, for which there is room.
    void change(std::span<const std::size_t> gone, std::span<const std::uint32_t> renamed,
                const point_list& come) noexcept {
        points_.resize(size());
        drop_points(points_, gone);
        for (std::size_t i = 0; i < points_.size(); ++i) {
            points_.set_owner(i, renamed[points_.owner(i)]);
        }
        merge_points(points_, come.points_, come.size(), before);
        close();
    }

    point_store<Position> points_;
    position_index index_;
};

} // namespace detail

} // namespace hashring
