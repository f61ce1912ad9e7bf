// SPDX-License-Identifier: MIT
#pragma once

#include "support/sanitizers.hpp"
#include "support/small_rings.hpp"
#include "support/test_schemes.hpp"

#include <hashring/placement/scheme.hpp>
#include <hashring/ring/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

// For what stands beside a ring: every small one, and the order of its nodes from each position.
namespace small_rings {

template <unsigned Last>
using small_ring = hashring::ring<test_schemes::listed<std::uint8_t, Last>>;

using letters = std::vector<unsigned>; // of nodes, a is 0

inline unsigned letter_of(std::string_view name) {
    return static_cast<unsigned>(name.front() - 'a');
}

template <class Ring>
letters letters_of(const Ring& r) {
    letters result;
    for (std::uint32_t i = 0; i < r.size(); ++i) {
        result.push_back(letter_of(r.node(i).name()));
    }
    return result;
}

inline letters decoded(order_code code) {
    letters result;
    for (; code != 0; code = static_cast<order_code>(code >> 2U)) {
        result.push_back((code & 3U) - 1);
    }
    return result;
}

inline std::string text_of(const points& all) {
    std::string text;
    for (const point& p : all) {
        text += "abc"[p.owner] + std::to_string(p.position) + ' ';
    }
    return text;
}

// The orders from all positions; empty ones without points.
template <unsigned Last>
std::vector<order_code> truth_of(const points& all) {
    return all.size == 0 ? std::vector<order_code>(Last + 1)
                         : all_clockwise(all, Last, hashring::tie_rule::first);
}

inline std::vector<unsigned> all_positions(unsigned last) {
    std::vector<unsigned> positions(last + 1);
    std::iota(positions.begin(), positions.end(), 0U);
    return positions;
}

// Calls `visit` for every ring on `last + 1` positions whose first position is one of `firsts`; of
// those that differ in names alone, for one.
template <class Visit>
void each_ring(unsigned last, const std::vector<unsigned>& firsts, Visit visit) {
    std::size_t rings = 0;
    each(last, firsts, [&](const points& all) {
        if ((all.share_a_position() || named_in_order(all)) && ++rings % exhaustive_stride == 0) {
            visit(all);
        }
    });
}

} // namespace small_rings
