// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

/// \file
/// When a node that fails is left alone, and when it is asked again: pure functions of outcomes.

namespace hashring {

/// When to eject a node and when to take it back. The two differ, so that a node that flaps is not
/// ejected and taken back at every outcome.
struct ejection_rules {
    using duration = std::chrono::milliseconds;

    std::uint32_t failures = 3;  ///< so many in a row eject a node; at least 1
    std::uint32_t successes = 2; ///< so many in a row, when it is asked again, take it back
    /// How long an ejected node is left alone before it is asked again; twice as long after each
    /// failure, up to `longest_pause`.
    duration first_pause{1'000};
    duration longest_pause{60'000};
    /// The most nodes that may be ejected at a time, in hundredths of all, rounded down.
    std::uint32_t most_percent = 50;

    friend bool operator==(const ejection_rules&, const ejection_rules&) = default;
};

/// What is remembered of a node. A fresh one is in use and has never failed.
struct node_health {
    using time_point = std::chrono::steady_clock::time_point;

    bool is_ejected = false;
    std::uint32_t in_a_row = 0; ///< failures while in use, successes while ejected
    std::uint32_t pauses = 0;   ///< how many it was given since it was in use
    time_point ask_at{};        ///< while ejected: not before

    friend bool operator==(const node_health&, const node_health&) = default;
};

/// What an outcome did to a node.
enum class health_change : std::uint8_t { none, ejected, taken_back };

/// The pause before an ejected node is asked again for the `n`-th time, from 0.
[[nodiscard]] constexpr ejection_rules::duration pause_of(const ejection_rules& rules,
                                                          std::uint32_t n) noexcept {
    ejection_rules::duration pause = std::min(rules.first_pause, rules.longest_pause);
    for (; n > 0 && pause.count() > 0 && pause < rules.longest_pause; --n) {
        pause += std::min(pause, rules.longest_pause - pause);
    }
    return pause;
}

/// The end of a pause that begins at `now`; the end of time if it is longer than the clock can say.
[[nodiscard]] constexpr node_health::time_point
end_of_pause(node_health::time_point now, ejection_rules::duration pause) noexcept {
    using time_point = node_health::time_point;
    const auto left = time_point::max() - std::max(now, time_point{}); // before 0 it would overflow
    return pause < std::chrono::duration_cast<ejection_rules::duration>(left) ? now + pause
                                                                              : time_point::max();
}

/// Whether a node may be asked at `now`: it is in use, or its pause is over.
[[nodiscard]] constexpr bool may_be_asked(const node_health& node,
                                          node_health::time_point now) noexcept {
    return !node.is_ejected || now >= node.ask_at;
}

/// Whether one more node may be ejected, if `ejected` of `nodes` are.
[[nodiscard]] constexpr bool may_eject(const ejection_rules& rules, std::size_t ejected,
                                       std::size_t nodes) noexcept {
    return (ejected + 1) * 100 <= nodes * rules.most_percent;
}

/// Takes the outcome of a request to a node, known at `now`, and says what became of the node. With
/// `may_eject` false a node that would be ejected stays in use, and is ejected by the next failure
/// that may. What comes while its pause lasts was sent before, and changes nothing.
///
/// Law: the state and the outcomes alone decide. A node is ejected by `failures` failures without a
/// success between them, and taken back by `successes` successes without a failure between them,
/// each of them known when its pause was over.
constexpr health_change observe(node_health& node, bool has_answered, node_health::time_point now,
                                const ejection_rules& rules, bool may_eject) noexcept {
    if (!node.is_ejected) {
        node.in_a_row = has_answered ? 0 : std::min(node.in_a_row + 1, rules.failures);
        if (node.in_a_row < rules.failures || !may_eject || has_answered) {
            return health_change::none;
        }
        node = {true, 0, 0, end_of_pause(now, pause_of(rules, 0))};
        return health_change::ejected;
    }
    if (!may_be_asked(node, now)) {
        return health_change::none;
    }
    if (!has_answered) {
        node.in_a_row = 0;
        ++node.pauses;
        node.ask_at = end_of_pause(now, pause_of(rules, node.pauses));
        return health_change::none;
    }
    if (++node.in_a_row < rules.successes) {
        return health_change::none;
    }
    node = {};
    return health_change::taken_back;
}

} // namespace hashring
