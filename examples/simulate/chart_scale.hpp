// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/outcome.hpp"

#include <cstddef>
#include <vector>

namespace simulate {

/// What is less is drawn on the axis: no reader cares whether 0.01 or 0.001 % is lost.
inline constexpr double least_drawn = 0.001;

/// Where fractions stand on a logarithmic y axis between two heights of the drawing.
class height_scale {
public:
    /// From all that `e` has of its first measure and of published figures.
    height_scale(const experiment& e, double top, double bottom);

    [[nodiscard]] double y(double fraction) const;
    /// The fractions that lines are drawn at: 1, 2 and 5 of every power of ten.
    [[nodiscard]] std::vector<double> ticks() const;
    /// Whether something is less than what the axis stands for.
    [[nodiscard]] bool is_cut() const { return cut_; }

private:
    double top_;
    double bottom_;
    double low_ = 0.0;
    double high_ = 0.0;
    bool cut_ = false;
};

/// Where the places of the x axis stand between two edges of the drawing, and so many strategies
/// beside each other at each, so that their bars can be told apart.
class width_scale {
public:
    width_scale(std::size_t places, std::size_t strategies, double left, double right);

    [[nodiscard]] double x(std::size_t place) const;
    [[nodiscard]] double x(std::size_t place, std::size_t strategy) const;

    /// The places that have room for their names, `widths` wide: the last, the first, and between
    /// them what does not touch the one before.
    [[nodiscard]] std::vector<std::size_t> named(const std::vector<double>& widths) const;

private:
    double left_;
    double step_;
    std::size_t strategies_;
};

} // namespace simulate
