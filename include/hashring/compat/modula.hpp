// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/ring/point_list.hpp>
#include <hashring/table/slots.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

/// \file
/// The key's hash modulo the number of servers, the oldest placement of all.

namespace hashring::compat::detail {

/// What the tables by modulo have in common: slots (`Slots`: a regular value with `size()` and
/// `owner(i)`), and slot `hash mod slots` owns a key. Nearly all keys move when a server comes or
/// goes.
template <std::unsigned_integral Position = std::uint32_t, class Slots = slot_list>
struct modula_rules {
    using position_type = Position;
    using built_type = Slots;
    static constexpr bool takes_weights = true;
    static constexpr bool removes_any = true;

    /// The slot of a hash among `slots` above 0.
    [[nodiscard]] static constexpr std::size_t slot_of(Position position,
                                                       std::size_t slots) noexcept {
        return static_cast<std::size_t>(position % slots);
    }

    [[nodiscard]] static std::uint32_t owner_of(const Slots& built, Position position) noexcept {
        return built.size() == 0 ? no_node : built.owner(slot_of(position, built.size()));
    }

    friend bool operator==(const modula_rules&, const modula_rules&) = default;
};

/// Slots of which node i has `counts[i]` in a row, node by node. Throws `invalid_point_count` for
/// more than `max_points`.
[[nodiscard]] inline slot_list repeated_slots(std::span<const std::uint32_t> counts) {
    hashring::detail::check_point_count(counts);
    std::vector<std::uint32_t> owners;
    for (std::uint32_t node = 0; node < counts.size(); ++node) {
        owners.insert(owners.end(), counts[node], node);
    }
    return slot_list(std::move(owners));
}

/// One slot for each of `nodes` that weighs more than 0, in their order.
[[nodiscard]] inline slot_list equal_slots(std::span<const placed_node> nodes) {
    std::vector<std::uint32_t> owners;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].weight > weight{0}) {
            owners.push_back(i);
        }
    }
    return slot_list(std::move(owners));
}

} // namespace hashring::compat::detail
