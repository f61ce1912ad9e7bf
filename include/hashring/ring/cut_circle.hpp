// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>
#include <hashring/ring/arc.hpp>
#include <hashring/ring/entry.hpp>
#include <hashring/ring/fresh_points.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

/// \file
/// A circle cut into pieces that change hands by exact widths.

namespace hashring::detail {

/// Who gives and who takes how many positions, by node. Both sums are equal.
struct handover {
    std::vector<uint128> gives;
    std::vector<uint128> needs;

    explicit handover(std::size_t nodes) : gives(nodes), needs(nodes) {}
};

/// `points` as a list of points takes them: one of the `nodes` owners after the other.
template <std::unsigned_integral Position>
[[nodiscard]] fresh_points<Position> grouped(std::span<const entry<Position>> points,
                                             std::size_t nodes) {
    fresh_points<Position> fresh;
    std::vector<std::size_t> next(nodes + 1);
    for (const entry<Position>& point : points) {
        ++next[point.owner + 1];
    }
    for (std::uint32_t i = 0; i < nodes; ++i) {
        if (next[i + 1] > 0) {
            fresh.runs.push_back({i, static_cast<std::uint32_t>(next[i + 1])});
        }
        next[i + 1] += next[i];
    }
    fresh.positions.resize(points.size());
    for (const entry<Position>& point : points) {
        fresh.positions[next[point.owner]++] = point.position;
    }
    return fresh;
}

/// The points of a ring, as `cut_circle` takes them.
template <class Ring>
struct points_seen {
    const Ring& seen;

    [[nodiscard]] std::size_t size() const noexcept { return seen.point_count(); }
    [[nodiscard]] auto position(std::size_t i) const noexcept { return seen.point_position(i); }
    [[nodiscard]] std::uint32_t owner(std::size_t i) const noexcept { return seen.point_owner(i); }
    [[nodiscard]] uint128 width_of(std::size_t i, auto /*last_position*/) const noexcept {
        return seen.point_width(i);
    }
};

/// The circle as a sequence of pieces. None is wider than the circle; neighbours may have one
/// owner until they are made into points.
template <std::unsigned_integral Position>
class cut_circle {
public:
    /// The pieces between the points of `points`, whose owners `renamed` translates.
    template <class Points>
    cut_circle(const Points& points, std::span<const std::uint32_t> renamed, Position last_position)
        : last_(last_position) {
        pieces_.reserve(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            pieces_.push_back({renamed[points.owner(i)], points.width_of(i, last_)});
        }
        if (!pieces_.empty()) {
            base_ = next_position(points.position(points.size() - 1), last_);
        }
    }

    [[nodiscard]] bool empty() const noexcept { return pieces_.empty(); }

    /// One piece, all of it `owner`'s. It ends at the end of the circle.
    void give_all(std::uint32_t owner) {
        pieces_.assign(1, {owner, circle_width(last_)});
        base_ = 0;
    }
    void clear() noexcept { pieces_.clear(); }
    void rename(std::span<const std::uint32_t> renamed) noexcept {
        for (piece& p : pieces_) {
            p.owner = renamed[p.owner];
        }
    }

    /// How many positions each of `nodes` owners has.
    [[nodiscard]] std::vector<uint128> widths(std::size_t nodes) const {
        std::vector<uint128> result(nodes);
        for (const piece& p : pieces_) {
            result[p.owner] += p.width;
        }
        return result;
    }

    /// Moves exactly the widths of `h` from those who give to those who need, with few new points:
    /// what lies next to a taker first, as only a boundary moves, then whole pieces, the widest
    /// first, then what has come to lie next to a taker, and at last cuts through pieces.
    void hand_over(handover h) {
        const auto takers = all_above_zero(h.needs);
        if (takers.empty()) {
            return;
        }
        to_neighbours(h);
        const std::vector<std::size_t> widest = pieces_of_givers(h);
        hand_over_whole(h, takers, widest);
        to_neighbours(h);
        hand_over_cut(h, takers, widest);
    }

    /// The points at which the pieces end, from where the first piece begins.
    [[nodiscard]] std::vector<entry<Position>> points() {
        merge();
        std::vector<entry<Position>> result;
        result.reserve(pieces_.size());
        Position first = base_;
        for (const piece& p : pieces_) {
            first = forward(first, p.width);
            result.push_back({back(first, 1), p.owner});
        }
        return result;
    }

private:
    struct piece {
        std::uint32_t owner;
        uint128 width;
    };
    struct cut {
        std::size_t number; ///< in the order in which they are made
        std::size_t piece;  ///< the piece that it is taken off
        std::uint32_t owner;
        uint128 width;
    };

    [[nodiscard]] Position forward(Position p, const uint128& by) const noexcept {
        const uint128 sum = uint128(p) + by;
        const uint128 circle = circle_width(last_);
        return static_cast<Position>((sum < circle ? sum : sum - circle).low);
    }
    [[nodiscard]] Position back(Position p, const uint128& by) const noexcept {
        return static_cast<Position>(
            (by <= uint128(p) ? uint128(p) - by : uint128(p) + circle_width(last_) - by).low);
    }

    [[nodiscard]] static std::vector<std::uint32_t>
    all_above_zero(std::span<const uint128> amounts) {
        std::vector<std::uint32_t> result;
        for (std::uint32_t i = 0; i < amounts.size(); ++i) {
            if (amounts[i] > 0) {
                result.push_back(i);
            }
        }
        return result;
    }

    /// Who needs most, of equal ones the first.
    [[nodiscard]] static std::uint32_t neediest(const handover& h,
                                                std::span<const std::uint32_t> takers) {
        return *std::max_element(
            takers.begin(), takers.end(),
            [&](std::uint32_t a, std::uint32_t b) { return h.needs[a] < h.needs[b]; });
    }

    /// How much `from` can hand to `to`, taken off what they give and need.
    [[nodiscard]] static uint128 settle(handover& h, const piece& from, std::uint32_t to) {
        uint128& give = h.gives[from.owner];
        uint128& need = h.needs[to];
        const uint128 amount = std::min({from.width, give, need});
        give -= amount;
        need -= amount;
        return amount;
    }

    /// Moves boundaries: each giver's piece hands its front to the owner before it, then its end to
    /// the owner behind it.
    void to_neighbours(handover& h) {
        const std::size_t count = pieces_.size();
        for (std::size_t i = 0, before = last_filled(); i < count; ++i) {
            if (pieces_[i].width == 0) {
                continue;
            }
            const uint128 amount = settle(h, pieces_[i], pieces_[before].owner);
            pieces_[i].width -= amount;
            pieces_[before].width += amount;
            base_ = before > i ? forward(base_, amount) : base_;
            before = pieces_[i].width > 0 ? i : before;
        }
        for (std::size_t i = count, behind = first_filled(); i-- > 0;) {
            if (pieces_[i].width == 0) {
                continue;
            }
            const uint128 amount = settle(h, pieces_[i], pieces_[behind].owner);
            pieces_[i].width -= amount;
            pieces_[behind].width += amount;
            base_ = behind < i ? back(base_, amount) : base_;
            behind = pieces_[i].width > 0 ? i : behind;
        }
    }
    [[nodiscard]] std::size_t last_filled() const noexcept {
        std::size_t i = pieces_.size() - 1;
        while (pieces_[i].width == 0) {
            --i;
        }
        return i;
    }
    [[nodiscard]] std::size_t first_filled() const noexcept {
        std::size_t i = 0;
        while (pieces_[i].width == 0) {
            ++i;
        }
        return i;
    }

    /// The pieces of those who still give, the widest first, of equal ones the first.
    [[nodiscard]] std::vector<std::size_t> pieces_of_givers(const handover& h) const {
        std::vector<std::size_t> result;
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (pieces_[i].width > 0 && h.gives[pieces_[i].owner] > 0) {
                result.push_back(i);
            }
        }
        std::sort(result.begin(), result.end(), [&](std::size_t a, std::size_t b) {
            return pieces_[a].width == pieces_[b].width ? a < b
                                                        : pieces_[a].width > pieces_[b].width;
        });
        return result;
    }

    void hand_over_whole(handover& h, std::span<const std::uint32_t> takers,
                         std::span<const std::size_t> widest) {
        for (const std::size_t i : widest) {
            piece& p = pieces_[i];
            if (p.width <= h.gives[p.owner]) {
                const std::uint32_t to = neediest(h, takers);
                if (p.width <= h.needs[to]) {
                    static_cast<void>(settle(h, p, to));
                    p.owner = to;
                }
            }
        }
    }

    void hand_over_cut(handover& h, std::span<const std::uint32_t> takers,
                       std::span<const std::size_t> widest) {
        std::vector<cut> cuts;
        for (const std::size_t i : widest) {
            piece& p = pieces_[i];
            while (p.width > 0 && h.gives[p.owner] > 0) {
                const std::uint32_t to = neediest(h, takers);
                const uint128 amount = settle(h, p, to);
                p.width -= amount;
                cuts.push_back({cuts.size(), i, to, amount});
            }
        }
        insert(cuts);
    }

    /// Puts each cut before what is left of its piece.
    void insert(std::vector<cut>& cuts) {
        if (cuts.empty()) {
            return;
        }
        std::sort(cuts.begin(), cuts.end(), [](const cut& a, const cut& b) {
            return a.piece != b.piece ? a.piece < b.piece : a.number < b.number;
        });
        std::vector<piece> result;
        result.reserve(pieces_.size() + cuts.size());
        auto next = cuts.begin();
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            for (; next != cuts.end() && next->piece == i; ++next) {
                result.push_back({next->owner, next->width});
            }
            result.push_back(pieces_[i]);
        }
        pieces_.swap(result);
    }

    /// Drops empty pieces and joins neighbours of one owner, round the end of the circle too.
    void merge() noexcept {
        std::size_t kept = 0;
        for (const piece& p : pieces_) {
            if (p.width == 0) {
                continue;
            }
            if (kept > 0 && pieces_[kept - 1].owner == p.owner) {
                pieces_[kept - 1].width += p.width;
            } else {
                pieces_[kept++] = p;
            }
        }
        pieces_.resize(kept);
        if (kept > 1 && pieces_.front().owner == pieces_.back().owner) {
            base_ = back(base_, pieces_.back().width);
            pieces_.front().width += pieces_.back().width;
            pieces_.pop_back();
        }
    }

    std::vector<piece> pieces_;
    Position base_ = 0; ///< where the first piece begins
    Position last_;
};

} // namespace hashring::detail
