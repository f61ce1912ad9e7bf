// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

/// \file
/// How even a load is. A load is whatever is compared between nodes: share ÷ wished share, keys ÷
/// wished keys, used ÷ capacity. Leave nodes of weight 0 out.

namespace hashring {

/// The measures of one set of loads; dimensionless, 0 means perfectly even for all but
/// `peak_to_mean`, for which 1 does.
struct load_measures {
    /// (max − min) / mean: the papers' measure, in [0, n].
    double load_gap = 0.0;
    /// max / mean, in [1, n].
    double peak_to_mean = 1.0;
    /// Standard deviation (of the whole set, not a sample) / mean, in [0, √n].
    double coefficient_of_variation = 0.0;
};

/// The measures of `loads`, all finite and ≥ 0. No loads, or only zeros, measure as perfectly even.
/// O(n).
///
/// Source: the load gap is the postal paper's; Redis and shard papers compare maximum and minimum.
[[nodiscard]] inline load_measures measure(std::span<const double> loads) {
    double sum = 0.0;
    for (const double load : loads) {
        sum += load;
    }
    if (!(sum > 0.0)) {
        return {};
    }
    const double mean = sum / static_cast<double>(loads.size());
    double squares = 0.0;
    for (const double load : loads) {
        squares += (load - mean) * (load - mean);
    }
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    return {(*most - *least) / mean, *most / mean,
            std::sqrt(squares / static_cast<double>(loads.size())) / mean};
}

} // namespace hashring
