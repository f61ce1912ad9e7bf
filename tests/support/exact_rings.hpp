// SPDX-License-Identifier: MIT
#pragma once

#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/test_schemes.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// (max − min) / mean of share over weight; nodes of weight 0 left out.
template <class Ring>
double gap_over_weight(const Ring& ring) {
    const std::vector<double> shares = ring.shares();
    double weights = 0;
    double least = 1e300;
    double most = 0;
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        const double w = ring.node(i).weight().value();
        if (w > 0) {
            weights += w;
            least = std::min(least, shares[i] / w);
            most = std::max(most, shares[i] / w);
        }
    }
    return (most - least) * weights;
}

// Nodes with the weights 1, 2, 4, 1, … as far as `kinds` goes.
inline std::vector<hashring::node_spec> weighted_names(std::size_t count, std::uint64_t seed,
                                                       std::size_t kinds = 3) {
    std::vector<hashring::node_spec> nodes;
    for (const std::string& name : node_names(count, seed)) {
        nodes.emplace_back(name, hashring::weight{1U << (nodes.size() % kinds)});
    }
    return nodes;
}

template <class Ring>
std::vector<std::string> names_of(const Ring& ring) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        names.emplace_back(ring.node(i).name());
    }
    return names;
}

// One random change of an exact ring, the same for the same dice.
template <class Scheme>
void random_change(hashring::exact_ring<Scheme>& ring, dice& random, std::size_t most_nodes) {
    const std::string name = hashring::concat("n", hashring::decimal(random.below(most_nodes)));
    const auto w = hashring::weight::from_thousandths(random.below(5) * 500);
    const std::uint64_t kind = random.below(4);
    const std::uint64_t part = random.below(9);
    if (!ring.contains(name)) {
        ring.join(hashring::node_spec(name, w));
    } else if (kind == 0) {
        ring.leave(name);
    } else if (kind == 1) {
        ring.resize(name, w);
    } else {
        const auto other = static_cast<std::uint32_t>(random.below(ring.size()));
        const std::uint32_t self = ring.index_of(name);
        if (other != self && ring.node(other).weight().thousandths() > 0) {
            const hashring::uint128 most = ring.widths()[self];
            ring.transfer(
                name, ring.node(other).name(),
                hashring::divide(hashring::uint128(most.high, most.low), 8 - part % 8).quotient);
        }
    }
}

// Random changes on a circle of `Positions` positions, each compared at every position.
template <std::uint8_t Positions>
class small_circle_history {
    using ring_type = hashring::exact_ring<
        test_schemes::listed<std::uint8_t, static_cast<std::uint8_t>(Positions - 1)>>;

public:
    explicit small_circle_history(std::uint64_t seed) : random_(seed) {}

    void step() {
        const ring_type before(ring_);
        ++steps_;
        random_change(ring_, random_, 7);
        const auto moved = before.changes_to(ring_);
        bool anybody = false;
        for (std::uint32_t i = 0; i < ring_.size(); ++i) {
            const auto node = ring_.node(i);
            anybody = anybody || node.weight().thousandths() > 0;
            found_.expect(node.weight().thousandths() > 0 || node.vnodes() == 0, "idle", steps_);
        }
        found_.expect(anybody == (ring_.point_count() > 0), "points", steps_);
        for (std::uint8_t p = 0; p < Positions; ++p) {
            const std::string_view was = owner(before, p);
            const std::string_view is = owner(ring_, p);
            const auto arc = moved.find_at(p);
            found_.expect(arc.has_value() == (was != is), "diff", steps_, +p);
        }
        check_points();
    }

    [[nodiscard]] const hashring::test::mismatches& found() const { return found_; }

private:
    static std::string_view owner(const ring_type& ring, std::uint8_t p) {
        const auto node = ring.owner_at(p);
        return node ? node->name() : std::string_view();
    }

    // No point is there in vain: neighbours differ, and the counts of nodes are those of points.
    void check_points() {
        std::size_t counted = 0;
        for (std::uint32_t i = 0; i < ring_.size(); ++i) {
            counted += ring_.node(i).vnodes();
        }
        found_.compare(counted, ring_.point_count(), steps_);
        for (std::size_t i = 0; ring_.point_count() > 1 && i < ring_.point_count(); ++i) {
            const std::size_t next = (i + 1) % ring_.point_count();
            found_.expect(ring_.point_owner(i) != ring_.point_owner(next), "twice", steps_);
        }
    }

    ring_type ring_;
    dice random_;
    hashring::test::mismatches found_;
    int steps_ = 0;
};
