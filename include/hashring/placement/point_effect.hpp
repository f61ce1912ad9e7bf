// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/placement/scheme.hpp>
#include <hashring/placement/share_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// \file
/// What one point more or less changes in the shares with copies.

namespace hashring::detail {

/// A width that another node has in place of the one whose point it is about.
struct exchanged_width {
    std::uint32_t other;
    std::uint64_t width;
};

/// Finds whose shares a point of a node changes: of each arc before it on which the node becomes a
/// holder by that point alone, the holder that it displaces.
template <placement_scheme Scheme>
class point_effect {
public:
    using position_type = typename Scheme::position_type;
    using circle = measured_circle<Scheme>;
    using point = loose_point<position_type>;

    explicit point_effect(std::uint32_t copies)
        : copies_(copies), most_steps_(std::size_t{64} * copies) {}

    /// What a point of `owner` on `position` would displace, between the points `before` and
    /// `behind` of the sorted list `points`, and whether that could be found out in some dozen
    /// steps a copy. If it is there already it is the one between those two.
    [[nodiscard]] bool find(std::span<const point> points, std::size_t before, std::size_t behind,
                            position_type position, std::uint32_t owner) {
        points_ = points;
        before_ = before;
        behind_ = behind;
        exchanged_.clear();
        between_.clear();
        position_type end = position;
        std::size_t first = behind; // where the holders of the arc that ends at `end` begin
        std::size_t arc = before;   // the point before that arc
        for (std::size_t step = 0; step < most_steps_; ++step) {
            if (!displace(first, circle::width(points[arc].position, end), owner)) {
                return false;
            }
            if (points[arc].owner == owner) {
                return true; // from here on that point makes it a holder
            }
            if (std::find(between_.begin(), between_.end(), points[arc].owner) == between_.end()) {
                between_.push_back(points[arc].owner);
                if (between_.size() == copies_) {
                    return true;
                }
            }
            first = arc;
            end = points[arc].position;
            arc = arc == 0 ? points.size() - 1 : arc - 1;
        }
        return false;
    }

    /// What `find` found, each other node once.
    [[nodiscard]] std::span<const exchanged_width> exchanged() const noexcept { return exchanged_; }

private:
    /// Notes who is displaced on an arc of `width` whose holders begin at point `first`.
    [[nodiscard]] bool displace(std::size_t first, std::uint64_t width, std::uint32_t owner) {
        holders_.clear();
        std::size_t i = first;
        for (std::size_t step = 0; step < most_steps_; ++step) {
            const std::uint32_t holder = points_[i].owner;
            if (holder == owner) {
                return true; // it is a holder anyway
            }
            if (std::find(holders_.begin(), holders_.end(), holder) == holders_.end()) {
                holders_.push_back(holder);
                if (holders_.size() == copies_) {
                    note(holder, width);
                    return true;
                }
            }
            i = i == before_ ? behind_ : i + 1 == points_.size() ? 0 : i + 1;
        }
        return false;
    }

    void note(std::uint32_t other, std::uint64_t width) {
        for (exchanged_width& known : exchanged_) {
            if (known.other == other) {
                known.width += width;
                return;
            }
        }
        exchanged_.push_back({other, width});
    }

    std::uint32_t copies_;
    std::size_t most_steps_;
    std::span<const point> points_{};
    std::size_t before_ = 0;
    std::size_t behind_ = 0;
    std::vector<std::uint32_t> between_{};
    std::vector<std::uint32_t> holders_{};
    std::vector<exchanged_width> exchanged_{};
};

} // namespace hashring::detail
