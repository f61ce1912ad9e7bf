// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/node_stats.hpp>
#include <hashring/balance/plan_transfers.hpp>
#include <hashring/balance/weights_plan.hpp>
#include <hashring/service/round_outcome.hpp>
#include <hashring/service/round_values.hpp>
#include <hashring/service/round_watch.hpp>
#include <hashring/service/self_check_rules.hpp>

#include <concepts>
#include <functional>
#include <span>

/// \file
/// What the user of a self-check gives it to call.

namespace hashring {

/// The functions that a self-check calls, all on its own thread, one at a time.
template <self_check_plan Plan>
struct self_check_functions {
    using rule_type = std::function<Plan(std::span<const node_stats>, const plan_state<Plan>&)>;

    /// `() -> collected_stats` or `std::vector<node_stats>`; may take a `const round_watch&`.
    /// Failing is throwing.
    detail::watched_function<collected_stats> source{};
    /// `(const Plan&) -> void` or bool, where false is a plan declined; may take a
    /// `const round_watch&` after it. It is called with plans that change something only. One that
    /// throws or declines had better have changed nothing; if it has all the same, the next round
    /// plans anew from the counts in the statistics.
    detail::watched_function<bool, const Plan&> apply{};
    /// What makes a plan. The default is `weights_rule` for a `weights_plan`, and `transfers_rule`
    /// for a `transfer_plan`.
    rule_type rule = default_rule();
    /// Told of every round at its end, if given. What it throws is dropped: there is nobody else to
    /// tell.
    std::function<void(const round_report<Plan>&)> report{};

private:
    [[nodiscard]] static rule_type default_rule() {
        if constexpr (std::same_as<Plan, weights_plan>) {
            return weights_rule{};
        } else if constexpr (std::same_as<Plan, transfer_plan>) {
            return transfers_rule{};
        } else {
            return {};
        }
    }
};

} // namespace hashring
