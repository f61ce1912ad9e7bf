// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/node.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Go's serialx/hashring up to 2019, and so Python's hash_ring, bit for bit.

namespace hashring::compat {

/// serialx's ring up to July 2020, a port of Python's hash_ring: about 120 points a node in
/// proportion to the weights, three of the four words of the MD5 digests of `name-j`. A key owns
/// the first point **after** it, so that its position here is one past the first word of its MD5.
///
/// **Every count depends on every node**; a node of weight 0 owns nothing and counts as a node all
/// the same. On one position the node that comes last owns; `NewWithWeights` goes through a map of
/// Go, whose order changes from run to run. Weights are whole numbers: a fraction throws
/// `invalid_weight`.
///
/// Versions from 2020-07-27 on have one point a unit of weight and circles of 128 bits: an update
/// moves most keys and ruins the balance. They are not followed here.
///
/// Source: serialx/hashring, commit 8b2912629002 (2019-04-21), hashring.go.
struct serialx : scheme_defaults<std::uint32_t>, no_options {
    static constexpr std::string_view name = "serialx";
    static constexpr std::string_view summary =
        "Go's serialx/hashring up to 2019: about 120 points a node by weight, MD5 of the name";
    static constexpr std::string_view key_rule =
        "one past the first little-endian word of the key's MD5";
    static constexpr std::string_view point_rule =
        "word j mod 3 of the MD5 of name-(j / 3), counts by weight in integers";
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    static constexpr tie_rule ties = tie_rule::last;
    static constexpr bool dumps_owners = true;
    /// How many digests a node of average weight has, and how many words of each are points.
    static constexpr std::uint32_t digests = 40;
    static constexpr std::uint32_t words = 3;

    [[nodiscard]] static constexpr std::uint32_t position(std::string_view key) noexcept {
        return hash::md5{}(key) + 1; // past the last one comes 0, the first point's again
    }

    [[nodiscard]] static std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) {
        return proportional_counts(nodes, digests, words);
    }

    static void points(const placed_node& node, std::span<std::uint32_t> out) {
        points_by_digest(labels::dashed{}, node, out, words);
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return digest_label(labels::dashed{}, node, j, words);
    }

    friend bool operator==(const serialx&, const serialx&) = default;
};

static_assert(placement_scheme<serialx>);

} // namespace hashring::compat
