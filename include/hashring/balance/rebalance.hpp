// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/plan_weights.hpp>

#include <span>

/// \file
/// The rebalancer as most programs want it.

namespace hashring {

/// Who gets how many virtual nodes, and why: `plan_weights`, under the name of what it is for.
///
/// ```cpp
/// const auto plan = hashring::rebalance(stats, thresholds, state);
/// for (const auto& change : plan.changes) {
///     std::cout << change.text() << '\n';
///     ring.set_vnodes(change.name, change.vnodes);
/// }
/// state = plan.state;
/// ```
/// `literal_hashed` and `literal_equalising` are the paper's own rules, `plan_transfers` says who
/// hands how much to whom.
[[nodiscard]] inline weights_plan rebalance(std::span<const node_stats> stats,
                                            const thresholds& settings = {},
                                            const rebalance_state& state = {}) {
    return plan_weights(stats, settings, state);
}

} // namespace hashring
