// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/memcached_hash.hpp>
#include <hashring/compat/memcached_ident.hpp>
#include <hashring/compat/memcached_options.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// libmemcached 1.1.4, and so pylibmc, php-memcached and all else that is built on it: its two
/// consistent rings, bit for bit.
///
/// A node's name is `host:port`, or a host alone for port 11211; `path:0` is a Unix socket that was
/// added as one. Weights are whole numbers: a fraction throws `invalid_weight`.
///
/// As in every ring here a weight of 0 owns nothing, and such a node, or one with a count by hand,
/// is not counted among the servers: that is a server that the program has ejected. The program
/// itself takes a weight of 0 for 1: `take` does so to a list of nodes, and the command-line tool
/// to its file.
///
/// The program stops with more than 100 servers; these rings do not.

namespace hashring::compat {

namespace detail {

/// What both rings have in common.
template <memcached_hash_kind Preset>
struct libmemcached_rules : scheme_defaults<std::uint32_t>, memcached_keys<Preset> {
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;

    friend bool operator==(const libmemcached_rules&, const libmemcached_rules&) = default;

protected:
    static void weighted_points(const placed_node& node, std::span<std::uint32_t> out) {
        points_by_digest(dashed_ident{}, node, out);
    }

    [[nodiscard]] static std::string weighted_label(const placed_node& node, std::uint32_t j) {
        return concat(label_text(dashed_ident{}, node, j / 4), " word ", decimal(j % 4));
    }

    /// Makes a weight of 0 into 1; returns the largest. Throws `invalid_weight` for a fraction.
    static std::uint64_t take_weights(std::span<node_spec> nodes) {
        std::uint64_t largest = 0;
        for (const node_spec& node : nodes) {
            largest = std::max(largest, whole_weight(node.name, node.weight));
        }
        for (node_spec& node : nodes) {
            node.weight = std::max(node.weight, weight{1});
        }
        return largest;
    }
};

} // namespace detail

/// libmemcached's plain consistent ring (`--DISTRIBUTION=CONSISTENT`, `MEMCACHED_BEHAVIOR_KETAMA`):
/// 100 points a server, each the key hash of `ident-j`; the ident is the name without `:11211`.
/// Weights are ignored.
///
/// **The program leaves this ring for the weighted one by itself** when a server with a weight
/// above 1 is added after the distribution was chosen, the usual order; added before, it ignores
/// the weights. `take` does the former (and so does the tool), the option `weighted` sets it.
///
/// On one position the server that comes first in the list owns. The hash `crc` has 15 bits: all
/// keys but few then belong to the server of the lowest point.
///
/// Source: libmemcached 1.1.4, `update_continuum` and `server_add` in hosts.cc.
struct libmemcached : detail::libmemcached_rules<memcached_hash_kind::one_at_a_time> {
    using rules = detail::libmemcached_rules<memcached_hash_kind::one_at_a_time>;

    static constexpr std::string_view name = "libmemcached";
    static constexpr std::string_view summary =
        "libmemcached's plain ring: 100 points a server, weighted once a weight is above 1";
    static constexpr std::string_view point_rule =
        "the key hash of ident-j, j below 100, or (weighted) as libmemcached-weighted has it; the "
        "ident is the name without :11211";
    static constexpr scheme_option weighted_option{
        "weighted", "", "0", "the ring that the program makes once a weight is above 1"};

    /// Whether points and counts are those of `libmemcached_weighted`.
    bool weighted = false;

    [[nodiscard]] static constexpr std::array<scheme_option, 3> options() noexcept {
        return {hash_option, unsigned_char_option, weighted_option};
    }

    void set(std::string_view option, std::string_view value) {
        if (option == weighted_option.name) {
            weighted = parse_flag(option, value);
        } else {
            rules::set(option, value);
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        return option == weighted_option.name ? (weighted ? "1" : "0") : rules::get(option);
    }

    /// Becomes what the program becomes when `nodes` are added after the distribution was chosen:
    /// weights of 0 are made 1, and one above 1 turns `weighted` on. Throws `invalid_weight` for a
    /// fraction, and has then changed nothing.
    void take(std::span<node_spec> nodes) { weighted = take_weights(nodes) > 1 || weighted; }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        std::vector<std::uint32_t> result = weighted_ketama_counts(nodes);
        if (!weighted) {
            std::transform(nodes.begin(), nodes.end(), result.begin(),
                           [](const placed_node& n) { return n.weight > weight{0} ? 100U : 0U; });
        }
        return result;
    }

    void points(const placed_node& node, std::span<std::uint32_t> out) const {
        if (weighted) {
            weighted_points(node, out);
        } else {
            points_by_label(hash, dashed_ident{}, node, out);
        }
    }

    [[nodiscard]] std::string label(const placed_node& node, std::uint32_t j) const {
        return weighted ? weighted_label(node, j) : label_text(dashed_ident{}, node, j);
    }

    friend bool operator==(const libmemcached&, const libmemcached&) = default;
};

/// libmemcached's weighted ring (`MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED`, and what php-memcached calls
/// libketama-compatible): about 160 points a server in proportion to the weights, the four words of
/// the MD5 digests of `ident-j`, whatever the key hash is; the ident is the name without `:11211`.
///
/// The counts are those of `weighted_ketama_counts`: each depends on every node, so that any change
/// of the list may move keys between any two, and a light server among heavy ones may get none.
///
/// On one position the server that comes first in the list owns. Choosing this ring the program
/// sets the key hash to `md5`; one chosen later holds.
///
/// Source: libmemcached 1.1.4, `update_continuum` in hosts.cc.
struct libmemcached_weighted : detail::libmemcached_rules<memcached_hash_kind::md5> {
    static constexpr std::string_view name = "libmemcached-weighted";
    static constexpr std::string_view summary =
        "libmemcached's weighted ring: about 160 points a server by weight, MD5";
    static constexpr std::string_view point_rule =
        "word j mod 4 of the MD5 of ident-(j / 4), counts by weight in single precision; the ident "
        "is the name without :11211";

    /// Makes weights of 0 into 1, as the program does when `nodes` are added. Throws
    /// `invalid_weight` for a fraction, and has then changed nothing.
    static void take(std::span<node_spec> nodes) { take_weights(nodes); }

    [[nodiscard]] static std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) {
        return weighted_ketama_counts(nodes);
    }

    static void points(const placed_node& node, std::span<std::uint32_t> out) {
        weighted_points(node, out);
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return weighted_label(node, j);
    }

    friend bool operator==(const libmemcached_weighted&, const libmemcached_weighted&) = default;
};

static_assert(placement_scheme<libmemcached> && placement_scheme<libmemcached_weighted>);

} // namespace hashring::compat
