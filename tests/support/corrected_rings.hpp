// SPDX-License-Identifier: MIT
#pragma once

#include "support/dice.hpp"
#include "support/exact_rings.hpp"
#include "support/shares_with_copies.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Rings of the corrected allocator over many lists of names.
namespace corrected_rings {

using corrected = hashring::schemes::corrected<hashring::schemes::xxh3>;
using hashring::ring;

inline corrected scheme_of(std::uint32_t vnodes, std::uint32_t copies = 1) {
    corrected scheme;
    scheme.vnodes_per_unit = vnodes;
    scheme.copies = copies;
    return scheme;
}

// The largest gap over `seeds` lists of `nodes` nodes with so many kinds of weights.
inline double worst_gap(const corrected& scheme, std::size_t nodes, std::size_t kinds,
                        std::uint64_t seeds) {
    double worst = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const ring<corrected> ring(weighted_names(nodes, seed, kinds), scheme);
        worst = std::max(worst, scheme.copies == 1 ? gap_over_weight(ring)
                                                   : gap_with_copies(ring, scheme.copies));
    }
    return worst;
}

// What a change moves over the least that it has to: the mean over many lists.
struct movement {
    double of_joining = 0;
    double of_leaving = 0;
};

inline movement mean_movement(std::uint32_t vnodes, std::size_t nodes, std::uint64_t seeds) {
    movement sum;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const ring<corrected> before(node_names(nodes, seed), scheme_of(vnodes));
        ring<corrected> after(before);
        after.add("one-more");
        const auto size = static_cast<double>(nodes);
        sum.of_joining += before.changes_to(after).moved_fraction() * (size + 1);
        after = before;
        after.remove(before.node(static_cast<std::uint32_t>(seed % nodes)).name());
        sum.of_leaving += before.changes_to(after).moved_fraction() * size;
    }
    return {sum.of_joining / static_cast<double>(seeds),
            sum.of_leaving / static_cast<double>(seeds)};
}

} // namespace corrected_rings
