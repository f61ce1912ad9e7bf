// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/ring/point_list.hpp>

#include <cstdint>
#include <span>
#include <string_view>

/// \file
/// What tables have in common that compute a bucket of a hash and hold nothing.

namespace hashring::detail {

/// The base of their schemes: node i of the list is bucket i, and `Bucket` names one of a hash and
/// their number, or a negative number if there are none.
template <std::int32_t (*Bucket)(std::uint64_t, std::int32_t) noexcept>
struct bucket_rules {
    using position_type = std::uint64_t;

    /// The number of buckets.
    struct built_type {
        std::int32_t buckets = 0;
        friend bool operator==(const built_type&, const built_type&) = default;
    };

    static constexpr std::string_view node_rule = "node i of the list, from 0, is bucket i";
    static constexpr bool order_matters = true;
    static constexpr bool takes_weights = false;
    static constexpr bool removes_any = false;

    [[nodiscard]] static built_type build(std::span<const placed_node> nodes) noexcept {
        return {static_cast<std::int32_t>(nodes.size())};
    }
    [[nodiscard]] static std::uint32_t owner_of(const built_type& built,
                                                std::uint64_t position) noexcept {
        const std::int32_t bucket = Bucket(position, built.buckets);
        return bucket < 0 ? no_node : static_cast<std::uint32_t>(bucket);
    }

    friend bool operator==(const bucket_rules&, const bucket_rules&) = default;
};

} // namespace hashring::detail
