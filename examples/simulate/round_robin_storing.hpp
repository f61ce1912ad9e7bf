// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/random.hpp"
#include "simulate/storing.hpp"

#include <hashring/balance/smooth_order.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace simulate {

/// Load factors are collected anew whenever so many thousandths of the capacity were written, each
/// time another number: what is written within a period of the clock varies.
inline constexpr std::uint64_t least_refresh_thousandths = 20;
inline constexpr std::uint64_t most_refresh_thousandths = 30;

/// How the weights of a round follow from what is stored.
using weight_rule = std::vector<hashring::store_weight> (*)(std::span<const hashring::node_stats>);

/// Hands out turns by weights that are collected anew from time to time.
class refreshed_order {
public:
    refreshed_order(const trial& t, weight_rule rule);

    /// Collects the load factors if it is time. To be called before each record is stored.
    void step(std::span<const std::uint64_t> held);
    /// Whether a node gets anything before the next refresh.
    [[nodiscard]] bool takes(std::size_t node) const { return weights_[node].weight > 0; }
    /// The node whose turn it is, or `otherwise` if no node gets anything.
    [[nodiscard]] std::size_t next(std::size_t otherwise);

private:
    const trial& trial_;
    weight_rule rule_;
    random_source random_;
    std::uint64_t left_ = 0; ///< records to the next refresh
    std::vector<hashring::store_weight> weights_;
    hashring::smooth_order order_;
};

/// The records that each node holds when all are handed out by the round robin.
[[nodiscard]] std::vector<std::uint64_t> store_by_round_robin(const trial& t);

/// The paper's steps 1 and 2 with the printed factor: weight 0 at or below the mean of the factors.
[[nodiscard]] std::vector<hashring::store_weight>
printed_weights(std::span<const hashring::node_stats> nodes);

} // namespace simulate
