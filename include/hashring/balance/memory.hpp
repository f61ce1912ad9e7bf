// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/loads.hpp>
#include <hashring/balance/thresholds.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// \file
/// What the damped rebalancer remembers between two rounds.

namespace hashring {

/// The side of the reference on which a node was when it was last corrected.
enum class direction : std::uint8_t { none, over, under };

[[nodiscard]] constexpr direction opposite(direction d) noexcept {
    return d == direction::over    ? direction::under
           : d == direction::under ? direction::over
                                   : direction::none;
}

/// What is remembered of one node.
struct node_memory {
    std::string name{};
    relative_load load{}; ///< smoothed
    fraction64 gain{};    ///< its own, at most that of the settings
    direction last = direction::none;
    std::uint32_t cooldown = 0; ///< rounds in which it is still left alone
    bool active = false;        ///< it was outside its threshold and is not released yet

    friend bool operator==(const node_memory&, const node_memory&) = default;
};

/// The state of the damped rebalancer: plain data, to be kept or saved between rounds. An empty one
/// is the state before the first round.
struct rebalance_state {
    std::vector<node_memory> nodes{}; ///< by name
    /// The virtual nodes of a node of mean capacity, kept from the first round on; 0 before it.
    std::uint32_t vnodes = 0;

    friend bool operator==(const rebalance_state&, const rebalance_state&) = default;
};

namespace detail {

/// `old` moved towards `now` by `weight` of the way, rounded towards `old`: a constant load is
/// reached and kept.
[[nodiscard]] constexpr relative_load smooth(relative_load old, relative_load now,
                                             fraction64 weight) noexcept {
    const std::uint64_t way = weight.of(distance(old, now).bits);
    return {now > old ? old.bits + way : old.bits - way};
}

/// The least gain that is left to a node: below it, it would not answer any more when its load
/// really changes.
[[nodiscard]] constexpr fraction64 least_gain(const thresholds& settings) noexcept {
    return fraction64::from_bits(std::max<std::uint64_t>(1, settings.gain.bits() / 16));
}

/// The memory of the nodes of this round, with the new loads in it; nodes that are gone are
/// forgotten, and a new one's first load is taken as it is.
[[nodiscard]] inline std::vector<node_memory> remember(const measured_loads& loads,
                                                       std::span<const node_memory> before,
                                                       const thresholds& settings) {
    std::vector<node_memory> sorted(before.begin(), before.end());
    std::sort(sorted.begin(), sorted.end(),
              [](const node_memory& a, const node_memory& b) { return a.name < b.name; });
    std::vector<node_memory> result;
    auto old = sorted.begin();
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const std::string& name = loads.nodes[i]->name;
        const relative_load now = loads.relative(i);
        old = std::find_if(old, sorted.end(), [&](const node_memory& m) { return m.name >= name; });
        if (old != sorted.end() && old->name == name) {
            node_memory& known = result.emplace_back(std::move(*old));
            known.name = name;
            known.load = smooth(known.load, now, settings.smoothing);
            known.gain = std::clamp(known.gain, least_gain(settings), settings.gain);
            ++old;
        } else {
            result.push_back({name, now, settings.gain, direction::none, 0, false});
        }
    }
    return result;
}

} // namespace detail

} // namespace hashring
