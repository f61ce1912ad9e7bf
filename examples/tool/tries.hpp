// SPDX-License-Identifier: MIT
#pragma once

#include "failure.hpp"
#include "placement.hpp"

#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Who is asked for a key where nodes are down. Payloads say who is (`down`), and where a node
// stands in the nodes file (`place`).
namespace tool {

/// Who answers for a node that is down, in words; `made_anew` says that a ring or table of those
/// that are up does, and `else_by` who does if neither that nor another try.
template <class Scheme>
[[nodiscard]] std::string down_rule_of(bool made_anew, std::string_view else_by) {
    if constexpr (hashring::retrying_scheme<Scheme>) {
        return concat("the key is hashed again, ", decimal(std::uint32_t{Scheme::tries}),
                      " tries in all");
    } else {
        return std::string(made_anew ? "all is made anew without it" : else_by);
    }
}

/// The node of a ring or table that answers for `key` where its program hashes a key again whose
/// node is down, or `no_node` if it gives up.
template <class Placed>
[[nodiscard]] std::uint32_t node_by_tries(const Placed& placed, std::string_view key) {
    std::uint32_t node = placed.owner_index_at(placed.position(key));
    for (std::uint32_t t = 1; node != no_node && placed.node(node).payload().down; ++t) {
        node = t < Placed::scheme_type::tries
                   ? placed.owner_index_at(placed.scheme().position(key, t))
                   : no_node;
    }
    return node;
}

/// The places of those who are asked for `key`, each once: up to the one that answers, and then who
/// would be next. The ring has points.
template <class Ring>
[[nodiscard]] std::vector<std::uint32_t> places_asked(const Ring& ring, std::string_view key) {
    using Scheme = typename Ring::scheme_type;
    std::vector<std::uint32_t> places;
    const auto is_down = [&](std::uint32_t index) {
        const auto& mark = ring.node(index).payload();
        if (std::find(places.begin(), places.end(), mark.place) == places.end()) {
            places.push_back(mark.place);
        }
        return mark.down;
    };
    if constexpr (hashring::retrying_scheme<Scheme>) {
        std::uint32_t t = 0;
        while (t < Scheme::tries && is_down(ring.owner_index_at(ring.scheme().position(key, t)))) {
            ++t;
        }
        if (t == Scheme::tries) {
            return places; // the program gives up
        }
    }
    for (auto walk = ring.walk_from(key); walk.current() != no_node; walk.advance()) {
        (void)is_down(walk.current());
    }
    return places;
}

} // namespace tool
