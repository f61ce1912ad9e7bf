// SPDX-License-Identifier: MIT
#pragma once

#include "support/manual_clock.hpp"
#include "support/rebalancing.hpp"

#include <hashring/service/self_check.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hashring::test {

/// The short name of the outcomes that tests expect in rows.
inline std::string name_of(round_outcome outcome) {
    switch (outcome) {
    case round_outcome::applied:
        return "applied";
    case round_outcome::nothing_to_do:
        return "nothing_to_do";
    case round_outcome::source_slow:
        return "source_slow";
    case round_outcome::source_partial:
        return "source_partial";
    case round_outcome::stats_stale:
        return "stats_stale";
    case round_outcome::plan_stale:
        return "plan_stale";
    case round_outcome::superseded:
        return "superseded";
    case round_outcome::stopped:
        return "stopped";
    case round_outcome::apply_declined:
        return "apply_declined";
    default:
        return std::string(describe(outcome));
    }
}

/// A self-check of three nodes, the second overloaded, on a clock that goes by hand; what its
/// functions do besides is set by the test.
struct scripted_check {
    explicit scripted_check(self_check_settings settings = {}, weights_rule with = {})
        : rule(std::move(with)),
          check({.source = [this](const round_watch& watch) { return collect(watch); },
                 .apply = [this](const weights_plan& plan,
                                 const round_watch& watch) { return apply(plan, watch); },
                 .rule =
                     [this](std::span<const node_stats> from, const rebalance_state& state) {
                         if (on_rule) {
                             on_rule();
                         }
                         return rule(from, state);
                     },
                 .report =
                     [this](const round_report<weights_plan>& report) {
                         reports.push_back(report);
                         if (on_report) {
                             on_report();
                         }
                     }},
                std::move(settings), {}, clock) {}

    collected_stats collect(const round_watch& watch) {
        ++sources;
        collected_stats result(stats);
        result.measured = measured;
        if (on_source) {
            on_source(watch);
        }
        return result;
    }
    bool apply(const weights_plan& plan, const round_watch& watch) {
        if (on_apply && !on_apply(watch)) {
            return false;
        }
        applied.push_back(rebalancing::counts(plan));
        return true;
    }

    [[nodiscard]] std::string outcomes() const {
        std::string text;
        for (const auto& report : reports) {
            text += name_of(report.outcome) + " ";
        }
        return text;
    }

    std::shared_ptr<manual_clock> clock = std::make_shared<manual_clock>();
    rebalancing::nodes stats{rebalancing::node("a", 500), rebalancing::node("b", 600),
                             rebalancing::node("c", 500)};
    std::optional<check_time> measured{};
    std::function<void(const round_watch&)> on_source{};
    std::function<bool(const round_watch&)> on_apply{};
    std::function<void()> on_rule{};
    std::function<void()> on_report{};
    int sources = 0;
    std::vector<std::string> applied{};
    std::vector<round_report<weights_plan>> reports{};
    std::vector<bool> seen{};
    weights_rule rule;
    self_check<> check; ///< the last: it ends first
};

} // namespace hashring::test
