// SPDX-License-Identifier: MIT
#include "lookup_time.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tool {

namespace {

/// Where sums go, so that no look-up is left out.
volatile std::uint64_t unread = 0;

double nanoseconds_a_key(const placement& placed, const std::vector<std::string>& keys) {
    using clock = std::chrono::steady_clock;
    const clock::time_point start = clock::now();
    unread = placed.owners_sum(keys);
    const std::chrono::duration<double, std::nano> took = clock::now() - start;
    return took.count() / static_cast<double>(keys.size());
}

} // namespace

std::vector<double> lookup_times(const std::vector<const placement*>& placed,
                                 const std::vector<std::string>& keys) {
    std::vector<double> medians(placed.size());
    if (keys.empty()) {
        return medians;
    }
    std::vector<std::vector<double>> rounds(placed.size());
    for (std::size_t round = 0; round < time_rounds; ++round) {
        for (std::size_t i = 0; i < placed.size(); ++i) {
            rounds[i].push_back(nanoseconds_a_key(*placed[i], keys));
        }
    }
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const auto middle = rounds[i].begin() + time_rounds / 2;
        std::nth_element(rounds[i].begin(), middle, rounds[i].end());
        medians[i] = *middle;
    }
    return medians;
}

} // namespace tool
