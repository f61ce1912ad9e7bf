// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/cluster.hpp"

#include <hashring/ring/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace simulate {

/// A ring that does what a rebalancer says, and data that follow it at once. They are spread evenly
/// over the circle, so that a node's part of them is its share of the circle.
template <class Scheme>
class following_ring {
public:
    using ring_type = hashring::ring<Scheme>;

    /// Virtual nodes in the order of the names.
    following_ring(const cluster& nodes, std::span<const std::uint32_t> vnodes) : nodes_(nodes) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            specs_.emplace_back(nodes.names[i], hashring::weight{}, std::string{}, vnodes[i]);
        }
        follow();
    }

    [[nodiscard]] const ring_type& ring() const noexcept { return ring_; }
    [[nodiscard]] const std::vector<double>& shares() const noexcept { return shares_; }
    [[nodiscard]] double load_gap() const {
        return gap_of(std::span<const double>(shares_), nodes_);
    }

    [[nodiscard]] std::vector<hashring::node_stats> stats() const {
        constexpr std::uint64_t sum = 1'000'000'000'000;
        std::vector<std::uint64_t> amounts;
        for (const double share : shares_) {
            amounts.push_back(static_cast<std::uint64_t>(share * static_cast<double>(sum)));
        }
        std::vector<hashring::node_stats> result =
            stats_of(amounts, sum, ring_fill_percent, nodes_);
        for (std::size_t i = 0; i < result.size(); ++i) {
            result[i].vnodes = *specs_[i].vnodes;
        }
        return result;
    }

    /// Takes the counts of a plan's changes. Returns the part of all data that moved.
    template <class Changes>
    double apply(const Changes& changes) {
        if (changes.empty()) {
            return 0.0;
        }
        for (const auto& change : changes) {
            const auto found =
                std::lower_bound(nodes_.names.begin(), nodes_.names.end(), change.name);
            specs_[static_cast<std::size_t>(found - nodes_.names.begin())].vnodes = change.vnodes;
        }
        return follow();
    }

private:
    double follow() {
        const double moved = ring_.assign(specs_).moved_fraction();
        shares_ = ring_.shares();
        return moved;
    }

    cluster nodes_;
    std::vector<hashring::node_spec> specs_;
    ring_type ring_;
    std::vector<double> shares_;
};

} // namespace simulate
