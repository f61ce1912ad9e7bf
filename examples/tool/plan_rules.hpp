// SPDX-License-Identifier: MIT
#pragma once

#include "plan_input.hpp"
#include "plan_state.hpp"

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/plan_report.hpp>
#include <hashring/balance/thresholds.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

enum class plan_rule { literal, weights, transfers };

/// The rule called `name`; throws `usage_failure`.
[[nodiscard]] plan_rule parse_rule(std::string_view name);

/// A new count of virtual nodes.
struct count_change {
    std::uint32_t vnodes = 0;
    std::string why;
};

/// What one node hands to another.
struct handover {
    std::string from;
    std::string to;
    std::uint64_t amount = 0;
    std::string why;
};

/// A plan by any of the rules.
struct plan_result {
    hashring::plan_outcome outcome{};
    std::map<std::string, count_change, std::less<>> changes; ///< by the node's name
    std::vector<handover> handovers;
    std::vector<std::string> notes; ///< causes, alerts and warnings, in words
    plan_state state;               ///< for the next plan
};

[[nodiscard]] plan_result make_plan(plan_rule rule, const plan_input& input,
                                    const hashring::thresholds& settings, const plan_state& state);

/// Where the nodes stand that a rule looks at.
struct load_overview {
    hashring::fraction64 median;  ///< of their load factors, the upper one
    hashring::fraction64 mean;    ///< of their load factors
    hashring::fraction64 cluster; ///< used ÷ capacity, both summed
    double load_gap = 0.0;
};

[[nodiscard]] load_overview overview_of(plan_rule rule, const plan_input& input);

/// `overloaded`, `underloaded` or `within` the threshold of the median; `left out` for a node that
/// the rule does not look at.
[[nodiscard]] std::string_view verdict_of(plan_rule rule, const hashring::node_stats& node,
                                          const load_overview& loads,
                                          const hashring::threshold& limit);

} // namespace tool
