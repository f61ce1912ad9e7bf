// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/compat/scaled_ring.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The ring_hash of gRPC's Go and of its C++ core, bit for bit.

namespace hashring::compat {

/// The base of gRPC's schemes: sizes with a cap of the client's own, and keys.
///
/// Weights are whole numbers, an endpoint's times its locality's, else `invalid_weight`. An
/// endpoint that has failed keeps its points, and the next point that is ready answers.
struct grpc_ring : scheme_defaults<std::uint64_t>, ring_sizes<4096> {
    using sizes = ring_sizes<4096>;

    static constexpr std::string_view key_rule = "XXH64 of the key";
    static constexpr bool points_depend_on_list = true;
    static constexpr scheme_option cap_option{
        "ring-size-cap", "N", "4096", "both sizes count as this at most: the client's own setting"};

    std::uint32_t size_cap = 4096;

    [[nodiscard]] static constexpr std::array<scheme_option, 3> options() noexcept {
        return {min_option, max_option, cap_option};
    }

    void set(std::string_view option, std::string_view value) {
        if (option == cap_option.name) {
            size_cap = parse_size(option, value);
        } else {
            sizes::set(option, value);
        }
    }
    [[nodiscard]] std::string get(std::string_view option) const {
        return option == cap_option.name ? decimal(size_cap) : sizes::get(option);
    }

    friend bool operator==(const grpc_ring&, const grpc_ring&) = default;

protected:
    /// The counts of `nodes` where they are gone through in `order`.
    [[nodiscard]] std::vector<std::uint32_t>
    counts_in_order(std::span<const placed_node> nodes,
                    std::span<const std::uint32_t> order) const {
        check_sizes();
        std::uint64_t sum = 0;
        for (const placed_node& node : nodes) {
            sum += whole_weight(node.name, node.weight);
        }
        std::vector<double> shares;
        for (const std::uint32_t i : order) {
            const auto w = static_cast<double>(whole_weight(nodes[i].name, nodes[i].weight));
            shares.push_back(sum == 0 ? 0.0 : rounded(w / static_cast<double>(sum)));
        }
        const auto running = running_counts(
            shares, ring_scale(shares, std::min(min_size, size_cap), std::min(max_size, size_cap)));
        std::vector<std::uint32_t> result(nodes.size());
        for (std::size_t i = 0; i < running.size(); ++i) {
            result[order[i]] = running[i];
        }
        return result;
    }
};

/// gRPC's ring: XXH64 of `text_i`, text being `ip:port` or `[v6]:port`, in counts as Envoy's. Go
/// sorts endpoints by their texts first (`Sorted`); the C++ core, and with it Python, Ruby and PHP,
/// takes them in the order of the list, as gRPC-JS does. Rings where a scaled share is no whole
/// number differ for it.
///
/// Source: gRPC-Go of August 2026, balancer/ringhash; gRPC core, ring_hash.cc; gRFC A42.
template <bool Sorted>
struct grpc_by : grpc_ring {
    static constexpr std::string_view name = Sorted ? "grpc" : "grpc-core";
    static constexpr std::string_view summary =
        Sorted ? "gRPC-Go's ring_hash: Envoy's ring with at most 4096 points, endpoints by name"
               : "gRPC's C++ core's ring_hash: as grpc, endpoints in the order of the list";
    static constexpr std::string_view point_rule =
        "XXH64 of name_j; as many as a running sum of the scaled shares asks for";
    static constexpr bool order_matters = !Sorted;

    [[nodiscard]] static std::uint64_t position(std::string_view key) noexcept {
        return hash::xxh64{}(key);
    }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            order.push_back(i);
        }
        return counts_in_order(nodes, order);
    }

    static void points(const placed_node& node, std::span<std::uint64_t> out) {
        points_by_label(hash::xxh64{}, underscored{}, node, out);
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return label_text(underscored{}, node, j);
    }

    friend bool operator==(const grpc_by&, const grpc_by&) = default;
};

using grpc = grpc_by<true>;
using grpc_core = grpc_by<false>;

static_assert(placement_scheme<grpc> && placement_scheme<grpc_core>);

} // namespace hashring::compat
