// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>
#include <hashring/ring/cut_circle.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// \file
/// How much one node takes from the others or gives to them so that all stand at one level.

namespace hashring::detail {

/// What a node owns, and its weight in thousandths. The level of a node is the one over the other.
struct holding {
    uint128 owned;
    std::uint64_t weight = 0;
};

/// Levels one node, `self`, with the fullest or the emptiest of the others.
///
/// Products stay below 2^118: at most 2^64 positions times a sum of weights below 2^54.
class leveller {
public:
    leveller(std::span<const holding> nodes, std::uint32_t self, std::size_t most_partners)
        : nodes_(nodes), self_(self), most_partners_(most_partners) {}

    /// What `self` takes from those above the common level, at most `most_partners` and the fullest
    /// first; everything is 0 if nobody stands above it. `self` has a weight.
    [[nodiscard]] handover taken() {
        find_partners([](const uint128& a, const uint128& b) { return a > b; });
        handover result(nodes_.size());
        for (const std::uint32_t i : partners_) {
            const uint128 target = next_target(i);
            if (nodes_[i].owned > target) {
                result.gives[i] = nodes_[i].owned - target;
                result.needs[self_] += result.gives[i];
            }
        }
        return result;
    }

    /// What `self` gives to those below the common level, at most `most_partners` and the emptiest
    /// first; without a weight it gives all that it owns.
    [[nodiscard]] handover given() {
        find_partners([](const uint128& a, const uint128& b) { return a < b; });
        handover result(nodes_.size());
        uint128 left = nodes_[self_].owned;
        for (const std::uint32_t i : partners_) {
            const uint128 target = next_target(i);
            if (target > nodes_[i].owned) {
                result.needs[i] = std::min(left, target - nodes_[i].owned);
                result.gives[self_] += result.needs[i];
                left -= result.needs[i];
            }
        }
        return result;
    }

private:
    /// Compares the levels a / b_weight and b / a_weight by cross products.
    template <class Beyond>
    void find_partners(Beyond beyond) {
        partners_.clear();
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            if (i != self_ && nodes_[i].weight > 0) {
                partners_.push_back(i);
            }
        }
        std::sort(partners_.begin(), partners_.end(), [&](std::uint32_t a, std::uint32_t b) {
            const uint128 of_a = multiply(nodes_[a].owned, nodes_[b].weight);
            const uint128 of_b = multiply(nodes_[b].owned, nodes_[a].weight);
            return of_a == of_b ? a < b : beyond(of_a, of_b);
        });
        owned_ = nodes_[self_].owned;
        weight_ = nodes_[self_].weight;
        std::size_t count = 0;
        while (count < std::min(most_partners_, partners_.size())) {
            const holding& next = nodes_[partners_[count]];
            if (!beyond(multiply(next.owned, weight_), multiply(owned_, next.weight))) {
                break;
            }
            owned_ += next.owned;
            weight_ += next.weight;
            ++count;
        }
        partners_.resize(count);
        weight_before_ = 0;
        width_before_ = {};
    }

    /// What partner `i` owns at the common level. Targets are differences of running sums, so that
    /// each is within one position of its quota and no remainder piles up.
    [[nodiscard]] uint128 next_target(std::uint32_t i) {
        weight_before_ += nodes_[i].weight;
        const uint128 sum = divide(multiply(owned_, weight_before_), weight_).quotient;
        const uint128 target = sum - width_before_;
        width_before_ = sum;
        return target;
    }

    std::span<const holding> nodes_;
    std::uint32_t self_;
    std::size_t most_partners_;
    std::vector<std::uint32_t> partners_;
    uint128 owned_;            ///< of `self` and its partners together
    std::uint64_t weight_ = 0; ///< the same
    std::uint64_t weight_before_ = 0;
    uint128 width_before_;
};

} // namespace hashring::detail
