// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/placement/scheme.hpp>
#include <hashring/ring/node_order.hpp>
#include <hashring/ring/node_ref.hpp>
#include <hashring/ring/point_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Many nodes found by their names in a list of another order.

namespace hashring::detail {

/// Finds members by name while they stay as they are. It allocates where they are not in the order
/// of their names and more than a few searches are to come. O(members · log members), and
/// O(log members) a search.
template <class Scheme, class Payload>
class name_index {
public:
    using members = std::vector<member<Payload>>;

    name_index(const members& all, std::size_t searches) : members_(&all) {
        if (ordered_by_name<Scheme> || searches <= few) {
            return;
        }
        by_name_.reserve(all.size());
        for (const member<Payload>& m : all) {
            by_name_.emplace_back(m.name, static_cast<std::uint32_t>(by_name_.size()));
        }
        std::sort(by_name_.begin(), by_name_.end());
    }

    /// The index of the member called `name`, or `no_node`.
    [[nodiscard]] std::uint32_t find(std::string_view name) const noexcept {
        if (by_name_.empty()) {
            return find_member<Scheme>(*members_, name);
        }
        const auto found = std::lower_bound(
            by_name_.begin(), by_name_.end(), name,
            [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
        return found != by_name_.end() && found->first == name ? found->second : no_node;
    }

private:
    static constexpr std::size_t few = 8; ///< searches that take less time than to sort

    const members* members_;
    std::vector<std::pair<std::string_view, std::uint32_t>> by_name_;
};

} // namespace hashring::detail
