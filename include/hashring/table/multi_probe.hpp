// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/hash/concept.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/arc.hpp>
#include <hashring/ring/fresh_points.hpp>
#include <hashring/ring/point_list.hpp>
#include <hashring/table/scheme.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Multi-probe consistent hashing: few points, and a key that looks at several places.

namespace hashring {

namespace detail {
inline constexpr std::string_view multi_probe_name = "multi-probe";
} // namespace detail

namespace schemes {

/// Multi-probe: each node has few points (one a unit of weight), a key probes the circle at
/// several places, and of the points that come next the nearest one owns it.
///
/// - With h the hash of a key, probe k stands at mix(h + (k + 1) · 0x9e3779b97f4a7c15); with H that
///   of a name, point j stands at mix(H + (j + 1) · 0x9e3779b97f4a7c15), as in `xxh3`.
/// - Of equal distances the first probe's counts, of equal points the first node by name.
///
/// Laws: with k probes the most loaded of equal nodes has 1 + 1/(k − 1) times the mean in
/// expectation where nodes are many (21 probes: 1.05); a change moves only keys of the node that
/// changes. **It bounds the peak, not the load gap**: the least loaded node of one point has far
/// less than the mean. The same nodes give the same placement.
///
/// **Weights count by whole points**: a node has weight · vnodes of them, rounded, at least 1 for a
/// weight above 0. With vnodes = 1 every weight above 0 and below 1.5 is one point and places as 1
/// does: give whole weights, or more vnodes, which make the steps finer.
///
/// A look-up is as many searches as there are probes, about 100 ns for 21. 14 bytes a point.
///
/// Source: B. Appleton, M. O'Reilly, "Multi-Probe Consistent Hashing", 2015 (arXiv:1505.00062),
/// which leaves the hashes open.
template <position_hash Hash = hash::xxh3>
    requires std::same_as<typename Hash::result_type, std::uint64_t>
class multi_probe_by {
public:
    using position_type = std::uint64_t;
    using built_type = hashring::detail::point_list<std::uint64_t, tie_rule::first>;

    static constexpr std::uint32_t most_probes = 1024;

    static constexpr std::string_view name =
        hashring::detail::name_with_hash<hashring::detail::multi_probe_name, Hash, hash::xxh3>;
    static constexpr std::string_view summary =
        "multi-probe: one point a node, the nearest to 21 places; peak 1.05 of the mean";
    static constexpr std::string_view key_rule = hashring::detail::key_hashed_by<Hash>;
    static constexpr std::string_view node_rule =
        "SplitMix64 seeded with the hash of the name, vnodes points a unit of weight";
    static constexpr std::string_view owner_rule =
        "of the points that come next after the probes the nearest";
    static constexpr bool order_matters = false;
    static constexpr bool takes_weights = true;
    static constexpr bool removes_any = true;

    [[nodiscard]] static constexpr std::array<scheme_option, 2> options() noexcept {
        return {{{"probes", "N", "21", "places that a key looks at, 1 to 1024"},
                 {"vnodes", "N", "1", "points a unit of weight"}}};
    }
    void set(std::string_view option, std::string_view value) {
        (option_called(*this, option)) = hashring::detail::parse_whole(
            option, value, 1, option == "probes" ? most_probes : max_points);
    }
    [[nodiscard]] std::string get(std::string_view option) const {
        return decimal(option_called(*this, option));
    }

    [[nodiscard]] std::uint64_t position(std::string_view key) const noexcept {
        return Hash{}(key);
    }

    /// Throws `invalid_point_count` for more points than a ring holds.
    [[nodiscard]] built_type build(std::span<const placed_node> nodes) const {
        std::vector<std::uint32_t> counts;
        for (const placed_node& node : nodes) {
            counts.push_back(vnodes_for(node.weight, vnodes_));
        }
        hashring::detail::check_point_count(counts);
        hashring::detail::fresh_points<std::uint64_t> fresh;
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            const std::uint64_t name_hash = Hash{}(nodes[i].name);
            for (std::uint32_t j = 0; j < counts[i]; ++j) {
                fresh.positions.push_back(hashed_once_position(name_hash, j));
            }
            fresh.runs.push_back({i, counts[i]});
        }
        return built_type(fresh);
    }

    /// O(probes) where positions spread, O(probes · log points) anywhere.
    [[nodiscard]] std::uint32_t owner_of(const built_type& points,
                                         std::uint64_t position) const noexcept {
        if (points.empty()) {
            return no_node;
        }
        std::uint64_t nearest = ~std::uint64_t{0};
        std::size_t best = points.locate(hashed_once_position(position, 0));
        for (std::uint32_t k = 0; k < probes_; ++k) {
            const std::uint64_t probe = hashed_once_position(position, k);
            const std::size_t next = points.locate(probe);
            const std::uint64_t steps = points.position(next) - probe; // around the circle
            best = steps < nearest ? next : best;
            nearest = steps < nearest ? steps : nearest;
        }
        return points.owner(best);
    }

    /// By node of `nodes`, the chance that the nearest of the probes of a random key is nearest to
    /// a point of its. A point's is the integral, over all distances d up to the length of the arc
    /// in front of it, of probes · (1 − covered(d))^(probes − 1), where covered(d) is the part of
    /// the circle from which a point is at most d on. O(points · log points).
    [[nodiscard]] std::vector<double> shares(const built_type& points, std::size_t nodes) const {
        std::vector<std::pair<double, std::uint32_t>> arcs; // length, owner
        for (std::size_t p = 0; p < points.size(); ++p) {
            const uint128 width = points.width_of(p, ~std::uint64_t{0});
            arcs.emplace_back(fraction(width, uint128(1, 0)), points.owner(p));
        }
        std::sort(arcs.begin(), arcs.end());
        std::vector<double> result(nodes);
        double of_one = 0; // what a point gets whose arc is as long as those so far
        double left = 1;   // 1 - covered
        double length = 0;
        for (std::size_t a = 0; a < arcs.size(); ++a) {
            const auto longer = static_cast<double>(arcs.size() - a);
            const double still = std::max(left - longer * (arcs[a].first - length), 0.0);
            of_one += (std::pow(left, probes_) - std::pow(still, probes_)) / longer;
            left = still;
            length = arcs[a].first;
            result[arcs[a].second] += of_one;
        }
        return result;
    }

    friend bool operator==(const multi_probe_by&, const multi_probe_by&) = default;

private:
    /// A member of `self` by the name of its option; throws `invalid_option`.
    template <class Self>
    [[nodiscard]] static auto& option_called(Self& self, std::string_view option) {
        if (option == "probes") {
            return self.probes_;
        }
        if (option != "vnodes") {
            throw invalid_option(concat("no option '", option, "'"));
        }
        return self.vnodes_;
    }

    std::uint32_t probes_ = 21;
    std::uint32_t vnodes_ = 1;
};

/// Multi-probe with XXH3.
using multi_probe = multi_probe_by<>;

static_assert(table_scheme<multi_probe>);

} // namespace schemes

} // namespace hashring
