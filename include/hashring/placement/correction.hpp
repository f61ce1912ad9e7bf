// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/placement/share_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// \file
/// How many of its virtual nodes each node of a list uses so that what it owns fits its weight.

namespace hashring::detail {

/// What shares should come to.
struct correction_goal {
    std::uint32_t copies = 1;
    std::uint32_t tolerance = 0; ///< of a node's wished share, in millionths
};

/// The virtual nodes of one node, made when they are asked for.
template <placement_scheme Scheme>
class vnode_source {
public:
    using position_type = typename Scheme::position_type;

    vnode_source(const Scheme& scheme, const placed_node& node) : scheme_(&scheme), node_(node) {}

    /// Virtual nodes 0 … count − 1, valid until more are asked for.
    [[nodiscard]] std::span<const position_type> first(std::size_t count) {
        if (count > made_.size()) {
            made_.resize(std::max(count, made_.size() + made_.size() / 2));
            scheme_->points(node_, std::span<position_type>(made_));
        }
        return std::span<const position_type>(made_).first(count);
    }

private:
    const Scheme* scheme_;
    placed_node node_;
    std::vector<position_type> made_;
};

/// The points of a list of nodes while they are corrected.
template <placement_scheme Scheme>
struct corrected_list {
    using position_type = typename Scheme::position_type;
    using point = loose_point<position_type>;
    using circle = measured_circle<Scheme>;

    std::vector<std::uint32_t> counts;
    std::vector<point> points; ///< in the order of a ring
    std::vector<std::uint64_t> owned;
    std::vector<std::uint64_t> wished;

    /// How far node `i` is off.
    [[nodiscard]] std::uint64_t distance(std::size_t i) const noexcept {
        return owned[i] > wished[i] ? owned[i] - wished[i] : wished[i] - owned[i];
    }
    /// The same in parts of what it should own, times 2^32.
    [[nodiscard]] uint128 relative(std::size_t i) const noexcept {
        return divide(multiply(distance(i), std::uint64_t{1} << 32U),
                      std::max(wished[i], std::uint64_t{1}))
            .quotient;
    }
    [[nodiscard]] bool is_off(std::size_t i, std::uint32_t tolerance) const noexcept {
        return multiply(distance(i), 1'000'000) > multiply(wished[i], tolerance);
    }
};

/// Corrects counts: who owns too little gets more of its virtual nodes, who owns too much fewer.
template <placement_scheme Scheme>
class count_correction {
public:
    using list = corrected_list<Scheme>;

    /// The weights of those counted by hand are 0. Throws `invalid_point_count` where the plain
    /// counts are too many.
    count_correction(const Scheme& scheme, std::span<const placed_node> nodes,
                     std::span<const std::optional<std::uint32_t>> by_hand, correction_goal goal)
        : nodes_(nodes), goal_(goal), plain_(scheme.counts(nodes)) {
        for (const placed_node& node : nodes) {
            sources_.emplace_back(scheme, node);
        }
        for (std::size_t i = 0; i < by_hand.size(); ++i) {
            plain_[i] = by_hand[i].value_or(plain_[i]);
        }
        check_point_count(plain_);
        find_free();
    }

    /// Who can be corrected, by index.
    [[nodiscard]] std::span<const std::uint32_t> free() const noexcept { return free_; }
    [[nodiscard]] vnode_source<Scheme>& source(std::size_t i) noexcept { return sources_[i]; }

    /// The best of up to twelve rounds, each of which corrects seven tenths of what it finds.
    [[nodiscard]] list run() {
        constexpr int most_rounds = 12;
        list current = measured(plain_);
        list best = current;
        uint128 least = worst_of(best);
        for (int round = 1; round < most_rounds && !is_done(current); ++round) {
            if (!correct(current)) {
                break;
            }
            current = measured(std::move(current.counts));
            if (const uint128 worst = worst_of(current); worst < least) {
                least = worst;
                best = current;
            }
        }
        return best;
    }

private:
    /// Those with a weight, but for those so heavy that they should hold a copy of everything and
    /// more: nothing that they are given makes them hold more than everything.
    void find_free() {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            if (nodes_[i].weight.thousandths() > 0) {
                free_.push_back(i);
                sum += nodes_[i].weight.thousandths();
            }
        }
        std::sort(free_.begin(), free_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return nodes_[a].weight == nodes_[b].weight ? a < b
                                                        : nodes_[a].weight > nodes_[b].weight;
        });
        std::size_t heavy = 0;
        std::uint64_t copies = goal_.copies;
        while (heavy < free_.size() && copies > 0 &&
               nodes_[free_[heavy]].weight.thousandths() * copies >= sum) {
            sum -= nodes_[free_[heavy]].weight.thousandths();
            --copies;
            ++heavy;
        }
        free_.erase(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(heavy));
        std::sort(free_.begin(), free_.end());
    }

    [[nodiscard]] list measured(std::vector<std::uint32_t> counts) {
        list result;
        result.points.reserve(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
        for (std::uint32_t i = 0; i < counts.size(); ++i) {
            for (const auto position : sources_[i].first(counts[i])) {
                result.points.push_back({position, i});
            }
        }
        std::sort(result.points.begin(), result.points.end(), stands_before<Scheme>);
        result.owned = list::circle::sums(result.points, nodes_.size(), goal_.copies);
        result.wished = wishes(result.owned);
        result.counts = std::move(counts);
        return result;
    }

    /// What the free ones own together, in proportion to their weights.
    [[nodiscard]] std::vector<std::uint64_t> wishes(std::span<const std::uint64_t> owned) const {
        uint128 whole;
        std::uint64_t weights = 0;
        for (const std::uint32_t i : free_) {
            whole += owned[i];
            weights += nodes_[i].weight.thousandths();
        }
        std::vector<std::uint64_t> result(owned.begin(), owned.end());
        for (const std::uint32_t i : free_) { // below 2^66 · 2^30
            result[i] =
                divide(multiply(whole, nodes_[i].weight.thousandths()), weights).quotient.low;
        }
        return result;
    }

    [[nodiscard]] bool is_done(const list& l) const {
        return std::none_of(free_.begin(), free_.end(),
                            [&](std::uint32_t i) { return l.is_off(i, goal_.tolerance); });
    }
    [[nodiscard]] uint128 worst_of(const list& l) const {
        uint128 worst;
        for (const std::uint32_t i : free_) {
            worst = std::max(worst, l.relative(i));
        }
        return worst;
    }

    /// Changes the counts of those who are off; false if that would be more points than a ring
    /// holds.
    [[nodiscard]] bool correct(list& l) const {
        std::uint64_t sum = 0;
        for (const std::uint32_t i : free_) {
            if (l.is_off(i, goal_.tolerance)) {
                l.counts[i] = corrected_count(l, i);
            }
        }
        for (const std::uint32_t count : l.counts) {
            sum += count;
        }
        return sum <= max_points;
    }
    /// `c + 0.7 · c · (wished − owned) / max(owned, wished / 8)`, from 1 to 8 · plain + 64.
    [[nodiscard]] std::uint32_t corrected_count(const list& l, std::uint32_t i) const {
        const std::uint64_t per = 10 * std::max({l.owned[i], l.wished[i] / 8, std::uint64_t{1}});
        const uint128 change = multiply(l.distance(i), std::uint64_t{7} * l.counts[i]) + per / 2;
        const std::uint64_t by = divide(change, per).quotient.low; // at most 5.6 · c
        const std::uint64_t most =
            std::min<std::uint64_t>(max_points, std::uint64_t{8} * plain_[i] + 64);
        const std::uint64_t count = l.counts[i];
        if (l.owned[i] > l.wished[i]) {
            return static_cast<std::uint32_t>(count > by ? count - by : 1);
        }
        return static_cast<std::uint32_t>(std::min(most, count + by));
    }

    std::span<const placed_node> nodes_;
    correction_goal goal_;
    std::vector<std::uint32_t> plain_;
    std::vector<vnode_source<Scheme>> sources_;
    std::vector<std::uint32_t> free_;
};

} // namespace hashring::detail
