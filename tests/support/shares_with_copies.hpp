// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// Of how much of the circle each node is one of the first `copies` nodes, point by point.
template <class Ring>
std::vector<double> shares_with_copies(const Ring& ring, std::size_t copies) {
    using position = typename Ring::position_type;
    std::vector<double> shares(ring.size());
    std::vector<typename Ring::node_type> holders(copies);
    for (std::size_t i = 0; i < ring.point_count(); ++i) {
        const double part =
            hashring::fraction(ring.point_width(i),
                               hashring::circle_width(position{Ring::scheme_type::last_position}));
        holders.resize(copies);
        holders.resize(ring.replicas_at(ring.point_position(i), holders));
        for (const auto& holder : holders) {
            shares[ring.index_of(holder.name())] += part;
        }
    }
    return shares;
}

// (max − min) / mean of those shares over weights.
template <class Ring>
double gap_with_copies(const Ring& ring, std::size_t copies) {
    const std::vector<double> shares = shares_with_copies(ring, copies);
    double sum = 0;
    double weights = 0;
    double least = 1e300;
    double most = 0;
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        const double w = ring.node(i).weight().value();
        sum += shares[i];
        weights += w;
        least = std::min(least, shares[i] / w);
        most = std::max(most, shares[i] / w);
    }
    return (most - least) / (sum / weights);
}
