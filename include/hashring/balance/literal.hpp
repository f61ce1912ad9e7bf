// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/limits.hpp>
#include <hashring/balance/literal_plan.hpp>
#include <hashring/balance/loads.hpp>
#include <hashring/balance/node_stats.hpp>
#include <hashring/balance/plan_report.hpp>
#include <hashring/balance/proportion.hpp>
#include <hashring/balance/thresholds.hpp>
#include <hashring/balance/utilization.hpp>
#include <hashring/core/uint128.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The rebalancer of the postal paper as it is printed, to compare with: one virtual node at a
/// time.

namespace hashring {

/// What a node's surroundings on the ring hold, which its statistics do not say: filled by the
/// caller, who knows the ring.
struct ring_neighbour {
    std::string name{};          ///< the node
    std::string anticlockwise{}; ///< the owner of the arc before one of the node's own
    std::uint64_t arc_data = 0;  ///< the data on that arc, in the unit of the stats
};

namespace detail {

/// What evens out two nodes: the amount that brings both to one load factor if it goes from the
/// fuller `from` to `to`, rounded down.
[[nodiscard]] inline std::uint64_t evening_amount(const node_stats& from, const node_stats& to) {
    const uint128 heavier = multiply(from.stored(), to.total);
    const uint128 lighter = multiply(to.stored(), from.total);
    if (heavier <= lighter) {
        return 0;
    }
    uint128 capacity = from.total;
    capacity += to.total;
    return divide_wide(heavier - lighter, capacity).quotient;
}

/// One round of the literal rule.
class literal_round {
public:
    literal_round(std::span<const node_stats> stats, const thresholds& settings,
                  const literal_state& state)
        : limits_(settings), loads_(stats, load_kind::utilization, true), before_(state) {
        for (const node_stats* node : loads_.nodes) {
            utilizations_.push_back(utilization(*node));
        }
    }

    /// `add(node, cut)` says whether the node gets a new virtual node, and may say where.
    template <class Add>
    [[nodiscard]] literal_plan run(Add add) {
        if (loads_.size() < 2) {
            plan_.state = before_;
            return std::move(plan_);
        }
        plan_.outcome =
            loads_.amount == uint128(0) ? plan_outcome::no_load : plan_outcome::balanced;
        std::vector<std::size_t> order(loads_.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = i;
        }
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return load(a) != load(b) ? load(a) < load(b) : a < b; // the second is by name
        });
        median_ = load(order[order.size() / 2]);
        relieve(order.back());
        fill(order.front(), add);
        clear_old();
        return std::move(plan_);
    }

    [[nodiscard]] const node_stats* find(std::string_view name) const {
        for (const node_stats* node : loads_.nodes) {
            if (node->name == name) {
                return node;
            }
        }
        return nullptr;
    }

private:
    [[nodiscard]] fraction64 load(std::size_t i) const { return utilizations_[i]; }

    [[nodiscard]] bool is_off(std::size_t i, fraction64 greater, fraction64 lesser) const {
        const fraction64 allowed = limits_.of(loads_.nodes[i]->name).distance(median_);
        return greater > lesser && greater.bits() - lesser.bits() > allowed.bits();
    }

    void relieve(std::size_t i) {
        if (!is_off(i, load(i), median_)) {
            return;
        }
        const std::uint32_t count = loads_.nodes[i]->vnodes;
        raise(i, alert_kind::overloaded);
        if (count > 1) { // the last one would take the node off the ring
            change(i, count - 1, std::nullopt, alert_kind::overloaded);
        }
    }

    template <class Add>
    void fill(std::size_t i, Add& add) {
        if (!is_off(i, median_, load(i))) {
            return;
        }
        const node_stats& node = *loads_.nodes[i];
        raise(i, alert_kind::underloaded);
        std::optional<arc_cut> cut;
        if (node.vnodes < max_points && add(node, cut)) {
            change(i, node.vnodes + 1, std::move(cut), alert_kind::underloaded);
        }
    }

    void raise(std::size_t i, alert_kind kind) {
        const node_alert alert{loads_.nodes[i]->name, kind};
        if (std::find(before_.alerts.begin(), before_.alerts.end(), alert) ==
            before_.alerts.end()) {
            plan_.alerts.push_back({alert, true, load(i)});
        }
        plan_.state.alerts.push_back(alert);
        if (plan_.outcome != plan_outcome::changes) {
            plan_.outcome = plan_outcome::limited;
        }
    }

    void change(std::size_t i, std::uint32_t vnodes, std::optional<arc_cut> cut, alert_kind kind) {
        const node_stats& node = *loads_.nodes[i];
        plan_.changes.push_back({node.name, node.vnodes, vnodes, load(i), median_,
                                 limits_.of(node.name), std::move(cut)});
        plan_.alerts.push_back({{node.name, kind}, false, load(i)});
        plan_.state.alerts.pop_back();
        plan_.outcome = plan_outcome::changes;
    }

    /// Alerts from before whose node is not off any more, or gone.
    void clear_old() {
        const auto is_known = [&](const node_alert& alert) {
            const auto& standing = plan_.state.alerts;
            const auto is_same = [&](const alert_event& e) {
                return e.alert == alert;
            };
            return std::find(standing.begin(), standing.end(), alert) != standing.end() ||
                   std::any_of(plan_.alerts.begin(), plan_.alerts.end(), is_same);
        };
        for (const node_alert& alert : before_.alerts) {
            if (!is_known(alert)) {
                const node_stats* node = find(alert.name);
                plan_.alerts.push_back(
                    {alert, false, node == nullptr ? fraction64() : utilization(*node)});
            }
        }
    }

    limits limits_;
    measured_loads loads_;
    std::vector<fraction64> utilizations_;
    const literal_state& before_;
    fraction64 median_{};
    literal_plan plan_;
};

} // namespace detail

/// The rule as printed, with virtual nodes where their labels hash: if the heaviest load is above
/// the median by more than that node's threshold, the node gets one virtual node fewer; if the
/// lightest is below it by more than that node's, one more. An alert is raised for each and cleared
/// when the count was changed; it stands while a node with a single virtual node cannot give it up.
///
/// Loads are load factors; the median is the upper one, by (load, name). It comes to rest only
/// where a virtual node is worth less than the threshold, and takes as many rounds as virtual nodes
/// have to move: `plan_weights` has neither fault. Throws like `plan_weights`. O(n log n).
///
/// Source: postal paper, load transfer between nodes.
[[nodiscard]] inline literal_plan literal_hashed(std::span<const node_stats> stats,
                                                 const thresholds& settings,
                                                 const literal_state& state = {}) {
    return detail::literal_round(stats, settings, state)
        .run([](const node_stats&, std::optional<arc_cut>&) { return true; });
}

/// The rule as printed, whose new virtual node "evens out" the lightest node and its anticlockwise
/// neighbour: it takes from that neighbour's arc what brings both to one load factor, or the whole
/// arc if that is less. Where no neighbour is known, takes part, or is the fuller, the alert stands
/// and nothing is added. The heaviest node gives up one virtual node as in `literal_hashed`.
///
/// @param neighbours  one for a node at most; of two the first counts. Only the lightest's matters.
///
/// Throws like `plan_weights`. O(n log n).
///
/// Source: postal paper, load transfer between nodes.
[[nodiscard]] inline literal_plan literal_equalising(std::span<const node_stats> stats,
                                                     std::span<const ring_neighbour> neighbours,
                                                     const thresholds& settings,
                                                     const literal_state& state = {}) {
    detail::literal_round round(stats, settings, state);
    return round.run([&](const node_stats& node, std::optional<arc_cut>& cut) {
        const auto known =
            std::find_if(neighbours.begin(), neighbours.end(),
                         [&](const ring_neighbour& n) { return n.name == node.name; });
        const node_stats* from =
            known == neighbours.end() ? nullptr : round.find(known->anticlockwise);
        if (from == nullptr) {
            return false;
        }
        cut = arc_cut{from->name, std::min(known->arc_data, detail::evening_amount(*from, node))};
        return cut->amount > 0;
    });
}

} // namespace hashring
