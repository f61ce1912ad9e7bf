// SPDX-License-Identifier: MIT
#include "simulate/chart_scale.hpp"

#include <algorithm>
#include <cmath>

namespace simulate {

height_scale::height_scale(const experiment& e, double top, double bottom)
    : top_(top), bottom_(bottom) {
    double least = 1.0;
    double most = least_drawn;
    const auto take = [&](double low, double high) {
        least = std::min(least, low);
        most = std::max(most, high);
    };
    for (const auto& of_strategy : e.measures[0].values) {
        for (const spread& s : of_strategy) {
            take(s.p5, s.p95);
        }
    }
    for (const published_figure& f : e.published) {
        take(f.least, f.most);
    }
    cut_ = least < least_drawn;
    low_ = std::pow(10.0, std::floor(std::log10(std::max(least, least_drawn))));
    high_ = std::max(most, low_ * 10.0);
}

double height_scale::y(double fraction) const {
    const double part = std::log(std::max(fraction, low_) / low_) / std::log(high_ / low_);
    return bottom_ - part * (bottom_ - top_);
}

std::vector<double> height_scale::ticks() const {
    std::vector<double> result;
    const double most = high_ * (1.0 + 1e-9);
    double decade = low_;
    while (decade <= most) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            if (decade * factor <= most) {
                result.push_back(decade * factor);
            }
        }
        decade *= 10.0;
    }
    return result;
}

width_scale::width_scale(std::size_t places, std::size_t strategies, double left, double right)
    : left_(left), step_((right - left) / static_cast<double>(places)), strategies_(strategies) {}

double width_scale::x(std::size_t place) const {
    return left_ + step_ * (static_cast<double>(place) + 0.5);
}

double width_scale::x(std::size_t place, std::size_t strategy) const {
    const double middle = static_cast<double>(strategies_ - 1) / 2.0;
    const double room = step_ * 0.7 / static_cast<double>(strategies_);
    return x(place) + room * (static_cast<double>(strategy) - middle);
}

std::vector<std::size_t> width_scale::named(const std::vector<double>& widths) const {
    constexpr double least_gap = 6.0;
    const auto fits = [&](std::size_t a, std::size_t b) {
        return x(b) - x(a) >= (widths[a] + widths[b]) / 2.0 + least_gap;
    };
    const std::size_t last = widths.size() - 1;
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < last; ++i) {
        if ((result.empty() || fits(result.back(), i)) && fits(i, last)) {
            result.push_back(i);
        }
    }
    result.push_back(last);
    return result;
}

} // namespace simulate
