// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// What programs do to weights that know none.

namespace hashring::compat {

/// `count` points for each of `nodes`, in their order, whatever it weighs; none for a weight of 0.
[[nodiscard]] inline std::vector<std::uint32_t> equal_counts(std::span<const placed_node> nodes,
                                                             std::uint32_t count) {
    std::vector<std::uint32_t> result(nodes.size());
    std::transform(nodes.begin(), nodes.end(), result.begin(),
                   [count](const placed_node& n) { return n.weight > weight{0} ? count : 0U; });
    return result;
}

/// Makes weights of 0 into 1: what is listed is there.
inline void ignore_weights(std::span<node_spec> nodes) {
    for (node_spec& node : nodes) {
        node.weight = node.weight == weight{0} ? weight{1} : node.weight;
    }
}

/// The base of the schemes of programs that know no weights and have a setting for the points of a
/// server, here the option `vnodes`, of `Least` or more. Weights are ignored, 0 aside: such a node
/// owns nothing, and `take` makes it 1.
template <std::uint32_t Preset, std::uint32_t Least = 1>
struct counts_per_node {
    static constexpr std::string_view preset_text = Preset == 20    ? "20"
                                                    : Preset == 50  ? "50"
                                                    : Preset == 100 ? "100"
                                                                    : "160";
    static_assert(Preset == 20 || Preset == 50 || Preset == 100 || Preset == 160);
    static constexpr scheme_option vnodes_option{"vnodes", "N", preset_text,
                                                 "points of a node, whatever it weighs"};

    /// Points of a node, in [Least, max_points].
    std::uint32_t vnodes_per_node = Preset;

    [[nodiscard]] static constexpr auto options() noexcept { return std::array{vnodes_option}; }

    void set(std::string_view option, std::string_view value) {
        if (option != vnodes_option.name) {
            throw unknown_option(option);
        }
        vnodes_per_node = hashring::detail::parse_whole(option, value, Least, max_points);
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        if (option != vnodes_option.name) {
            throw unknown_option(option);
        }
        return decimal(vnodes_per_node);
    }

    /// Makes weights of 0 into 1: the program knows none.
    static void take(std::span<node_spec> nodes) { ignore_weights(nodes); }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        return equal_counts(nodes, vnodes_per_node);
    }

    friend bool operator==(const counts_per_node&, const counts_per_node&) = default;
};

} // namespace hashring::compat
