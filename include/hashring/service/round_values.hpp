// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/node_stats.hpp>
#include <hashring/service/round_outcome.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// What goes into a round of the self-check and what it decides.

namespace hashring {

/// A plan that says whether there is something to do, and has the state to hand in next time:
/// `weights_plan`, `transfer_plan`, `literal_plan`, or one's own.
template <class Plan>
concept self_check_plan = std::movable<Plan> && requires(const Plan& plan) {
    { plan.empty() } -> std::convertible_to<bool>;
    requires std::copyable<std::remove_cvref_t<decltype(plan.state)>>;
};

/// What the rule of a plan remembers.
template <self_check_plan Plan>
using plan_state = std::remove_cvref_t<decltype(std::declval<Plan&>().state)>;

/// What a source answers. A list of statistics alone is one, too.
struct collected_stats {
    std::vector<node_stats> nodes{};
    /// The names that there have to be: those on the ring. If not given, those of the last round
    /// that was done.
    std::optional<std::vector<std::string>> expected{};
    /// When the statistics were measured, if the source knows; else when it was called.
    std::optional<check_time> measured{};

    collected_stats() = default;
    collected_stats(std::vector<node_stats> stats) : nodes(std::move(stats)) {}
    collected_stats(std::vector<node_stats> stats, std::vector<std::string> on_ring,
                    std::optional<check_time> at = {})
        : nodes(std::move(stats)), expected(std::move(on_ring)), measured(at) {}
};

/// The call of a source: what it answered, and when.
struct source_answer {
    std::optional<collected_stats> stats{}; ///< none if it threw
    std::string error{};                    ///< what it threw
    check_time asked{};
    check_time answered{};
};

/// What is kept from a round that was done for the next one.
template <class State>
struct self_check_memory {
    State state{};
    std::vector<std::string> nodes{};     ///< whose statistics there were
    std::optional<check_time> measured{}; ///< if the source said so

    friend bool operator==(const self_check_memory&, const self_check_memory&) = default;
};

/// Why there is no plan.
struct round_skip {
    round_outcome reason{};
    std::string detail{};

    friend bool operator==(const round_skip&, const round_skip&) = default;
};

/// What a round decides: either a plan and what to remember once it is carried out, or why not.
template <self_check_plan Plan>
struct round_decision {
    std::optional<Plan> plan{};
    std::optional<round_skip> skip{};
    self_check_memory<plan_state<Plan>> next{};
    check_time measured{}; ///< from which the age of the plan counts
};

} // namespace hashring
