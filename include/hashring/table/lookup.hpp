// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/core/uint128.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// \file
/// What a ring and a table have in common, so that one can take the other's place.

namespace hashring {

/// Something that says which of its nodes owns a key: `ring<…>` and `table<…>`. A program that uses
/// no more than this swaps one for the other in one line:
/// ```cpp
/// using placement = hashring::ring<>; // or hashring::table<hashring::schemes::maglev>
/// ```
///
/// - **Made** from a range of `node_spec`, or empty; `add` of one returns whether it is new, `add`
///   of many how many are, `remove` whether the name was a member;
///   `assign` makes it that of a whole list. What cannot be done (and see
///   `takes_weights` and `removes_any`) throws an error derived from `std::invalid_argument`, and
///   then nothing has changed.
/// - **Looking up** is `const noexcept` and allocates nothing: `owner(key)` is the node, or nothing
///   if no node can own keys. It is `owner_at(position(key))`; with the hash at hand, `owner_at`
///   and `owner_index_at` skip the hashing. `no_node` is the index of nothing.
/// - **Looking inside**: `size`, `empty`, `placed_count` (the nodes that can own keys), `node(i)`
///   for i in [0, size()), `index_of`, `contains`, `find`, `scheme`.
/// - **Comparing**: equal ones give every key the same owner and have equal fingerprints.
///
/// What a ring has beyond this, a table has not, by its nature: a walk and replicas (no next point
/// follows a slot), counts of virtual nodes by hand, arcs of positions.
template <class L>
concept node_lookup =
    std::movable<L> && std::default_initializable<L> && std::equality_comparable<L> &&
    std::constructible_from<L, const std::vector<node_spec>&> &&
    position_integer<typename L::position_type> &&
    requires(const L& l, L& changing, std::string_view text, const node_spec& node,
             const std::vector<node_spec>& nodes, typename L::position_type position,
             std::uint32_t index) {
        requires std::convertible_to<typename L::node_type, std::string_view>;
        { L::scheme_type::name } -> std::convertible_to<std::string_view>;
        { L::scheme_type::order_matters } -> std::convertible_to<bool>;

        { changing.add(node) } -> std::same_as<bool>;
        { changing.add(nodes) } -> std::same_as<std::size_t>;
        { changing.remove(text) } -> std::same_as<bool>;
        changing.assign(nodes);

        { l.position(text) } noexcept -> std::same_as<typename L::position_type>;
        { l.owner(text) } noexcept -> std::same_as<std::optional<typename L::node_type>>;
        { l.owner_at(position) } noexcept -> std::same_as<std::optional<typename L::node_type>>;
        { l.owner_index_at(position) } noexcept -> std::same_as<std::uint32_t>;

        { l.size() } noexcept -> std::same_as<std::size_t>;
        { l.empty() } noexcept -> std::same_as<bool>;
        { l.placed_count() } noexcept -> std::same_as<std::size_t>;
        { l.node(index) } noexcept -> std::same_as<typename L::node_type>;
        { l.index_of(text) } noexcept -> std::same_as<std::uint32_t>;
        { l.contains(text) } noexcept -> std::same_as<bool>;
        { l.find(text) } noexcept -> std::same_as<std::optional<typename L::node_type>>;
        { l.scheme() } noexcept -> std::same_as<const typename L::scheme_type&>;
        { l.fingerprint() } -> std::same_as<std::uint64_t>;
    };

/// Whether nodes may weigh other than 1; where not, another weight throws `invalid_weight`.
template <node_lookup L>
inline constexpr bool takes_weights = [] {
    if constexpr (requires { L::scheme_type::takes_weights; }) {
        return bool{L::scheme_type::takes_weights};
    } else {
        return true;
    }
}();

namespace detail {

/// What says of `L` whether any node can be removed: itself, where it knows more than its scheme.
template <class L>
struct removal_rules {
    using type = typename L::scheme_type;
};
template <class L>
    requires requires { L::removes_any; }
struct removal_rules<L> {
    using type = L;
};

} // namespace detail

/// Whether any node can be removed; where not, `remove` throws `invalid_removal` for all but the
/// last of the list.
template <node_lookup L>
inline constexpr bool removes_any = [] {
    using rules = typename detail::removal_rules<L>::type;
    if constexpr (requires { rules::removes_any; }) {
        return bool{rules::removes_any};
    } else {
        return true;
    }
}();

} // namespace hashring
