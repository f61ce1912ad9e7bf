// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/bkdr.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/scheme.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Points that crowd, as weak hashes, hostile names and accidents leave them.

namespace hashring::bench {

/// One way to crowd: the 64-bit position of virtual node `j` of node `node`, of 160 a node.
struct skew {
    std::string_view name;
    std::uint64_t (*position)(std::uint32_t node, std::uint32_t j);
};

namespace detail {

inline std::uint64_t draw(std::uint32_t node, std::uint32_t j) noexcept {
    return hash::mix((std::uint64_t{node} << 32U) | j);
}
/// A random number in [0, 1).
inline double unit(std::uint64_t random) noexcept {
    return static_cast<double>(random >> 11U) * 0x1p-53;
}
inline std::string look_alike(std::uint32_t node, std::uint32_t j) {
    return concat("10.0.", decimal(node / 250), ".", decimal(node % 250), ":11211-", decimal(j));
}
inline std::uint64_t bkdr_64(std::string_view text) noexcept {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        h = h * 131 + byte_at(text, i);
    }
    return h;
}

} // namespace detail

/// The skews. Those of 32-bit hashes stand in the upper half of a position.
inline constexpr std::array<skew, 9> skews = {{
    {"uniform",
     [](std::uint32_t n, std::uint32_t j) {
         return detail::draw(n, j);
     }},
    {"12_equal_top_bits",
     [](std::uint32_t n, std::uint32_t j) {
         return (std::uint64_t{0x5a5} << 52U) | (detail::draw(n, j) >> 12U);
     }},
    {"16_clusters",
     [](std::uint32_t n, std::uint32_t j) {
         const std::uint64_t random = detail::draw(n, j);
         return (random & (std::uint64_t{15} << 60U)) | ((random << 4U) >> 18U);
     }},
    {"exponential",
     [](std::uint32_t n, std::uint32_t j) {
         return static_cast<std::uint64_t>(-std::log(1 - detail::unit(detail::draw(n, j))) *
                                           0x1p50);
     }},
    {"half_in_4096",
     [](std::uint32_t n, std::uint32_t j) {
         const std::uint64_t random = detail::draw(n, j);
         return j % 2 == 0 ? random : (std::uint64_t{0x9e37} << 48U) + (random >> 52U);
     }},
    {"one_value",
     [](std::uint32_t, std::uint32_t) {
         return std::uint64_t{1} << 63U;
     }},
    {"exponents",
     [](std::uint32_t n, std::uint32_t j) {
         const double position = std::exp2(32 * detail::unit(detail::draw(n, j)));
         return static_cast<std::uint64_t>(position) << 32U;
     }},
    {"raw_bkdr",
     [](std::uint32_t n, std::uint32_t j) {
         return std::uint64_t{hash::bkdr<131>{}(detail::look_alike(n, j))} << 32U;
     }},
    {"raw_bkdr_64",
     [](std::uint32_t n, std::uint32_t j) {
         return detail::bkdr_64(concat("n", decimal(n), "-", decimal(j)));
     }},
}};

/// A scheme whose points crowd.
struct crowded : scheme_defaults<std::uint64_t>, counts_per_weight<160> {
    static constexpr std::string_view name = "crowded";
    static constexpr std::string_view summary = "points that crowd";
    static constexpr std::string_view key_rule = "none: positions are given";
    static constexpr std::string_view point_rule = "as a weak hash leaves them";

    std::size_t kind = 0; ///< which of `skews`

    [[nodiscard]] std::uint64_t position(std::string_view) const noexcept { return 0; }
    void points(const placed_node& node, std::span<std::uint64_t> out) const {
        for (std::uint32_t j = 0; j < out.size(); ++j) {
            out[j] = skews[kind].position(node.index, j);
        }
    }
    [[nodiscard]] std::string label(const placed_node& node, std::uint32_t j) const {
        return concat(node.name, " ", decimal(j));
    }

    friend bool operator==(const crowded&, const crowded&) = default;
};

static_assert(placement_scheme<crowded>);

} // namespace hashring::bench
