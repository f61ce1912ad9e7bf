// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The plain allocator: so many virtual nodes a unit of weight.

namespace hashring {

/// The most points that one ring may hold: 2^24.
inline constexpr std::uint32_t max_points = std::uint32_t{1} << 24U;

/// The number of virtual nodes of a node of weight `w` at `per_unit` a unit of weight: the nearest
/// whole number (a half upwards), at least 1 for a weight above 0, exactly 0 for 0.
///
/// It depends on that node alone, so that (unless the labels depend on the list, as in
/// `murmur_shard`) adding a node moves keys only to it, removing one only from it, and a new weight
/// only to or from its node.
///
/// Throws `invalid_point_count` above `max_points`. Worked example: 160 a unit and a weight of
/// 0.503 give 80.48, so 80.
[[nodiscard]] constexpr std::uint32_t vnodes_for(weight w, std::uint32_t per_unit) {
    const std::uint64_t exact = w.thousandths() * per_unit; // below 2^30 · 2^32
    const std::uint64_t rounded = (exact + 500) / 1000;
    if (rounded > max_points) {
        throw invalid_point_count(
            concat("a weight of ", w.text(), " asks for ", decimal(rounded),
                   " virtual nodes and a ring holds at most 16777216: use smaller weights, which "
                   "are relative, or fewer virtual nodes a unit of weight"));
    }
    const std::uint32_t least = w.thousandths() > 0 ? 1 : 0;
    return std::max(least, static_cast<std::uint32_t>(rounded));
}

namespace detail {

/// Throws `invalid_point_count` if a ring cannot hold as many points as `counts` sum up to. To be
/// asked before anything is allocated for them.
inline void check_point_count(std::span<const std::uint32_t> counts) {
    std::uint64_t sum = 0;
    for (const std::uint32_t count : counts) {
        sum += count;
    }
    if (sum > max_points) {
        throw invalid_point_count(
            concat("the nodes ask for ", decimal(sum),
                   " points and a ring holds at most 16777216: use smaller weights, which are "
                   "relative, or fewer virtual nodes a unit of weight"));
    }
}

/// What `value` spells for an option that takes a whole number; throws `invalid_option`.
[[nodiscard]] inline std::uint32_t parse_whole(std::string_view option, std::string_view value,
                                               std::uint32_t least, std::uint32_t most) {
    const auto count = parse_decimal<std::uint32_t>(value);
    if (!count || *count < least || *count > most) {
        throw invalid_option(concat(option, " '", value, "' is not a whole number from ",
                                    decimal(least), " to ", decimal(most)));
    }
    return *count;
}

} // namespace detail

/// The base of the schemes whose counts follow the weight alone, with the option `vnodes`.
template <std::uint32_t Preset>
struct counts_per_weight {
    /// Virtual nodes a unit of weight, in [1, max_points].
    std::uint32_t vnodes_per_unit = Preset;

    [[nodiscard]] static constexpr std::array<scheme_option, 1> options() noexcept {
        return {{{"vnodes", "N", preset_text, "virtual nodes a unit of weight"}}};
    }

    void set(std::string_view option, std::string_view value) {
        if (option != "vnodes") {
            throw invalid_option(concat("no option '", option, "'"));
        }
        vnodes_per_unit = detail::parse_whole(option, value, 1, max_points);
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        if (option != "vnodes") {
            throw invalid_option(concat("no option '", option, "'"));
        }
        return decimal(vnodes_per_unit);
    }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        std::vector<std::uint32_t> result;
        result.reserve(nodes.size());
        for (const placed_node& node : nodes) {
            result.push_back(vnodes_for(node.weight, vnodes_per_unit));
        }
        return result;
    }

    friend bool operator==(const counts_per_weight&, const counts_per_weight&) = default;

private:
    static constexpr std::string_view preset_text = Preset == 100 ? "100" : "160";
    static_assert(Preset == 100 || Preset == 160);
};

} // namespace hashring
