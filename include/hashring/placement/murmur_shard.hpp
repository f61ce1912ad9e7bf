// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/hash/murmur64a.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/placement/signed_order.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// \file
/// The ring of the shard blog, by place in the list as it stands there and by node name.

namespace hashring::schemes {

namespace detail {

/// MurmurHash64A in the signed order of a `TreeMap<Long, …>`.
struct signed_murmur {
    using result_type = std::uint64_t;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        return in_signed_order(hash::murmur64a{hash::jedis_seed}(bytes));
    }
};

/// What both forms share; `Label` says what a virtual node is hashed from.
template <label_rule Label>
struct murmur_shard_rules : scheme_defaults<std::uint64_t>, counts_per_weight<100> {
    static constexpr std::string_view key_rule =
        "MurmurHash64A of the key, seed 0x1234ABCD, as a signed number";

    [[nodiscard]] constexpr std::uint64_t position(std::string_view key) const noexcept {
        return signed_murmur{}(key);
    }

    void points(const placed_node& node, std::span<std::uint64_t> out) const {
        points_by_label(signed_murmur{}, Label{}, node, out);
    }

    [[nodiscard]] std::string label(const placed_node& node, std::uint32_t j) const {
        return label_text(Label{}, node, j);
    }

    /// As Java prints a `long`: signed.
    [[nodiscard]] static std::string text(std::uint64_t position) { return signed_text(position); }

    friend bool operator==(const murmur_shard_rules&, const murmur_shard_rules&) = default;
};

} // namespace detail

/// The shard blog's ring exactly: MurmurHash64A with seed 0x1234ABCD, 100 virtual nodes a unit of
/// weight, labels `SHARD-<i>-NODE-<n>` with i the node's place in the list, in the signed order of
/// a tree map. On one position the later node in the list owns.
///
/// **Removing a node renames all after it** and so moves their keys: of 10 nodes, 98 % of all keys
/// when the first goes, 48 % for the middle one, 11 % for the last. `murmur_shard_named` does not.
///
/// Source: shard blog, `Shard.init`, `getShardInfo` and `hash`.
struct murmur_shard : detail::murmur_shard_rules<labels::shard_index> {
    static constexpr std::string_view name = "murmur-shard";
    static constexpr std::string_view summary =
        "the shard blog's ring: MurmurHash64A of the node's place in the list";
    static constexpr std::string_view point_rule =
        "MurmurHash64A of SHARD-i-NODE-j, i the node's place in the list from 0";
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    static constexpr tie_rule ties = tie_rule::last;
    static constexpr bool dumps_equal_points = false;

    friend bool operator==(const murmur_shard&, const murmur_shard&) = default;
};

/// The same ring by node name: labels `SHARD-<name>-NODE-<n>`. The order of the list does not
/// matter, and removing a node moves only its own keys.
///
/// Source: this library's own variant of the shard blog's ring.
struct murmur_shard_named : detail::murmur_shard_rules<labels::shard_name> {
    static constexpr std::string_view name = "murmur-shard-named";
    static constexpr std::string_view summary =
        "the shard blog's ring by node name: a removal moves only the removed node's keys";
    static constexpr std::string_view point_rule = "MurmurHash64A of SHARD-name-NODE-j";

    friend bool operator==(const murmur_shard_named&, const murmur_shard_named&) = default;
};

static_assert(placement_scheme<murmur_shard> && placement_scheme<murmur_shard_named>);

} // namespace hashring::schemes
