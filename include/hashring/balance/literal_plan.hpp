// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/plan_report.hpp>
#include <hashring/balance/thresholds.hpp>
#include <hashring/core/text.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// \file
/// What the rebalancer of the postal paper, taken literally, says and remembers.

namespace hashring {

/// Which way a node is off.
enum class alert_kind : std::uint8_t { overloaded, underloaded };

/// An alert of one node.
struct node_alert {
    std::string name{};
    alert_kind kind{};

    friend bool operator==(const node_alert&, const node_alert&) = default;
};

/// An alert that was raised or cleared in a round. `load` is the node's at that time.
struct alert_event {
    node_alert alert{};
    bool raised = false; ///< else cleared
    fraction64 load{};

    friend bool operator==(const alert_event&, const alert_event&) = default;
};

/// The alerts that stand: the nodes off by more than their threshold that could not be helped.
struct literal_state {
    std::vector<node_alert> alerts{};

    friend bool operator==(const literal_state&, const literal_state&) = default;
};

/// Where a node's new virtual node stands: it takes `amount` from the end of the arc of `from`, the
/// neighbour before it.
struct arc_cut {
    std::string from{};
    std::uint64_t amount = 0; ///< in the unit of the stats

    friend bool operator==(const arc_cut&, const arc_cut&) = default;
};

/// One virtual node more or less for one node, and what caused it.
struct literal_change {
    std::string name{};
    std::uint32_t before = 0;
    std::uint32_t vnodes = 0; ///< from now on
    fraction64 load{};
    fraction64 median{};
    threshold limit{};
    std::optional<arc_cut> cut{}; ///< where the new one stands, if not where its label hashes

    /// In words, such as `'a': load factor 80 % is above the median 50 % by more than the
    /// threshold 5 %: 160 -> 159 virtual nodes`.
    [[nodiscard]] std::string text() const {
        std::string out =
            concat("'", name, "': load factor ", load.percent_text(),
                   load > median ? " is above" : " is below", " the median ", median.percent_text(),
                   " by more than the threshold ", limit.text(), ": ", decimal(before), " -> ",
                   decimal(vnodes), " virtual nodes");
        if (cut) {
            out += concat(", the new one takes ", decimal(cut->amount), " from '", cut->from, "'");
        }
        return out;
    }

    friend bool operator==(const literal_change&, const literal_change&) = default;
};

/// At most two changes, the overloaded node's first, the alerts of the round, and the state to hand
/// in next time.
struct literal_plan {
    std::vector<literal_change> changes{};
    std::vector<alert_event> alerts{}; ///< in the order in which they happened
    plan_outcome outcome = plan_outcome::too_few_nodes;
    literal_state state{};

    [[nodiscard]] bool empty() const noexcept { return changes.empty(); }

    friend bool operator==(const literal_plan&, const literal_plan&) = default;
};

} // namespace hashring
