// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/weight.hpp>

#include <concepts>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <type_traits>

/// \file
/// What a ring takes for a plan.

namespace hashring {

namespace detail {

template <class Change>
concept sets_weight = requires(const Change& change) {
    { change.weight } -> std::convertible_to<weight>;
};
template <class Change>
concept sets_vnodes = requires(const Change& change) {
    { change.vnodes } -> std::convertible_to<std::uint32_t>;
};

} // namespace detail

/// A node's name, and the number of `vnodes` that it should have from now on, or its new `weight`.
/// One with a weight and an optional count is a `node_spec`, and means what that means.
template <class Change>
concept node_change = requires(const Change& change) {
    { change.name } -> std::convertible_to<std::string_view>;
} && (detail::sets_vnodes<Change> || detail::sets_weight<Change>);

/// A range of changes of nodes.
template <class Range>
concept node_changes =
    std::ranges::input_range<const Range> && node_change<std::ranges::range_value_t<const Range>>;

/// Changes of nodes, or what has some that are called `changes`, such as what `plan_weights` and
/// `plan_literal` return.
template <class Plan>
concept node_plan = node_changes<Plan> || requires(const Plan& plan) {
    requires node_changes<std::remove_cvref_t<decltype(plan.changes)>>;
};

namespace detail {

template <node_plan Plan>
[[nodiscard]] const auto& changes_of(const Plan& plan) noexcept {
    if constexpr (node_changes<Plan>) {
        return plan;
    } else {
        return plan.changes;
    }
}

/// Makes a change to the slot of its node.
template <class Slot, node_change Change>
void make_change(Slot& slot, const Change& change) {
    if constexpr (sets_vnodes<Change>) {
        slot.count_by_hand = static_cast<std::uint32_t>(change.vnodes);
    } else {
        slot.weight = change.weight;
        slot.count_by_hand.reset();
        if constexpr (requires { slot.count_by_hand = change.vnodes; }) {
            slot.count_by_hand = change.vnodes;
        }
    }
}

} // namespace detail

} // namespace hashring
