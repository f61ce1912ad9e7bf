// SPDX-License-Identifier: MIT
#include "plan_rules.hpp"

#include "failure.hpp"

#include <hashring/balance/literal.hpp>
#include <hashring/balance/plan_transfers.hpp>
#include <hashring/balance/rebalance.hpp>
#include <hashring/balance/utilization.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tool {

namespace {

using hashring::fraction64;
using hashring::node_stats;
using hashring::threshold;

std::vector<node_stats> stats_of(const plan_input& input) {
    std::vector<node_stats> stats;
    stats.reserve(input.nodes.size());
    for (const planned_node& node : input.nodes) {
        stats.push_back(node.stats);
    }
    return stats;
}

/// A node without virtual nodes cannot be given other counts, but it can be given data.
bool looks_at(plan_rule rule, const node_stats& node) {
    return node.takes_part() && (node.vnodes > 0 || rule == plan_rule::transfers);
}

template <class Changes>
void take_changes(const Changes& changes, plan_result& result) {
    for (const auto& change : changes) {
        result.changes.emplace(change.name, count_change{change.vnodes, change.text()});
    }
}

void take_warnings(const std::vector<hashring::plan_warning>& warnings, plan_result& result) {
    for (const hashring::plan_warning& warning : warnings) {
        result.notes.push_back(warning.text);
    }
}

void plan_literally(const std::vector<node_stats>& stats, const hashring::thresholds& settings,
                    plan_result& result) {
    const auto plan = hashring::literal_hashed(stats, settings, result.state.literal);
    take_changes(plan.changes, result);
    for (const hashring::alert_event& event : plan.alerts) {
        result.notes.push_back(concat(
            event.alert.name, " at a load factor of ", event.load.percent_text(),
            ": alert of being ",
            event.alert.kind == hashring::alert_kind::overloaded ? "overloaded" : "underloaded",
            event.raised ? " raised" : " cleared"));
    }
    result.outcome = plan.outcome;
    result.state.literal = plan.state;
}

void plan_weights(const std::vector<node_stats>& stats, const hashring::thresholds& settings,
                  plan_result& result) {
    const auto plan = hashring::rebalance(stats, settings, result.state.weights);
    take_changes(plan.changes, result);
    take_warnings(plan.warnings, result);
    result.outcome = plan.outcome;
    result.state.weights = plan.state;
}

void plan_transfers(const std::vector<node_stats>& stats, const hashring::thresholds& settings,
                    plan_result& result) {
    const auto plan = hashring::plan_transfers(stats, settings, result.state.transfers);
    for (const hashring::load_transfer& t : plan.transfers) {
        result.handovers.push_back({t.from, t.to, t.amount, t.text()});
    }
    if (plan.cause) {
        result.notes.push_back(plan.cause->text());
    }
    take_warnings(plan.warnings, result);
    result.outcome = plan.outcome;
    result.state.transfers = plan.state;
}

} // namespace

plan_rule parse_rule(std::string_view name) {
    if (name == "literal") {
        return plan_rule::literal;
    }
    if (name == "weights") {
        return plan_rule::weights;
    }
    if (name == "transfers") {
        return plan_rule::transfers;
    }
    throw usage_failure(
        concat("--rule ", in_quotes(name), " is none of literal, weights, transfers"));
}

plan_result make_plan(plan_rule rule, const plan_input& input, const hashring::thresholds& settings,
                      const plan_state& state) {
    const std::vector<node_stats> stats = stats_of(input);
    plan_result result;
    result.state = state;
    switch (rule) {
    case plan_rule::literal:
        plan_literally(stats, settings, result);
        break;
    case plan_rule::weights:
        plan_weights(stats, settings, result);
        break;
    case plan_rule::transfers:
        plan_transfers(stats, settings, result);
        break;
    }
    return result;
}

load_overview overview_of(plan_rule rule, const plan_input& input) {
    std::vector<node_stats> seen;
    std::vector<fraction64> loads;
    for (const planned_node& node : input.nodes) {
        if (looks_at(rule, node.stats)) {
            seen.push_back(node.stats);
            loads.push_back(hashring::utilization(node.stats));
        }
    }
    load_overview overview;
    if (!loads.empty()) {
        const auto middle = loads.begin() + static_cast<std::ptrdiff_t>(loads.size() / 2);
        std::nth_element(loads.begin(), middle, loads.end());
        overview.median = *middle;
    }
    overview.mean = hashring::mean_utilization(seen);
    overview.cluster = hashring::cluster_utilization(seen);
    overview.load_gap = hashring::measure(seen).load_gap;
    return overview;
}

std::string_view verdict_of(plan_rule rule, const node_stats& node, const load_overview& loads,
                            const threshold& limit) {
    if (!looks_at(rule, node)) {
        return "left out";
    }
    const fraction64 load = hashring::utilization(node);
    const std::uint64_t allowed = limit.distance(loads.median).bits();
    if (load > loads.median && load.bits() - loads.median.bits() > allowed) {
        return "overloaded";
    }
    if (loads.median > load && loads.median.bits() - load.bits() > allowed) {
        return "underloaded";
    }
    return "within";
}

} // namespace tool
