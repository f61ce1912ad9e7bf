// SPDX-License-Identifier: MIT
#include "simulate/cut_ring.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace simulate {

namespace {

constexpr std::uint64_t last_position = std::numeric_limits<std::uint64_t>::max();
/// Statistics are in steps of so many positions, which leaves room for capacities.
constexpr unsigned step_bits = 16;

std::uint32_t index_in(const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::uint32_t>(std::lower_bound(names.begin(), names.end(), name) -
                                      names.begin());
}

} // namespace

cut_ring::cut_ring(const hashring::ring<>& start, const cluster& nodes) : nodes_(nodes) {
    for (std::size_t i = 0; i < start.point_count(); ++i) {
        if (start.point_width(i) != hashring::uint128(0)) {
            arcs_.push_back({start.point_position(i), start.point_owner(i)});
        }
    }
    if (arcs_.back().last != last_position) { // what wraps is two arcs here
        arcs_.push_back({last_position, arcs_.front().owner});
    }
    join_neighbours();
}

std::uint32_t cut_ring::owner_at(std::uint64_t position) const noexcept {
    return std::lower_bound(arcs_.begin(), arcs_.end(), position,
                            [](const arc& a, std::uint64_t p) { return a.last < p; })
        ->owner;
}

std::vector<std::uint64_t> cut_ring::widths() const {
    std::vector<std::uint64_t> result(nodes_.size(), 0);
    std::uint64_t before = 0; // position 0 is left out, so that the circle's width fits 64 bits
    for (const arc& a : arcs_) {
        result[a.owner] += a.last - before;
        before = a.last;
    }
    return result;
}

std::vector<double> cut_ring::shares() const {
    std::vector<double> result;
    for (const std::uint64_t width : widths()) {
        result.push_back(static_cast<double>(width) / 0x1p64);
    }
    return result;
}

std::vector<owned_arc> cut_ring::arcs() const {
    std::vector<owned_arc> result;
    std::uint64_t before = 0;
    for (const arc& a : arcs_) {
        result.push_back({static_cast<double>(a.last - before) / 0x1p64, a.owner});
        before = a.last;
    }
    return result;
}

double cut_ring::load_gap() const {
    return gap_of(std::span<const double>(shares()), nodes_);
}

std::vector<hashring::node_stats> cut_ring::stats() const {
    std::vector<std::uint64_t> amounts = widths();
    for (std::uint64_t& amount : amounts) {
        amount >>= step_bits;
    }
    return stats_of(amounts, last_position >> step_bits, ring_fill_percent, nodes_);
}

double cut_ring::apply(std::span<const hashring::load_transfer> transfers) {
    double moved = 0.0;
    for (const hashring::load_transfer& t : transfers) {
        const std::uint64_t width = t.amount / (nodes_.capacity() * ring_fill_percent) << step_bits;
        hand(index_in(nodes_.names, t.from), index_in(nodes_.names, t.to), width);
        moved += static_cast<double>(width) / 0x1p64;
    }
    join_neighbours();
    return moved;
}

void cut_ring::hand(std::uint32_t from, std::uint32_t to, std::uint64_t width) {
    std::uint64_t before = 0;
    for (arc& a : arcs_) { // whole arcs that fit
        const std::uint64_t own = a.last - before;
        before = a.last;
        if (a.owner == from && own <= width) {
            a.owner = to;
            width -= own;
        }
    }
    before = 0;
    for (std::size_t i = 0; i < arcs_.size() && width > 0; ++i) {
        if (arcs_[i].owner == from) {
            arcs_.insert(arcs_.begin() + static_cast<std::ptrdiff_t>(i), arc{before + width, to});
            return;
        }
        before = arcs_[i].last;
    }
}

void cut_ring::join_neighbours() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
        if (i + 1 == arcs_.size() || arcs_[i].owner != arcs_[i + 1].owner) {
            arcs_[kept++] = arcs_[i];
        }
    }
    arcs_.resize(kept);
}

} // namespace simulate
