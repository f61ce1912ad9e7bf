// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/envoy_shares.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/compat/scaled_ring.hpp>
#include <hashring/core/node.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Envoy's `ring_hash`, bit for bit.

namespace hashring::compat {

/// The hashes of Envoy's points. A name's place is its number in `envoy_hash_names`.
enum class envoy_hash : std::uint8_t { xxh64, murmur2 };

/// Their names as the configuration (in lower case) and the command line spell them.
inline constexpr std::array<std::string_view, 2> envoy_hash_names = {"xxh64", "murmur2"};

/// Envoy's ring hash: the hash of `text_i`, as many a host as its weight makes of a ring between
/// two sizes; see `envoy_cluster` for names and localities, `ring_scale` and `running_counts` for
/// the counts, which hang on every host and on their order.
///
/// Keys are hashed by XXH64 whatever hashes the points. Weights are whole numbers, else
/// `invalid_weight`; sizes that contradict each other are `invalid_option`. A host that is not
/// healthy leaves the ring, which is scaled anew: give it a weight of 0. Retry a goes a points on:
/// see `owner_at_attempt`. Who has the same 64-bit point first is not defined in the program.
///
/// Source: Envoy 1.32, ring_hash_lb.cc (the same since 1.10). `murmur2` is MurmurHash64A with the
/// seed of libstdc++'s `std::hash`.
struct envoy : scheme_defaults<std::uint64_t>,
               ring_sizes<ring_sizes<4096>::largest>,
               envoy_cluster {
    using sizes = ring_sizes<ring_sizes<4096>::largest>;

    static constexpr std::string_view name = "envoy";
    static constexpr std::string_view summary =
        "Envoy's ring_hash: a ring of a size between two, shared out by weight";
    static constexpr std::string_view key_rule = "XXH64 of the key";
    static constexpr std::string_view point_rule =
        "the hash of name_j; as many as a running sum of the scaled shares asks for";
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    static constexpr scheme_option hash_option{"hash", "NAME", "xxh64",
                                               "the hash of points: xxh64 or murmur2"};

    envoy_hash hash = envoy_hash::xxh64;

    [[nodiscard]] static constexpr std::array<scheme_option, 4> options() noexcept {
        return {hash_option, min_option, max_option, localities_option};
    }

    void set(std::string_view option, std::string_view value) {
        if (option == hash_option.name) {
            hash = static_cast<envoy_hash>(parse_name(option, value, envoy_hash_names));
        } else if (option == localities_option.name) {
            envoy_cluster::set(option, value);
        } else {
            sizes::set(option, value);
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        if (option == hash_option.name) {
            return std::string(envoy_hash_names[static_cast<std::size_t>(hash)]);
        }
        return option == localities_option.name ? envoy_cluster::get(option) : sizes::get(option);
    }

    [[nodiscard]] static std::uint64_t position(std::string_view key) noexcept {
        return hashring::hash::xxh64{}(key);
    }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        check_sizes();
        const envoy_shares shares = share_out(nodes, localities);
        std::vector<double> in_order;
        for (const std::uint32_t node : shares.order) {
            in_order.push_back(shares.of[node]);
        }
        const auto running = running_counts(in_order, ring_scale(in_order, min_size, max_size));
        std::vector<std::uint32_t> result(nodes.size());
        for (std::size_t i = 0; i < running.size(); ++i) {
            result[shares.order[i]] = running[i];
        }
        return result;
    }

    void points(const placed_node& node, std::span<std::uint64_t> out) const {
        constexpr std::uint64_t murmur2_seed = 0xc70f6907U;
        if (hash == envoy_hash::murmur2) {
            points_by_label(hashring::hash::murmur64a{murmur2_seed}, underscored{}, node, out);
        } else {
            points_by_label(hashring::hash::xxh64{}, underscored{}, node, out);
        }
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return label_text(underscored{}, node, j);
    }

    friend bool operator==(const envoy&, const envoy&) = default;
};

static_assert(placement_scheme<envoy> && ejecting_scheme<envoy>);

} // namespace hashring::compat
