// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/equal_counts.hpp>
#include <hashring/compat/memcached_hash.hpp>
#include <hashring/compat/memcached_ident.hpp>
#include <hashring/compat/memcached_options.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/node.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// What the rings of libmemcached have in common.

namespace hashring::compat::detail {

/// What libmemcached does to the weights of servers that are added: makes 0 into 1. Returns the
/// largest. Throws `invalid_weight` for a fraction, and has then changed nothing.
inline std::uint64_t take_libmemcached_weights(std::span<node_spec> nodes) {
    std::uint64_t largest = 0;
    for (const node_spec& node : nodes) {
        largest = std::max(largest, whole_weight(node.name, node.weight));
    }
    for (node_spec& node : nodes) {
        node.weight = std::max(node.weight, weight{1});
    }
    return largest;
}

/// What all of them have in common.
template <memcached_hash_kind Preset>
struct libmemcached_rules : scheme_defaults<std::uint32_t>, keys_by_hash<memcached_hash, Preset> {
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    static constexpr bool ejects = true;

    friend bool operator==(const libmemcached_rules&, const libmemcached_rules&) = default;
};

/// A ring of 100 points a server that the option `weighted` turns into one by weights.
template <label_rule Ident>
struct libmemcached_ring : libmemcached_rules<memcached_hash_kind::one_at_a_time> {
    using rules = libmemcached_rules<memcached_hash_kind::one_at_a_time>;

    static constexpr scheme_option weighted_option{
        "weighted", "", "0", "the ring that the program makes once a weight is above 1"};

    /// Whether points and counts are those of the weighted ring.
    bool weighted = false;

    [[nodiscard]] static constexpr auto options() noexcept {
        return with_option(rules::options(), weighted_option);
    }

    void set(std::string_view option, std::string_view value) {
        if (option == weighted_option.name) {
            weighted = parse_flag(option, value);
        } else {
            rules::set(option, value);
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        return option == weighted_option.name ? flag_text(weighted) : rules::get(option);
    }

    /// Becomes what the program becomes when `nodes` are added after the distribution was chosen:
    /// weights of 0 are made 1, and one above 1 turns `weighted` on. Throws `invalid_weight` for a
    /// fraction, and has then changed nothing.
    void take(std::span<node_spec> nodes) {
        weighted = take_libmemcached_weights(nodes) > 1 || weighted;
    }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        std::vector<std::uint32_t> result = weighted_ketama_counts(nodes);
        if (!weighted) {
            result = equal_counts(nodes, 100);
        }
        return result;
    }

    void points(const placed_node& node, std::span<std::uint32_t> out) const {
        if (weighted) {
            points_by_digest(Ident{}, node, out);
        } else {
            points_by_label(hash, Ident{}, node, out);
        }
    }

    [[nodiscard]] std::string label(const placed_node& node, std::uint32_t j) const {
        return weighted ? digest_label(Ident{}, node, j) : label_text(Ident{}, node, j);
    }

    friend bool operator==(const libmemcached_ring&, const libmemcached_ring&) = default;
};

} // namespace hashring::compat::detail
