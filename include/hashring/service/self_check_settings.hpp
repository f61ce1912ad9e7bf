// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/node_stats.hpp>
#include <hashring/core/error.hpp>
#include <hashring/service/round_outcome.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <span>

/// \file
/// How often a self-check looks, and what it takes for fresh and whole.

namespace hashring {

/// The settings of a self-check. All have defaults.
///
/// Source: postal paper, load transfer between nodes: a period T of 30 s.
struct self_check_settings {
    check_duration period = std::chrono::seconds(30);
    /// From the start to the first round; a period if not given, 0 for a round at once.
    std::optional<check_duration> first{};
    /// The longest that the source may take; a period if not given. A slower answer is dropped.
    std::optional<check_duration> source_limit{};
    /// The oldest that statistics may be when a plan is applied; a period if not given. The age
    /// counts from when they were measured, or if the source does not say, from when it was called.
    std::optional<check_duration> max_age{};
    /// Says whether statistics are whole, besides the comparison of names that is always made.
    std::function<bool(std::span<const node_stats>)> is_whole{};

    [[nodiscard]] check_duration first_after() const noexcept { return first.value_or(period); }
    [[nodiscard]] check_duration longest_source() const noexcept {
        return source_limit.value_or(period);
    }
    [[nodiscard]] check_duration oldest() const noexcept { return max_age.value_or(period); }

    /// Throws `invalid_option` for a period of 0, a negative time, or one above 366 days.
    void check() const {
        constexpr check_duration most = std::chrono::hours(24 * 366);
        if (period <= check_duration::zero() || period > most) {
            throw invalid_option("the period of a self-check is above 0 and at most 366 days");
        }
        for (const auto& time : {first, source_limit, max_age}) {
            if (time && (*time < check_duration::zero() || *time > most)) {
                throw invalid_option("the times of a self-check are from 0 to 366 days");
            }
        }
    }
};

} // namespace hashring
