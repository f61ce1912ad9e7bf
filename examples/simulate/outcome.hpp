// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace simulate {

/// What many seeds gave: the median, and what 5 and 95 of 100 are at most.
struct spread {
    double median = 0.0;
    double p5 = 0.0;
    double p95 = 0.0;

    friend bool operator==(const spread&, const spread&) = default;
};

/// The spread of `values`, of which there is at least one; between two values in proportion.
[[nodiscard]] spread spread_of(std::vector<double> values);

/// One of the strategies that are set side by side.
struct strategy_name {
    std::string_view name;   ///< stable
    std::string_view family; ///< whose it is; those of a family come one after the other
    std::string_view label;  ///< for reading, within the family

    /// For reading without the others.
    [[nodiscard]] std::string full_label() const;
};

/// What is measured, along the x axis.
struct measured {
    std::string name;  ///< stable, such as `load_gap`
    std::string title; ///< for reading
    bool in_percent = false;
    /// By strategy and place on the x axis.
    std::vector<std::vector<spread>> values{};
};

/// What a paper says that it measured: one figure, or from the least to the most.
struct published_figure {
    std::string of; ///< which strategy
    double least = 0.0;
    double most = 0.0;

    /// Such as `5-8 %`.
    [[nodiscard]] std::string percent_text() const;
};

/// An experiment and what came out.
struct experiment {
    std::string name;
    std::string title;
    std::string summary; ///< what is compared and how, in a few sentences
    std::string x_name;  ///< stable, such as `nodes`
    std::string x_title;
    std::vector<std::uint64_t> xs{};
    std::vector<strategy_name> strategies{};
    std::vector<measured> measures{};          ///< the first one is what the paper draws
    std::vector<published_figure> published{}; ///< of the first measure
};

/// What all experiments are asked for.
struct settings {
    std::uint64_t seed = 1; ///< of the first trial; the others count on
    std::uint32_t seeds = 100;
    std::uint32_t records = 100'000;
    std::uint32_t vnodes = 160; ///< a node of mean capacity
    std::uint32_t k = 100;      ///< of the paper's counts by capability
};

/// Called after each of `settings::seeds` trials.
using step_function = std::function<void()>;

/// Collects what the trials measure.
class collector {
public:
    collector(std::size_t measures, std::size_t strategies, std::size_t xs);

    void add(std::size_t measure, std::size_t strategy, std::size_t x, double value);
    /// Puts the spreads into the measures of `into`, which has as many.
    void finish(experiment& into) const;

private:
    std::vector<std::vector<std::vector<std::vector<double>>>> values_;
};

/// `value` with one digit behind the point.
[[nodiscard]] std::string tenths_text(double value);
/// The same without a point and a 0 behind it.
[[nodiscard]] std::string short_text(double value);
/// That of a fraction in percent, such as `5 %` or `0.1 %`.
[[nodiscard]] std::string percent_text(double fraction);

} // namespace simulate
