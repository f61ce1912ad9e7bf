// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>
#include <hashring/placement/correction.hpp>
#include <hashring/placement/point_effect.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/placement/share_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// \file
/// The fine part of the correction: single virtual nodes dropped and added where they fit best.

namespace hashring::detail {

/// Drops and adds points of one list, one at a time.
template <placement_scheme Scheme>
class best_fit {
public:
    using list = corrected_list<Scheme>;
    using position_type = typename Scheme::position_type;
    using circle = measured_circle<Scheme>;
    using point = loose_point<position_type>;

    /// `counts` made `l`, whose points are the first virtual nodes of each node.
    best_fit(count_correction<Scheme>& counts, list& l, correction_goal goal)
        : counts_(&counts),
          list_(&l),
          tolerance_(goal.tolerance),
          spares_(l.counts.size()),
          is_free_(l.counts.size()),
          effect_(goal.copies) {
        for (const std::uint32_t i : counts.free()) {
            is_free_[i] = true;
        }
        for (std::size_t i = 0; i < spares_.size(); ++i) {
            spares_[i].next = l.counts[i];
            tolerated_.push_back(
                divide(multiply(l.wished[i], goal.tolerance), 1'000'000).quotient.low);
        }
    }

    /// Up to sixty passes over those who are off, the worst first, one point each: one that brings
    /// all closer to what they should own, or if there is none, to within their tolerance.
    void run() {
        constexpr int most_passes = 60;
        for (int pass = 0; pass < most_passes; ++pass) {
            bool improved = false;
            for (const std::uint32_t i : worst_first()) {
                if (list_->is_off(i, tolerance_)) {
                    const bool over = list_->owned[i] > list_->wished[i];
                    const auto change = [&](bool lenient) {
                        is_lenient_ = lenient;
                        return over ? drop(i) : add(i);
                    };
                    improved = change(false) || change(true) || improved;
                }
            }
            if (!improved) {
                return;
            }
        }
    }

private:
    /// A point to drop or to add, and by how much that brings all closer.
    struct option {
        std::size_t at = 0;
        std::uint64_t gain = 0;
    };
    /// Virtual nodes that a node does not use yet, in their order.
    struct spares {
        std::vector<position_type> positions;
        std::size_t next = 0; ///< the one to come in when one is used
    };

    [[nodiscard]] std::vector<std::uint32_t> worst_first() const {
        std::vector<std::pair<uint128, std::uint32_t>> off;
        for (const std::uint32_t i : counts_->free()) {
            if (list_->is_off(i, tolerance_)) {
                off.emplace_back(list_->relative(i), i);
            }
        }
        std::sort(off.begin(), off.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        std::vector<std::uint32_t> result;
        for (const auto& [distance, node] : off) {
            result.push_back(node);
        }
        return result;
    }

    /// How far a node is off once `more` is added to what it owns and `less` taken away: all of it,
    /// or if lenient what is beyond the tolerance.
    [[nodiscard]] std::uint64_t off_after(std::uint32_t i, std::uint64_t more,
                                          std::uint64_t less) const noexcept {
        const std::uint64_t up = list_->owned[i] + more;
        const std::uint64_t down = list_->wished[i] + less;
        const std::uint64_t off = up > down ? up - down : down - up;
        return off - (is_lenient_ ? std::min(off, tolerated_[i]) : 0);
    }

    /// By how much node `i` and those with whom `effect_` says it trades come closer to what they
    /// should own, if it gets (or else loses) those widths; 0 if they do not.
    [[nodiscard]] std::uint64_t gain(std::uint32_t i, bool gets) const noexcept {
        std::uint64_t sum = 0;
        std::uint64_t before = off_after(i, 0, 0);
        std::uint64_t after = 0;
        for (const auto& [other, width] : effect_.exchanged()) {
            if (!is_free_[other]) {
                return 0;
            }
            sum += width;
            before += off_after(other, 0, 0);
            after += gets ? off_after(other, 0, width) : off_after(other, width, 0);
        }
        after += gets ? off_after(i, sum, 0) : off_after(i, 0, sum);
        return before > after ? before - after : 0;
    }

    void trade(std::uint32_t i, bool gets) {
        for (const auto& [other, width] : effect_.exchanged()) {
            std::uint64_t& from = list_->owned[gets ? other : i];
            from -= std::min(width, from); // widths are rounded down
            list_->owned[gets ? i : other] += width;
        }
    }

    /// Finds what point `at` of the list changes.
    [[nodiscard]] bool find_effect(std::size_t at) {
        const std::vector<point>& points = list_->points;
        return effect_.find(points, at == 0 ? points.size() - 1 : at - 1,
                            at + 1 == points.size() ? 0 : at + 1, points[at].position,
                            points[at].owner);
    }
    /// Finds what a point of node `i` on `position` would change; returns where it would stand.
    [[nodiscard]] std::optional<std::size_t> find_effect(std::uint32_t i, position_type position) {
        const std::vector<point>& points = list_->points;
        const auto found = std::lower_bound(points.begin(), points.end(), point{position, i},
                                            stands_before<Scheme>);
        const auto at = static_cast<std::size_t>(found - points.begin());
        const bool is_found = effect_.find(points, at == 0 ? points.size() - 1 : at - 1,
                                           at == points.size() ? 0 : at, position, i);
        return is_found ? std::optional(at) : std::nullopt;
    }

    /// Drops the point of node `i` whose arcs the others can use best. O(points).
    [[nodiscard]] bool drop(std::uint32_t i) {
        option best;
        for (std::size_t at = 0; at < list_->points.size() && list_->counts[i] > 1; ++at) {
            if (list_->points[at].owner == i && find_effect(at)) {
                if (const std::uint64_t better = gain(i, false); better > best.gain) {
                    best = {at, better};
                }
            }
        }
        if (best.gain == 0) {
            return false;
        }
        static_cast<void>(find_effect(best.at));
        trade(i, false);
        list_->points.erase(list_->points.begin() + static_cast<std::ptrdiff_t>(best.at));
        --list_->counts[i];
        return true;
    }

    /// Adds the one of 64 unused virtual nodes of node `i` that fits best. O(points).
    [[nodiscard]] bool add(std::uint32_t i) {
        std::vector<position_type>& unused = fill(i);
        option best;
        for (std::size_t k = 0; k < unused.size(); ++k) {
            if (find_effect(i, unused[k])) {
                if (const std::uint64_t better = gain(i, true); better > best.gain) {
                    best = {k, better};
                }
            }
        }
        const std::optional<std::size_t> at =
            best.gain > 0 ? find_effect(i, unused[best.at]) : std::nullopt;
        if (!at) {
            return false;
        }
        trade(i, true);
        list_->points.insert(list_->points.begin() + static_cast<std::ptrdiff_t>(*at),
                             {unused[best.at], i});
        unused.erase(unused.begin() + static_cast<std::ptrdiff_t>(best.at));
        ++list_->counts[i];
        return true;
    }

    std::vector<position_type>& fill(std::uint32_t i) {
        constexpr std::size_t choice = 64;
        spares& unused = spares_[i];
        while (unused.positions.size() < choice) {
            unused.positions.push_back(counts_->source(i).first(unused.next + 1)[unused.next]);
            ++unused.next;
        }
        return unused.positions;
    }

    count_correction<Scheme>* counts_;
    list* list_;
    std::uint32_t tolerance_;
    std::vector<spares> spares_;
    std::vector<bool> is_free_;
    std::vector<std::uint64_t> tolerated_;
    bool is_lenient_ = false;
    point_effect<Scheme> effect_;
};

} // namespace hashring::detail
