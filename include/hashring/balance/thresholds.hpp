// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/fraction.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// When a node counts as over- or underloaded, and how strongly a plan answers.

namespace hashring {

/// How far a load may be from the median before something is done: a part of the median, or an
/// absolute difference of load factors.
class threshold {
public:
    /// 5 % of the median.
    constexpr threshold() = default;

    [[nodiscard]] static constexpr threshold of_median(fraction64 part) noexcept {
        return {part, false};
    }
    [[nodiscard]] static constexpr threshold absolute(fraction64 difference) noexcept {
        return {difference, true};
    }
    /// `5%` or `2.5 %` (of the median), or `0.05` (absolute); from 0 to 1, at most 9 decimal
    /// places. Throws `invalid_option` for anything else.
    [[nodiscard]] static threshold parse(std::string_view text);

    [[nodiscard]] constexpr bool is_absolute() const noexcept { return absolute_; }
    [[nodiscard]] constexpr fraction64 value() const noexcept { return value_; }
    /// As `parse` reads it, up to 9 decimal places.
    [[nodiscard]] std::string text() const {
        return absolute_ ? detail::fixed_text(value_.of(std::uint64_t{1} << 32U), 32, 9)
                         : value_.percent_text(7);
    }

    /// The difference of load factors that it allows around a median load factor; one step more,
    /// as each load was rounded down: a load exactly at its threshold is within it.
    [[nodiscard]] constexpr fraction64 distance(fraction64 median) const noexcept {
        return fraction64::from_bits((absolute_ ? value_.bits() : value_.of(median.bits())) + 1);
    }
    /// The difference of relative loads that it allows around a relative median, where the
    /// cluster's load factor is `cluster`, which may have been rounded down to 0; one step more.
    [[nodiscard]] constexpr relative_load distance(relative_load median,
                                                   fraction64 cluster) const noexcept {
        const std::uint64_t exact = absolute_
                                        ? proportion(relative_load::one_bits, value_.bits(),
                                                     std::max<std::uint64_t>(cluster.bits(), 1))
                                        : value_.of(median.bits);
        return {exact + (exact < ~std::uint64_t{0} ? 1U : 0U)};
    }

    friend constexpr bool operator==(const threshold&, const threshold&) = default;

private:
    constexpr threshold(fraction64 value, bool is_absolute) noexcept
        : value_(value), absolute_(is_absolute) {}

    fraction64 value_ = fraction64::ratio(1, 20);
    bool absolute_ = false;
};

inline threshold threshold::parse(std::string_view text) {
    const auto refuse = [&] {
        return invalid_option(concat("threshold '", text,
                                     "' is neither a part such as 5% nor a number such as 0.05"));
    };
    std::string_view number = text;
    const bool in_percent = number.ends_with('%');
    if (in_percent) {
        number.remove_suffix(1);
        while (number.ends_with(' ')) {
            number.remove_suffix(1);
        }
    }
    const std::size_t dot = number.find('.');
    const std::string_view places = dot == std::string_view::npos ? "" : number.substr(dot + 1);
    const auto whole = parse_decimal<std::uint32_t>(number.substr(0, dot));
    std::string padded(places);
    padded.resize(9, '0');
    const auto billionths = parse_decimal<std::uint32_t>(padded);
    if (!whole || !billionths || places.size() > 9 ||
        (dot != std::string_view::npos && places.empty())) {
        throw refuse();
    }
    const std::uint64_t most = in_percent ? 100'000'000'000U : 1'000'000'000U;
    const std::uint64_t value = std::uint64_t{*whole} * 1'000'000'000U + *billionths;
    if (value > most) {
        throw refuse();
    }
    return {fraction64::ratio(value, most), !in_percent};
}

/// A node's own threshold.
struct named_threshold {
    std::string name{};
    threshold limit{};

    friend bool operator==(const named_threshold&, const named_threshold&) = default;
};

/// What is compared between nodes, relative to their capacities.
enum class load_kind : std::uint8_t {
    utilization, ///< what is used
    requests,    ///< requests in the last period
};

/// The settings of the rebalancer. All have defaults that suit fresh statistics.
///
/// The rules throw `invalid_option` for a gain, step or smoothing of 0, `vnodes` or a `ceiling`
/// outside [1, 2^24], two thresholds of one name, and an absolute threshold where loads are
/// requests, which have no absolute scale. A threshold of a name that is not in the statistics is
/// kept for the day that it is.
///
/// A rule that follows late or noisy statistics needs more patience: `cooldown` at least one more
/// than the periods by which they are late, `smoothing` of about 0.3 with noise, and a `limit` of
/// at least three standard deviations of the smoothed load. A limit should also be worth five
/// virtual nodes of the node that has the fewest. Plans warn where these are not kept.
struct thresholds {
    /// For the nodes that have none of their own.
    threshold limit{};
    std::vector<named_threshold> per_node{};
    load_kind load = load_kind::utilization;

    /// A node that was over its limit is corrected until it is within this part of it.
    fraction64 release = fraction64::ratio(1, 2);
    /// The part of a deviation that one plan corrects, by counts of virtual nodes.
    fraction64 gain = fraction64::ratio(1, 2);
    /// The most by which one plan changes a node's count, as a part of it.
    fraction64 step = fraction64::ratio(1, 4);
    /// The weight of the newest load in the smoothed one; 1 means no smoothing.
    fraction64 smoothing = fraction64::one();
    /// Periods in which a node is left alone after a change of its count; transfers: everybody.
    std::uint32_t cooldown = 0;

    /// The virtual nodes of a node of mean capacity, from which the floor and the ceiling come and
    /// around which the counts are kept. If not given, what nodes have on average in the first
    /// round.
    std::optional<std::uint32_t> vnodes{};
    /// The fewest virtual nodes, as a part of those due to a node by its capacity; at least 1.
    fraction64 floor = fraction64::ratio(1, 4);
    /// The most virtual nodes, as a multiple of those due to a node by its capacity.
    std::uint32_t ceiling = 8;

    /// The part of a deviation that one plan corrects, by transfers.
    fraction64 transfer_gain = fraction64::one();
    /// The standard deviation of a load before smoothing, relative to it, if it is known. Where
    /// loads are requests, it is otherwise that of counting them.
    std::optional<fraction64> noise{};

    friend bool operator==(const thresholds&, const thresholds&) = default;
};

} // namespace hashring
