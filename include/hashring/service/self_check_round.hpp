// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/node_stats.hpp>
#include <hashring/core/text.hpp>
#include <hashring/service/round_outcome.hpp>
#include <hashring/service/round_values.hpp>
#include <hashring/service/self_check_settings.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// One round of the self-check as a function over values, without a thread and without a clock: a
/// program with a loop of its own calls it there.

namespace hashring {

namespace detail {

/// What the exception being handled says; empty where even that is too much.
[[nodiscard]] inline std::string caught_text() noexcept {
    try {
        try {
            throw;
        } catch (const std::exception& reason) {
            return reason.what();
        } catch (...) {
            return "an exception of no standard type";
        }
    } catch (...) {
        return {};
    }
}

[[nodiscard]] inline std::vector<std::string> sorted_names(std::span<const node_stats> stats) {
    std::vector<std::string> names;
    names.reserve(stats.size());
    for (const node_stats& node : stats) {
        names.push_back(node.name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// Says whose statistics are missing; nothing if none are. `names` are sorted.
[[nodiscard]] inline std::optional<std::string>
missing_names(std::span<const std::string> names, std::span<const std::string> expected) {
    const std::string* first = nullptr;
    std::size_t count = 0;
    for (const std::string& name : expected) {
        if (!std::binary_search(names.begin(), names.end(), name)) {
            first = first == nullptr ? &name : first;
            ++count;
        }
    }
    if (count == 0) {
        return std::nullopt;
    }
    return count == 1 ? concat("none of node '", *first, "'")
                      : concat("none of node '", *first, "' and ", decimal(count - 1), " more");
}

/// What is wrong with the statistics themselves. `names` are theirs, sorted.
[[nodiscard]] inline std::optional<round_skip> fault_of(const collected_stats& stats,
                                                        std::span<const std::string> names,
                                                        std::span<const std::string> before,
                                                        const self_check_settings& settings) {
    if (names.empty() && !stats.expected) {
        return round_skip{round_outcome::source_partial, "no node at all"};
    }
    const std::span<const std::string> expected = stats.expected ? *stats.expected : before;
    if (auto missing = missing_names(names, expected)) {
        return round_skip{round_outcome::source_partial, *std::move(missing)};
    }
    try {
        if (settings.is_whole && !settings.is_whole(stats.nodes)) {
            return round_skip{round_outcome::source_partial, {}};
        }
    } catch (...) {
        return round_skip{round_outcome::source_failed, caught_text()};
    }
    return std::nullopt;
}

/// What is wrong with the time at which statistics were measured, as the source said it.
[[nodiscard]] inline std::optional<round_skip> fault_of_age(const std::optional<check_time>& said,
                                                            const source_answer& answer,
                                                            const std::optional<check_time>& before,
                                                            const self_check_settings& settings) {
    const auto stale = [](std::string_view why) {
        return round_skip{round_outcome::stats_stale, std::string(why)};
    };
    if (said && *said > answer.answered) {
        return stale("measured later than now");
    }
    if (said && before && *said <= *before) {
        return stale("not measured later than those of the round before");
    }
    if (answer.answered - said.value_or(answer.asked) > settings.oldest()) {
        return stale({});
    }
    return std::nullopt;
}

} // namespace detail

/// One round: from what a source answered and what is remembered to a plan, or to why there is
/// none. Nothing is applied; `plan_objection` says whether it still may be.
///
/// In this order a round is skipped: the source threw; it took longer than `source_limit`; it has
/// no node at all, or a node is missing that is on the ring or, if the source does not name those,
/// was there in the last round that was done; `is_whole` says no; the statistics are older than
/// `max_age`, from the future, or said to be no newer than those of that round; the rule throws.
///
/// @param answer    what the source said, and when.
/// @param memory    the `next` of the decision before that was carried out, or an empty one.
/// @param settings  what is too slow, too old and not whole.
/// @param rule      `(std::span<const node_stats>, const state&) -> plan`, such as `weights_rule`.
/// @throws          nothing that `rule` or `is_whole` throws: that is a reason to skip;
///                  `std::bad_alloc`.
///
/// Thread-safe as `rule` and `is_whole` are. O(n log n), and what the rule costs.
template <class Rule, class State>
[[nodiscard]] auto self_check_round(const source_answer& answer,
                                    const self_check_memory<State>& memory,
                                    const self_check_settings& settings, const Rule& rule)
    -> round_decision<
        std::invoke_result_t<const Rule&, std::span<const node_stats>, const State&>> {
    round_decision<std::invoke_result_t<const Rule&, std::span<const node_stats>, const State&>>
        result;
    if (!answer.stats) {
        result.skip = {round_outcome::source_failed, answer.error};
        return result;
    }
    if (answer.answered - answer.asked > settings.longest_source()) {
        result.skip = {round_outcome::source_slow, {}};
        return result;
    }
    const collected_stats& stats = *answer.stats;
    result.measured = stats.measured.value_or(answer.asked);
    result.next.measured = stats.measured;
    result.next.nodes = detail::sorted_names(stats.nodes);
    result.skip = detail::fault_of(stats, result.next.nodes, memory.nodes, settings);
    if (!result.skip) {
        result.skip = detail::fault_of_age(stats.measured, answer, memory.measured, settings);
    }
    if (result.skip) {
        return result;
    }
    try {
        result.plan.emplace(rule(std::span<const node_stats>(stats.nodes), memory.state));
    } catch (...) {
        result.skip = {round_outcome::plan_failed, detail::caught_text()};
        return result;
    }
    result.next.state = result.plan->state;
    return result;
}

/// Why a plan may not be applied any more; nothing if it may. Thread-safe; O(1).
///
/// @param measured    from when its statistics are.
/// @param now         the time at which it would be applied.
/// @param is_changed  whether the cluster was changed after the statistics were asked for.
/// @param is_stopped  whether the self-check has been told to stop.
[[nodiscard]] inline std::optional<round_outcome>
plan_objection(check_time measured, check_time now, const self_check_settings& settings,
               bool is_changed, bool is_stopped) noexcept {
    if (is_stopped) {
        return round_outcome::stopped;
    }
    if (is_changed) {
        return round_outcome::superseded;
    }
    if (now - measured > settings.oldest()) {
        return round_outcome::plan_stale;
    }
    return std::nullopt;
}

} // namespace hashring
