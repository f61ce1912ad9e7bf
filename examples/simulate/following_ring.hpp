// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/cluster.hpp"

#include <hashring/balance/node_stats.hpp>
#include <hashring/ring/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace simulate {

/// The ring of `nodes` with so many virtual nodes each, in the order of the names.
template <class Scheme>
[[nodiscard]] hashring::ring<Scheme> ring_with(const cluster& nodes,
                                               std::span<const std::uint32_t> vnodes) {
    std::vector<hashring::node_spec> specs;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        specs.emplace_back(nodes.names[i], hashring::weight{}, std::string{}, vnodes[i]);
    }
    return hashring::ring<Scheme>(specs);
}

/// A ring of a cluster that does what a rebalancer says, and data that follow it at once. They are
/// spread evenly over the circle, so that a node's part of them is its share of the circle.
template <class Ring>
class following_ring {
public:
    following_ring(cluster nodes, Ring start)
        : nodes_(std::move(nodes)), ring_(std::move(start)), shares_(ring_.shares()) {}

    [[nodiscard]] const Ring& ring() const noexcept { return ring_; }
    [[nodiscard]] const std::vector<double>& shares() const noexcept { return shares_; }
    [[nodiscard]] double load_gap() const { return gap_of(shares_, nodes_); }

    /// The nodes as a rebalancer sees them.
    [[nodiscard]] std::vector<hashring::node_stats> stats() const {
        constexpr std::uint64_t sum = 1'000'000'000'000;
        std::vector<std::uint64_t> amounts;
        for (const double share : shares_) {
            amounts.push_back(static_cast<std::uint64_t>(share * static_cast<double>(sum)));
        }
        std::vector<hashring::node_stats> result =
            stats_of(amounts, sum, ring_fill_percent, nodes_);
        for (std::uint32_t i = 0; i < result.size(); ++i) {
            result[i].vnodes = ring_.node(i).vnodes();
        }
        return result;
    }

    /// Carries out a plan that was made of the stats of now. Returns the part of all data that
    /// moved.
    template <class Plan>
    double apply(const Plan& plan) {
        if (plan.empty()) {
            return 0.0;
        }
        const double moved = carry_out(plan).moved_fraction();
        shares_ = ring_.shares();
        return moved;
    }

private:
    template <class Plan>
    auto carry_out(const Plan& plan) {
        if constexpr (requires { ring_.apply(plan); }) {
            return ring_.apply(plan);
        } else { // transfers, whose amounts are parts of what nodes hold
            return ring_.apply(plan, [&, now = stats()](std::string_view name) {
                return now[ring_.index_of(name)].used;
            });
        }
    }

    cluster nodes_;
    Ring ring_;
    std::vector<double> shares_;
};

} // namespace simulate
