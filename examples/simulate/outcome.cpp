// SPDX-License-Identifier: MIT
#include "simulate/outcome.hpp"

#include <algorithm>

namespace simulate {

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

} // namespace simulate
