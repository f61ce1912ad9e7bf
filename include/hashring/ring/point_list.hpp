// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/arc.hpp>
#include <hashring/ring/position_index.hpp>
#include <hashring/ring/sort_points.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

/// \file
/// The sorted vector of points that a ring searches.

namespace hashring {

/// The index that stands for no node.
inline constexpr std::uint32_t no_node = 0xffffffffU;

namespace detail {

/// Points sorted by (position, owner in the order of the tie rule), as two parallel vectors, and an
/// index into them. Equal points all stay; the first of them owns the position.
///
/// Behind the last point stands one that is searched but not counted: the largest number there is,
/// owned by the owner of the first point. It ends every search and answers for the way round.
template <std::unsigned_integral Position, tie_rule Ties>
class point_list {
public:
    using entry_type = entry<Position>;

    /// This list with its owners renamed by `renamed` (`no_node` drops a node's points), and
    /// `added` merged in: one sort of `added` and one pass. `renamed` keeps the order of the owners
    /// that stay.
    [[nodiscard]] point_list rewritten(std::span<const std::uint32_t> renamed,
                                       std::vector<entry_type> added) const {
        sort_points(added, before);
        point_list result;
        result.make_room(size() + added.size());
        std::size_t at = 0; // written by index: checks for room would cost more than the merge
        auto next = added.begin();
        for (std::size_t i = 0; i < size(); ++i) {
            const entry_type kept{positions_[i], renamed[owners_[i]]};
            if (kept.owner == no_node) {
                continue;
            }
            while (next != added.end() && before(*next, kept)) {
                result.put(at++, *next++);
            }
            result.put(at++, kept);
        }
        for (; next != added.end(); ++next) {
            result.put(at++, *next);
        }
        result.close(at);
        return result;
    }

    [[nodiscard]] bool empty() const noexcept { return owners_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept {
        return owners_.empty() ? 0 : owners_.size() - 1;
    }
    [[nodiscard]] Position position(std::size_t i) const noexcept { return positions_[i]; }
    [[nodiscard]] std::uint32_t owner(std::size_t i) const noexcept { return owners_[i]; }

    /// The index of the first point at or after `p`, after the last one 0; the list is not empty.
    /// O(1) where positions spread, O(log size) anywhere.
    [[nodiscard]] std::size_t locate(Position p) const noexcept {
        const std::size_t found = index_.locate(positions_.data(), p);
        return found == size() ? 0 : found;
    }
    /// The owner of position `p`; the list is not empty. As `locate`.
    [[nodiscard]] std::uint32_t owner_of(Position p) const noexcept {
        return owners_[index_.locate(positions_.data(), p)];
    }

    /// The number of positions that point `i` owns on a circle that ends at `last_position`: from
    /// one past the point before it to its own, or 0 if the point before it stands on the same
    /// position.
    [[nodiscard]] uint128 width_of(std::size_t i, Position last_position) const noexcept {
        if (i > 0 && positions_[i - 1] == positions_[i]) {
            return {};
        }
        const Position before_it = positions_[i == 0 ? size() - 1 : i - 1];
        return width(arc<Position>{next_position(before_it, last_position), positions_[i]},
                     last_position);
    }

    /// The exact number of positions that each of `nodes` owners has; the sum is the whole circle,
    /// or 0 if there are no points.
    [[nodiscard]] std::vector<uint128> widths(std::size_t nodes, Position last_position) const {
        std::vector<uint128> result(nodes);
        for (std::size_t i = 0; i < size(); ++i) {
            result[owners_[i]] += width_of(i, last_position);
        }
        return result;
    }

    void swap(point_list& other) noexcept {
        positions_.swap(other.positions_);
        owners_.swap(other.owners_);
        index_.swap(other.index_);
    }

    friend bool operator==(const point_list& a, const point_list& b) noexcept {
        return a.positions_ == b.positions_ && a.owners_ == b.owners_;
    }

private:
    /// The total order. A node's own equal points are interchangeable.
    [[nodiscard]] static bool before(const entry_type& a, const entry_type& b) noexcept {
        if (a.position != b.position) {
            return a.position < b.position;
        }
        return Ties == tie_rule::first ? a.owner < b.owner : a.owner > b.owner;
    }

    void make_room(std::size_t count) {
        positions_.resize(count + 1);
        owners_.resize(count + 1);
    }

    /// Ends a list of `count` points with the one that ends searches, and makes the index.
    void close(std::size_t count) {
        if (count == 0) {
            *this = {};
            return;
        }
        make_room(count);
        positions_[count] = std::numeric_limits<Position>::max();
        owners_[count] = owners_[0];
        index_.build(positions_.data(), count);
    }

    void put(std::size_t i, const entry_type& e) noexcept {
        positions_[i] = e.position;
        owners_[i] = e.owner;
    }

    std::vector<Position> positions_;
    std::vector<std::uint32_t> owners_;
    position_index<Position> index_;
};

} // namespace detail

} // namespace hashring
