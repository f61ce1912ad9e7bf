// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/fresh_points.hpp>
#include <hashring/ring/point_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// From a list of nodes to checked counts and sorted points.

namespace hashring::detail {

template <placement_scheme Scheme>
using points_of = point_list<typename Scheme::position_type, tie_rule{Scheme::ties}>;

/// Throws `invalid_node` if a name is empty or stands twice among `nodes`, which have names.
template <class Named>
void check_names(std::span<const Named> nodes) {
    std::vector<std::string_view> names;
    names.reserve(nodes.size());
    for (const Named& node : nodes) {
        if (node.name.empty()) {
            throw invalid_node("a node's name is empty");
        }
        names.push_back(node.name);
    }
    if (!std::is_sorted(names.begin(), names.end())) {
        std::sort(names.begin(), names.end());
    }
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) {
        throw invalid_node(concat("the node '", *twice, "' is listed twice"));
    }
}

/// The points of those of `nodes` that `wanted` (a predicate on the index) picks.
template <placement_scheme Scheme, class Wanted>
[[nodiscard]] fresh_points<typename Scheme::position_type>
make_points(const Scheme& scheme, std::span<const placed_node> nodes,
            std::span<const std::uint32_t> counts, Wanted wanted) {
    fresh_points<typename Scheme::position_type> fresh;
    std::size_t total = 0;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (wanted(i)) {
            fresh.runs.push_back({i, counts[i]});
            total += counts[i];
        }
    }
    fresh.positions.resize(total);
    std::span<typename Scheme::position_type> rest(fresh.positions);
    for (const auto& run : fresh.runs) {
        scheme.points(nodes[run.owner], rest.first(run.count));
        rest = rest.subspan(run.count);
    }
    return fresh;
}

} // namespace hashring::detail
