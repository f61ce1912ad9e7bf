// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The counts of Envoy's ring and of all that follow it: a size between two bounds, shared out by a
/// running sum in double precision.

namespace hashring::compat {

/// `step` as the double that it is: a product that goes through it is rounded before it is added to
/// anything, whatever a compiler likes to fuse.
[[nodiscard]] inline double rounded(double step) noexcept {
    volatile double kept = step; // NOLINT(misc-const-correctness)
    return kept;
}

/// By how much shares that sum to 1 are multiplied: the least multiple of the smallest share's
/// inverse that makes the ring at least `min_size` points large, but no more than `max_size`. 0 if
/// no share is above 0.
///
/// Source: Envoy 1.32, `RingHashLoadBalancer::Ring`.
[[nodiscard]] inline double ring_scale(std::span<const double> shares, std::uint32_t min_size,
                                       std::uint32_t max_size) {
    double least = 0.0;
    for (const double share : shares) {
        least = share > 0.0 && (least == 0.0 || share < least) ? share : least;
    }
    return least == 0.0 ? 0.0
                        : std::min(rounded(std::ceil(rounded(least * min_size)) / least),
                                   static_cast<double>(max_size));
}

/// How many points each node gets, in their order: so many that all up to it have reached `scale`
/// times the sum of their shares. Where `scale` times a share is no whole number this hangs on the
/// order, and rounding may make the ring one point larger than `scale`.
///
/// Source: Envoy 1.32, as above.
[[nodiscard]] inline std::vector<std::uint32_t> running_counts(std::span<const double> shares,
                                                               double scale) {
    std::vector<std::uint32_t> counts;
    counts.reserve(shares.size());
    double target = 0.0;
    double made = 0.0; // a whole number
    for (const double share : shares) {
        target = rounded(target + rounded(scale * share));
        const double more = std::max(std::ceil(target) - made, 0.0);
        counts.push_back(static_cast<std::uint32_t>(more));
        made += more;
    }
    return counts;
}

/// The base of the schemes with the options `min-ring-size` and `max-ring-size`.
template <std::uint32_t MaxPreset>
struct ring_sizes {
    /// The most that either may be.
    static constexpr std::uint32_t largest = 8'388'608;
    static constexpr scheme_option min_option{"min-ring-size", "N", "1024",
                                              "the ring has at least so many points"};
    static constexpr scheme_option max_option{"max-ring-size", "N",
                                              MaxPreset == 4096 ? "4096" : "8388608",
                                              "the ring has at most so many points, or one more"};
    static_assert(MaxPreset == 4096 || MaxPreset == largest);

    std::uint32_t min_size = 1024;
    std::uint32_t max_size = MaxPreset;

    void set(std::string_view option, std::string_view value) {
        if (option == min_option.name) {
            min_size = parse_size(option, value);
        } else if (option == max_option.name) {
            max_size = parse_size(option, value);
        } else {
            throw unknown_option(option);
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        if (option == min_option.name) {
            return decimal(min_size);
        }
        if (option == max_option.name) {
            return decimal(max_size);
        }
        throw unknown_option(option);
    }

    friend bool operator==(const ring_sizes&, const ring_sizes&) = default;

protected:
    [[nodiscard]] static std::uint32_t parse_size(std::string_view option, std::string_view value) {
        return hashring::detail::parse_whole(option, value, 1, largest);
    }

    /// Throws `invalid_option` if the ring would have to be larger than it may be.
    void check_sizes() const {
        if (min_size > max_size) {
            throw invalid_option(concat("min-ring-size ", decimal(min_size),
                                        " is above max-ring-size ", decimal(max_size)));
        }
    }
};

/// The label `text_j`.
struct underscored {
    static constexpr std::string_view name = "name_j";
    static constexpr bool unambiguous = true;

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        out += node.name;
        out += '_';
        append_decimal(out, j);
    }

    friend bool operator==(const underscored&, const underscored&) = default;
};

} // namespace hashring::compat
