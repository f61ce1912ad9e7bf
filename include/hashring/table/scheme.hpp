// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/placement/scheme.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

/// \file
/// What a placement without a ring depends on. `table<Scheme>` is the engine.

namespace hashring {

/// The scheme of a table: a regular value whose members are its options. It has
///
/// - `S::position_type`   an unsigned integer: what a key is hashed to;
/// - `S::built_type`      what is built from the nodes for looking up: a regular value, whose
///                        default has no nodes;
/// - `S::name`, `S::summary`, `S::options()`, `s.set(…)`, `s.get(…)`  as in `placement_scheme`;
/// - `S::key_rule`, `S::node_rule`, `S::owner_rule`  a line each: how a key is hashed, how nodes
///                        share out the table, and how a hash finds its node;
/// - `S::order_matters`   whether the order of the list of nodes is a part of the placement;
/// - `S::takes_weights`   whether nodes may weigh other than 1;
/// - `S::removes_any`     whether a node from the middle of the list can go and leave the others'
///                        keys (nearly all of them) where they are;
/// - `s.position(bytes)`  the hash of a key, `noexcept`;
/// - `s.build(nodes)`     the table of the nodes, in their order if it matters and else by name;
///                        throws an error derived from `std::invalid_argument`;
/// - `s.owner_of(built, position)`  which of these nodes owns a hash, or `no_node`; `noexcept`.
///
/// Only some have `s.shares(built, nodes)`: by node, the part of all hashes that it owns; and, as
/// in `placement_scheme`, an order of nodes of their own, `S::address_of`, `s.take`, `S::ejects` or
/// `S::tries` with `s.position(bytes, t)`, which is then a hash.
template <class S>
concept table_scheme =
    std::regular<S> && std::unsigned_integral<typename S::position_type> &&
    std::regular<typename S::built_type> &&
    requires(const S& s, S& writable, std::string_view text, std::span<const placed_node> nodes,
             const typename S::built_type& built, typename S::position_type position) {
        { S::name } -> std::convertible_to<std::string_view>;
        { S::summary } -> std::convertible_to<std::string_view>;
        { S::key_rule } -> std::convertible_to<std::string_view>;
        { S::node_rule } -> std::convertible_to<std::string_view>;
        { S::owner_rule } -> std::convertible_to<std::string_view>;
        { S::order_matters } -> std::convertible_to<bool>;
        { S::takes_weights } -> std::convertible_to<bool>;
        { S::removes_any } -> std::convertible_to<bool>;
        S::options();
        writable.set(text, text);
        { s.get(text) } -> std::convertible_to<std::string>;
        { s.position(text) } noexcept -> std::same_as<typename S::position_type>;
        { s.build(nodes) } -> std::same_as<typename S::built_type>;
        { s.owner_of(built, position) } noexcept -> std::same_as<std::uint32_t>;
    };

/// A scheme whose table is a list of slots, each with an owner: `built.size()` of them, of which
/// `built.owner(i)` is the node of slot i, and `S::slot_of(position, size)` is that of a hash.
template <class S>
concept slotted_scheme =
    table_scheme<S> && requires(const typename S::built_type& built, std::size_t i,
                                typename S::position_type position) {
        { built.size() } noexcept -> std::same_as<std::size_t>;
        { built.owner(i) } noexcept -> std::same_as<std::uint32_t>;
        { S::slot_of(position, i) } noexcept -> std::convertible_to<std::size_t>;
    };

namespace detail {

inline constexpr std::string_view of_the_key = " of the key";
inline constexpr std::string_view dash = "-";

/// The rule of schemes that hash the whole key.
template <class Hash>
inline constexpr std::string_view key_hashed_by =
    hash::detail::joined<Hash::name, of_the_key>::value;

/// The name of a scheme that takes any hash: its own with its usual hash, else with the hash
/// behind.
template <const std::string_view& Name, class Hash, class Usual>
inline constexpr std::string_view name_with_hash =
    std::is_same_v<Hash, Usual> ? Name : hash::detail::joined<Name, dash, Hash::name>::value;

} // namespace detail

/// What fixes a placement by a table, a line each, as `describe` of a ring's scheme.
template <table_scheme Scheme>
[[nodiscard]] std::string describe(const Scheme& scheme) {
    std::string text = "key: ";
    text += Scheme::key_rule;
    text += "\nnodes: ";
    text += Scheme::node_rule;
    for (const scheme_option& option : Scheme::options()) {
        text += "; ";
        text += option.name;
        text += " = " + scheme.get(option.name);
    }
    text += "\nowner: ";
    text += Scheme::owner_rule;
    text += "\norder of the list: ";
    text += Scheme::order_matters ? "matters" : "does not matter";
    if constexpr (ordering_scheme<Scheme>) {
        text += concat(": ", std::string_view(Scheme::node_order));
    }
    return text;
}

} // namespace hashring
