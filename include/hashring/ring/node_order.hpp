// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/node_ref.hpp>
#include <hashring/ring/point_list.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

/// \file
/// The order in which rings and tables keep their nodes.

namespace hashring::detail {

/// Puts `slots` in the order of `Scheme`: by name or as it says, unless the order of the list
/// matters.
template <class Scheme, class Slots>
void arrange_nodes(Slots& slots) {
    if constexpr (!Scheme::order_matters) {
        const auto before = [](const auto& a, const auto& b) {
            if constexpr (ordering_scheme<Scheme>) {
                return Scheme::comes_before({.name = *a.name, .address = *a.address},
                                            {.name = *b.name, .address = *b.address});
            } else {
                return *a.name < *b.name;
            }
        };
        if (!std::is_sorted(slots.begin(), slots.end(), before)) {
            std::sort(slots.begin(), slots.end(), before);
        }
    }
}

/// The index of the member called `name`, or `no_node`. O(log nodes) where they are in the order of
/// their names, else O(nodes).
template <class Scheme, class Payload>
[[nodiscard]] std::uint32_t find_member(const std::vector<member<Payload>>& members,
                                        std::string_view name) noexcept {
    const auto has_name = [&](const member<Payload>& m) {
        return m.name == name;
    };
    auto found = members.begin();
    if constexpr (ordered_by_name<Scheme>) {
        found = std::lower_bound(
            members.begin(), members.end(), name,
            [](const member<Payload>& m, std::string_view n) { return m.name < n; });
    } else {
        found = std::find_if(members.begin(), members.end(), has_name);
    }
    return found != members.end() && has_name(*found)
               ? static_cast<std::uint32_t>(found - members.begin())
               : no_node;
}

} // namespace hashring::detail
