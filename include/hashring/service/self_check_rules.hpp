// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/node_stats.hpp>
#include <hashring/balance/plan_transfers.hpp>
#include <hashring/balance/rebalance.hpp>
#include <hashring/balance/thresholds.hpp>

#include <cstdint>
#include <optional>
#include <span>

/// \file
/// The rebalancer's rules with their settings, as a self-check calls them.

namespace hashring {

/// `rebalance`: a pure function, so it may be called from any thread; throws as that does.
struct weights_rule {
    thresholds settings{};

    [[nodiscard]] weights_plan operator()(std::span<const node_stats> stats,
                                          const rebalance_state& state) const {
        return rebalance(stats, settings, state);
    }
};

/// `plan_transfers`, likewise.
struct transfers_rule {
    thresholds settings{};
    std::optional<std::uint64_t> budget{};

    [[nodiscard]] transfer_plan operator()(std::span<const node_stats> stats,
                                           const transfer_state& state) const {
        return plan_transfers(stats, settings, state, budget);
    }
};

} // namespace hashring
