// SPDX-License-Identifier: MIT
#pragma once

#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Nodes that come and go on an exact ring, each seen to move exactly its share.
namespace exact_churn {

using namespace hashring;

inline uint128 owned(const exact_ring<>& ring, std::string_view name) {
    return ring.widths()[ring.index_of(name)];
}

// Whether every arc comes from or goes to `name`, as `side` says.
template <class Diff>
bool only(const Diff& moved, std::uint32_t Diff::arc_type::* side, std::string_view name) {
    return std::all_of(moved.arcs().begin(), moved.arcs().end(),
                       [&](const auto& a) { return moved.name(a.*side) == name; });
}

template <class Diff>
bool all_to(const Diff& moved, std::string_view name) {
    return only(moved, &Diff::arc_type::to, name);
}
template <class Diff>
bool all_from(const Diff& moved, std::string_view name) {
    return only(moved, &Diff::arc_type::from, name);
}

// `pairs` times a node leaves and another joins, each checked for moving exactly its share.
inline void churn(exact_ring<>& ring, std::size_t pairs, std::uint64_t most_weight,
                  std::uint64_t seed, hashring::test::mismatches& found) {
    dice random(seed);
    for (std::size_t i = 0; i < pairs; ++i) {
        const auto gone = static_cast<std::uint32_t>(random.below(ring.size()));
        const std::string name(ring.node(gone).name());
        const uint128 share = ring.widths()[gone];
        const auto left = ring.leave(name);
        found.expect(left.moved_width() == share && all_from(left, name), "leave", i);
        const std::string fresh = concat("fresh-", decimal(i));
        const auto come = ring.join(node_spec(fresh, weight{1U << random.below(most_weight)}));
        found.expect(come.moved_width() == owned(ring, fresh) && all_to(come, fresh), "join", i);
    }
}

} // namespace exact_churn
