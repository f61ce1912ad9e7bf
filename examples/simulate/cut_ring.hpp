// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/cluster.hpp"

#include <hashring/balance/plan_transfers.hpp>
#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace simulate {

/// A piece of the circle; pieces are in the order of the circle.
struct owned_arc {
    double share = 0.0;
    std::uint32_t owner = 0;
};

/// A circle whose arcs change hands as transfers say, cut where one asks for less than an arc.
class cut_ring {
public:
    /// Begins as `start`, a ring of the names of `nodes`.
    cut_ring(const hashring::ring<>& start, const cluster& nodes);

    [[nodiscard]] std::uint32_t owner_at(std::uint64_t position) const noexcept;
    /// The number of positions that each node owns; of the whole circle 2^64 − 1.
    [[nodiscard]] std::vector<std::uint64_t> widths() const;
    [[nodiscard]] std::vector<double> shares() const;
    [[nodiscard]] double load_gap() const;
    [[nodiscard]] std::vector<owned_arc> arcs() const;

    /// The nodes as `plan_transfers` takes them.
    [[nodiscard]] std::vector<hashring::node_stats> stats() const;
    /// Carries a plan out on the stats of now. Returns the part of all data that moved.
    double apply(std::span<const hashring::load_transfer> transfers);

private:
    struct arc {
        std::uint64_t last = 0; ///< the first one is one after the arc before
        std::uint32_t owner = 0;
    };

    void hand(std::uint32_t from, std::uint32_t to, std::uint64_t width);
    void join_neighbours();

    cluster nodes_;
    std::vector<arc> arcs_;
};

} // namespace simulate
