// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/outcome.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace support {

// The spread, in percent, of a strategy at a place on the x axis, of the first measure or another.
inline simulate::spread percent_at(const simulate::experiment& e, std::string_view strategy,
                                   std::uint64_t x, std::string_view measure = "") {
    for (const simulate::measured& m : e.measures) {
        for (std::size_t s = 0; s < e.strategies.size(); ++s) {
            for (std::size_t i = 0; i < e.xs.size(); ++i) {
                if ((measure.empty() || m.name == measure) && e.strategies[s].name == strategy &&
                    e.xs[i] == x) {
                    const simulate::spread& v = m.values[s][i];
                    return {v.median * 100.0, v.p5 * 100.0, v.p95 * 100.0};
                }
            }
        }
    }
    throw std::runtime_error("nothing was measured there");
}

// All medians of a measure in thousandths, a strategy after the other.
inline std::string thousandths(const simulate::experiment& e, std::size_t measure) {
    std::string text;
    for (const auto& of_strategy : e.measures[measure].values) {
        for (const simulate::spread& s : of_strategy) {
            text += std::to_string(std::llround(s.median * 1000.0)) + " ";
        }
        text += "| ";
    }
    return text;
}

// Nothing if a median is between two limits, else what it is.
inline std::string off(const simulate::spread& s, double least, double most) {
    return s.median >= least && s.median <= most ? "" : std::to_string(s.median);
}

} // namespace support
