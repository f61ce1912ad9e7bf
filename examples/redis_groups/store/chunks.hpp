// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

/// \file
/// Many keys in parts, and another try for those that may pass.

namespace redis_groups {

inline constexpr std::chrono::milliseconds pause_before_another_try{50};

/// The part of a group's share that goes into one batch.
[[nodiscard]] inline std::span<const std::size_t> chunk_of(const std::vector<std::size_t>& share,
                                                           std::size_t first, std::size_t size) {
    const std::size_t begin = std::min(first, share.size());
    return std::span(share).subspan(begin, std::min(size, share.size() - begin));
}

[[nodiscard]] inline std::size_t largest(const std::vector<std::vector<std::size_t>>& shares) {
    std::size_t most = 0;
    for (const auto& share : shares) {
        most = std::max(most, share.size());
    }
    return most;
}

[[nodiscard]] inline std::vector<std::size_t> all_of(std::size_t count) {
    std::vector<std::size_t> indices(count);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    return indices;
}

/// Calls `attempt` until nothing of `results` may pass any more or patience is over.
template <class Result, class Attempt>
void try_until(std::chrono::milliseconds patience, std::vector<Result>& results, Attempt attempt) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    const auto is_open = [](const Result& result) {
        return result.may_pass;
    };
    attempt();
    while (std::any_of(results.begin(), results.end(), is_open) &&
           std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(pause_before_another_try);
        attempt();
    }
}

} // namespace redis_groups
