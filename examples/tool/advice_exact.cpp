// SPDX-License-Identifier: MIT
#include "advice.hpp"
#include "failure.hpp"

#include <hashring/balance/measures.hpp>
#include <hashring/ring/exact_ring.hpp>

#include <stdexcept>

namespace tool {

namespace {

std::optional<double> times(double moved, double least) {
    return least > 0.0 ? std::optional(moved / least) : std::nullopt;
}

/// How even the shares of the nodes that weigh something are.
hashring::load_measures measures_of(const hashring::exact_ring<>& ring) {
    const std::vector<double> shares = ring.shares();
    std::vector<double> loads;
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        if (const double weight = ring.node(i).weight().value(); weight > 0.0) {
            loads.push_back(shares[i] / weight);
        }
    }
    return hashring::measure(loads);
}

} // namespace

advice advise_exact(const advice_request& asked, const listed_node& fresh) {
    advice a;
    a.family = "exact ring";
    std::vector<hashring::node_spec> specs;
    for (const listed_node& node : asked.nodes) {
        if (!node.down) {
            specs.emplace_back(node.name, node.weight);
        }
    }
    try {
        const hashring::exact_ring<> ring(specs);
        const hashring::load_measures shares = measures_of(ring);
        a.load_gap = shares.load_gap;
        a.peak_to_mean = shares.peak_to_mean;
        a.points = ring.point_count();
        a.memory_bytes = ring.memory_bytes();
        a.reaches = a.load_gap <= asked.gap;
        auto more = ring;
        const auto joined = more.join({fresh.name, fresh.weight});
        a.join_times_least = times(joined.moved_fraction(), joined.least_fraction());
        auto fewer = ring;
        const auto left = fewer.leave(specs.back().name);
        a.leave_times_least = times(left.moved_fraction(), left.least_fraction());
        a.note = "in the library alone, exact_ring<>: points depend on the order of events, so its "
                 "state is to be saved";
    } catch (const std::invalid_argument& reason) {
        a.note = reason.what();
    }
    return a;
}

} // namespace tool
