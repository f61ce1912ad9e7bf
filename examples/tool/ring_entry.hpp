// SPDX-License-Identifier: MIT
#pragma once

#include "placement.hpp"
#include "ring_placement.hpp"

#include <hashring/placement/corrected.hpp>
#include <hashring/placement/describe.hpp>
#include <hashring/placement/scheme.hpp>

#include <memory>
#include <type_traits>
#include <vector>

namespace tool {

/// Whether counts of virtual nodes are so many a unit of weight, and not a program's own.
template <class Scheme>
concept counts_by_weight = requires(const Scheme& scheme) { scheme.vnodes_per_unit; };

/// All that the tool needs to know of a scheme. `Base` is what it picks its points from, if it
/// does.
template <class Scheme, class Base = Scheme>
[[nodiscard]] scheme_entry entry_of() {
    scheme_entry entry;
    entry.name = Base::name;
    entry.summary = Scheme::summary;
    for (const hashring::scheme_option& option : Scheme::options()) {
        entry.options.push_back(option);
    }
    entry.counts = !std::is_same_v<Scheme, Base> ? counting::corrected
                   : Scheme::independent_points  ? counting::independent
                                                 : counting::spaced;
    entry.has_fixed_counts = !counts_by_weight<Scheme>;
    entry.down_rule =
        down_rule_of<Scheme>(hashring::ejecting_scheme<Scheme>, "the node of the next point");
    entry.describe = [](const option_values& options) {
        return hashring::describe(configured<Scheme>(options));
    };
    entry.check_count = [](const listed_node& node, const option_values& options) {
        const auto scheme = configured<Scheme>(options);
        const hashring::placed_node alone{node.name, node.addr, node.weight, 0};
        (void)static_cast<const Base&>(scheme).counts({&alone, 1});
    };
    entry.place = [](const std::vector<listed_node>& nodes,
                     const option_values& options) -> std::unique_ptr<placement> {
        return std::make_unique<ring_placement<Scheme>>(nodes, options);
    };
    if constexpr (hashring::schemes::correctable_scheme<Scheme> && counts_by_weight<Scheme>) {
        entry.corrected = std::make_shared<const scheme_entry>(
            entry_of<hashring::schemes::corrected<Scheme>, Scheme>());
    }
    return entry;
}

} // namespace tool
