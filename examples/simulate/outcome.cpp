// SPDX-License-Identifier: MIT
#include "simulate/outcome.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace simulate {

using hashring::concat;
using hashring::decimal;

namespace {

double quantile(const std::vector<double>& sorted, double part) {
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

} // namespace

spread spread_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {quantile(values, 0.5), quantile(values, 0.05), quantile(values, 0.95)};
}

std::string strategy_name::full_label() const {
    return concat(family, ": ", label);
}

std::string published_figure::percent_text() const {
    const std::string end = simulate::percent_text(most);
    return least < most ? concat(short_text(least * 100.0), "-", end) : end;
}

collector::collector(std::size_t measures, std::size_t strategies, std::size_t xs)
    : values_(measures, std::vector(strategies, std::vector(xs, std::vector<double>{}))) {}

void collector::add(std::size_t measure, std::size_t strategy, std::size_t x, double value) {
    values_[measure][strategy][x].push_back(value);
}

void collector::finish(experiment& into) const {
    for (std::size_t m = 0; m < values_.size(); ++m) {
        for (const auto& of_strategy : values_[m]) {
            std::vector<spread> spreads;
            for (const std::vector<double>& values : of_strategy) {
                spreads.push_back(spread_of(values));
            }
            into.measures[m].values.push_back(std::move(spreads));
        }
    }
}

std::string tenths_text(double value) {
    const std::int64_t tenths = std::llround(value * 10.0);
    const auto magnitude = static_cast<std::uint64_t>(tenths < 0 ? -tenths : tenths);
    return concat(tenths < 0 ? "-" : "", decimal(magnitude / 10), ".", decimal(magnitude % 10));
}

std::string short_text(double value) {
    std::string text = tenths_text(value);
    if (text.ends_with(".0")) {
        text.resize(text.size() - 2);
    }
    return text;
}

std::string percent_text(double fraction) {
    return concat(short_text(fraction * 100.0), " %");
}

} // namespace simulate
