// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The counts of programs that know no weights.

namespace hashring::compat {

/// Makes weights of 0 into 1, for a program that does not know what they mean.
inline void raise_zero_weights(std::span<node_spec> nodes) {
    for (node_spec& node : nodes) {
        node.weight = node.weight == weight{0} ? weight{1} : node.weight;
    }
}

/// `count` for each of `nodes` that weighs more than 0, whatever that is, and 0 for the others.
[[nodiscard]] inline std::vector<std::uint32_t> equal_counts(std::span<const placed_node> nodes,
                                                             std::uint32_t count) {
    std::vector<std::uint32_t> result(nodes.size());
    std::transform(nodes.begin(), nodes.end(), result.begin(),
                   [&](const placed_node& n) { return n.weight > weight{0} ? count : 0U; });
    return result;
}

/// The base of the schemes whose nodes all get as many virtual nodes, with the option `vnodes`.
///
/// Weights are ignored, 0 aside: such a node owns nothing, and `take` makes it 1.
template <std::uint32_t Preset>
struct vnodes_a_node {
    static_assert(Preset == 20 || Preset == 50);
    static constexpr scheme_option vnodes_option{"vnodes", "N", Preset == 20 ? "20" : "50",
                                                 "virtual nodes of each node"};

    /// In [1, max_points].
    std::uint32_t vnodes = Preset;

    void set(std::string_view option, std::string_view value) {
        if (option != vnodes_option.name) {
            throw unknown_option(option);
        }
        vnodes = parse_whole(option, value, 1, max_points);
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        if (option != vnodes_option.name) {
            throw unknown_option(option);
        }
        return decimal(vnodes);
    }

    /// Makes weights of 0 into 1: the program knows none.
    static void take(std::span<node_spec> nodes) { raise_zero_weights(nodes); }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        return equal_counts(nodes, vnodes);
    }

    friend bool operator==(const vnodes_a_node&, const vnodes_a_node&) = default;
};

} // namespace hashring::compat
