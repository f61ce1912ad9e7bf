// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/ring/node_order.hpp>
#include <hashring/ring/node_ref.hpp>
#include <hashring/ring/point_list.hpp>
#include <hashring/ring/state.hpp>
#include <hashring/table/scheme.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The nodes of a table and what is built from them, and the one way in which they change.

namespace hashring::detail {

/// Throws `invalid_point_count` for more nodes than a table holds.
inline void check_node_count(std::size_t count) {
    if (count > max_points) {
        throw invalid_point_count(
            concat(decimal(count), " nodes are more than a table holds: at most 16777216"));
    }
}

/// Throws `invalid_point_count` for a count of virtual nodes by hand, and `invalid_weight` for a
/// weight that the scheme does not take.
template <table_scheme Scheme>
void check_table_node(std::string_view name, weight wished, bool has_count) {
    if (has_count) {
        throw invalid_point_count(concat("the node '", name,
                                         "' asks for a number of virtual nodes, which ",
                                         std::string_view(Scheme::name), " does not have"));
    }
    if (!Scheme::takes_weights && wished != weight{1}) {
        throw invalid_weight(concat("the node '", name, "' has a weight of ", wished.text(),
                                    " and ", std::string_view(Scheme::name),
                                    " gives all nodes the same share: it takes 1"));
    }
}

template <table_scheme Scheme, class Payload>
struct table_state {
    using slots = std::vector<slot<Payload>>;
    using built_type = typename Scheme::built_type;

    std::vector<member<Payload>> members;
    built_type built{};
    std::size_t placed = 0; ///< how many members can own keys

    table_state() = default;
    table_state(const table_state&)
        requires std::copy_constructible<Payload>
    = default;
    table_state& operator=(const table_state& other)
        requires std::copy_constructible<Payload>
    {
        if (this != &other) {
            table_state copy(other); // so that running out of memory changes nothing
            swap(copy);
        }
        return *this;
    }
    table_state(table_state&& other) noexcept { swap(other); }
    table_state& operator=(table_state&& other) noexcept {
        table_state emptied;
        swap(other);
        emptied.swap(other); // so that a table moved from is an empty table
        return *this;
    }
    ~table_state() = default;

    void swap(table_state& other) noexcept {
        members.swap(other.members);
        std::swap(built, other.built);
        std::swap(placed, other.placed);
    }

    /// The index of the member called `name`, or `no_node`.
    [[nodiscard]] std::uint32_t find(std::string_view name) const noexcept {
        return find_member<Scheme>(members, name);
    }

    /// The list as it is, for a change to start from.
    [[nodiscard]] slots current() {
        slots result;
        result.reserve(members.size() + 1);
        for (member<Payload>& m : members) {
            result.push_back({&m.name, &m.address, &m.payload, m.weight, {}, 0, no_node});
        }
        return result;
    }

    /// `next` as the scheme sees it.
    [[nodiscard]] static std::vector<placed_node> view(const slots& next) {
        std::vector<placed_node> nodes;
        nodes.reserve(next.size());
        for (const auto& s : next) {
            nodes.push_back(
                {*s.name, *s.address, s.weight, static_cast<std::uint32_t>(nodes.size())});
        }
        return nodes;
    }

    /// Becomes the table of `next`, whose names are good; throws or changes nothing.
    void become(const Scheme& scheme, slots& next) {
        check(next);
        arrange_nodes<Scheme>(next);
        built_type next_built = scheme.build(view(next));
        count(next_built, next);
        std::vector<member<Payload>> result;
        result.reserve(next.size()); // the last thing that can throw
        placed = 0;
        for (const auto& s : next) {
            placed += s.vnodes > 0 ? 1 : 0;
            result.push_back({std::move(*s.name), std::move(*s.address), s.weight, s.vnodes,
                              std::nullopt, std::move(*s.payload)});
        }
        members.swap(result);
        built = std::move(next_built);
    }

private:
    static void check(const slots& next) {
        check_node_count(next.size());
        for (const auto& s : next) {
            check_table_node<Scheme>(*s.name, s.weight, s.count_by_hand.has_value());
        }
    }

    /// Fills in how many slots each node has; without slots it is 1 for who can own keys.
    static void count(const built_type& built, slots& next) {
        if constexpr (slotted_scheme<Scheme>) {
            for (std::size_t i = 0; i < built.size(); ++i) {
                ++next[built.owner(i)].vnodes;
            }
        } else {
            for (auto& s : next) {
                s.vnodes = s.weight.thousandths() > 0 ? 1 : 0;
            }
        }
    }
};

} // namespace hashring::detail
