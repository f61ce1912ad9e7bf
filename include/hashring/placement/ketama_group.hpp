// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/hash/md5.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// \file
/// The ketama ring of Redis groups, and what is built as it is.

namespace hashring::schemes {

namespace detail {

/// What the rings have in common whose points are the four words of the MD5 digests of a name
/// followed by i, with nothing between, in a tree map in which a node put later replaces an earlier
/// one: on one position the last in the list owns.
struct joined_digests : scheme_defaults<std::uint32_t> {
    static constexpr std::string_view key_rule = "first little-endian word of the key's MD5";
    static constexpr std::string_view point_rule =
        "word j mod 4 of the MD5 of the name followed by j / 4";
    static constexpr bool order_matters = true;
    static constexpr tie_rule ties = tie_rule::last;
    static constexpr bool dumps_equal_points = false;

    [[nodiscard]] static constexpr std::uint32_t position(std::string_view key) noexcept {
        return hash::md5{}(key);
    }

    static void points(const placed_node& node, std::span<std::uint32_t> out) {
        points_by_digest(labels::joined{}, node, out);
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return digest_label(labels::joined{}, node, j);
    }

    friend bool operator==(const joined_digests&, const joined_digests&) = default;
};

} // namespace detail

/// The Redis paper's ring of groups: MD5, 32-bit positions, 160 virtual nodes a unit of weight.
///
/// A key stands at the first little-endian word of its MD5 digest. Digest i of a group is that of
/// its name followed by i, with nothing between (unlike libmemcached), and gives four positions.
/// The paper's loop bound is garbled; 160 points are i = 0 … 39, and the other reading, i = 0 …
/// 159, is `vnodes` = 640.
///
/// The ring is a tree map in which a group put later replaces an earlier one on the same position:
/// **the last in the list owns it**, so the order of the list is a part of the placement. It shows
/// only where two groups share a position.
///
/// Source: Redis paper, algorithms 1 and 2; the widely copied Java program `KetamaNodeLocator` with
/// `TreeMap`.
struct ketama_group : detail::joined_digests, counts_per_weight<160> {
    static constexpr std::string_view name = "ketama-group";
    static constexpr std::string_view summary =
        "the Redis paper's ring of groups: MD5 of the group's name and an index";

    friend bool operator==(const ketama_group&, const ketama_group&) = default;
};

static_assert(placement_scheme<ketama_group>);

} // namespace hashring::schemes
