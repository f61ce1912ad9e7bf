// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// \file
/// The default scheme.

namespace hashring::schemes {

/// The default: XXH3 for keys and names, 64-bit positions, 160 virtual nodes a unit of weight.
///
/// A key stands at XXH3-64 of its bytes, seed 0. Virtual node j of a node stands at
/// `mix(XXH3-64(name) + (j + 1) · 0x9e3779b97f4a7c15)`, so a name is hashed once. The owner is the
/// first point at or after the key; of two nodes on one position the one whose name sorts first.
///
/// Source: this library's own; the points are the outputs of SplitMix64 seeded with the name.
struct xxh3 : scheme_defaults<std::uint64_t>, counts_per_weight<160> {
    static constexpr std::string_view name = "xxh3";
    static constexpr std::string_view summary =
        "the default: XXH3, 64-bit positions, 160 virtual nodes a unit of weight";
    static constexpr std::string_view key_rule = "XXH3-64 of the key, seed 0";
    static constexpr std::string_view point_rule =
        "mix(XXH3-64(name) + (j + 1) * 0x9e3779b97f4a7c15), mix the SplitMix64 finaliser";

    [[nodiscard]] std::uint64_t position(std::string_view key) const noexcept {
        return hash::xxh3{}(key);
    }

    void points(const placed_node& node, std::span<std::uint64_t> out) const noexcept {
        const std::uint64_t name_hash = hash::xxh3{}(node.name);
        for (std::size_t j = 0; j < out.size(); ++j) {
            out[j] = hashed_once_position(name_hash, j);
        }
    }

    [[nodiscard]] std::string label(const placed_node& node, std::uint32_t j) const {
        return concat("mix(xxh3(", node.name, ") + ", decimal(std::uint64_t{j} + 1),
                      " * 0x9e3779b97f4a7c15)");
    }

    friend bool operator==(const xxh3&, const xxh3&) = default;
};

static_assert(placement_scheme<xxh3>);

} // namespace hashring::schemes
