// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>
#include <hashring/hash/bkdr.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/placement/spacing.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// \file
/// The ring of the postal paper.

namespace hashring::schemes {

/// The postal paper's ring: BKDR in the printed order with s = 31 on a circle of 2^32 − 1
/// positions, and evenly spaced virtual nodes, 160 a unit of weight.
///
/// A node's own position is the hash of its address, or of its name if it has none; the other
/// points follow at even distances. **With equal weights the virtual nodes do not even out the
/// load**: see `spaced_position`. A new weight moves all points of its node, and keys only to or
/// from it.
///
/// Source: postal paper, sections on the ring, formulas (1) to (3).
struct bkdr_spaced : scheme_defaults<std::uint32_t>, counts_per_weight<160> {
    static constexpr std::string_view name = "bkdr-spaced";
    static constexpr std::string_view summary =
        "the postal paper's ring: BKDR, evenly spaced virtual nodes (which even nothing out)";
    static constexpr std::string_view key_rule =
        "BKDR of the key, printed order, s = 31, modulo 2^32 - 1";
    static constexpr std::string_view point_rule =
        "floor((2^32 - 1) * k / count) + BKDR of the address or name, modulo 2^32 - 1";
    static constexpr std::uint32_t last_position = spaced_last_position;
    static constexpr bool independent_points = false;

    [[nodiscard]] constexpr std::uint32_t position(std::string_view key) const noexcept {
        return hash::bkdr_printed<31>{}(key);
    }

    void points(const placed_node& node, std::span<std::uint32_t> out) const noexcept {
        const std::uint32_t origin = position(hashed_text(node));
        const auto count = static_cast<std::uint32_t>(out.size());
        for (std::uint32_t k = 0; k < count; ++k) {
            out[k] = spaced_position(origin, k, count);
        }
    }

    [[nodiscard]] std::string label(const placed_node& node, std::uint32_t j) const {
        return concat(hashed_text(node), ", and ", decimal(j), " equal steps on");
    }

    friend bool operator==(const bkdr_spaced&, const bkdr_spaced&) = default;

private:
    [[nodiscard]] static std::string_view hashed_text(const placed_node& node) noexcept {
        return node.address.empty() ? node.name : node.address;
    }
};

static_assert(placement_scheme<bkdr_spaced>);

} // namespace hashring::schemes
