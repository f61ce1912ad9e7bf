// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/equal_counts.hpp>
#include <hashring/core/node.hpp>
#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/scheme.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// \file
/// Apache Dubbo's `consistenthash` load balance, bit for bit.

namespace hashring::compat {

/// Dubbo's ring: the four words of the MD5 digests of `host:porti`, with **nothing between**, so
/// that 10.0.0.1:2088 and 10.0.0.1:20881 share 40 of their 160 points. The provider that comes last
/// in the list owns those.
///
/// `vnodes` is the program's `hash.nodes`: 10 gives 8 points, and below 4, which is an error at
/// every call there, `invalid_option`. A key is the program's: the arguments of the call that
/// `hash.arguments` lists, as `String.valueOf` has them, with nothing between, in UTF-8. Weights
/// are ignored, 0 aside, which `take` makes 1.
///
/// Releases 2.7.15 to 2.7.23 and 3.0.4 to 3.0.9 place by past calls too (dubbo #9731), which no
/// ring can tell.
///
/// Source: Apache Dubbo 3.3, commit 324c62550ab2, `ConsistentHashLoadBalance`.
struct dubbo : schemes::detail::joined_digests, counts_per_node<160, 4> {
    static constexpr std::string_view name = "dubbo";
    static constexpr std::string_view summary =
        "Apache Dubbo's consistenthash: MD5 of host:port and an index, 160 points a provider";

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        return equal_counts(nodes, vnodes_per_node / 4 * 4);
    }

    friend bool operator==(const dubbo&, const dubbo&) = default;
};

static_assert(placement_scheme<dubbo>);

} // namespace hashring::compat
