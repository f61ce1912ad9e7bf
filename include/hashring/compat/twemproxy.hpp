// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/modula.hpp>
#include <hashring/compat/twemproxy_rules.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/node.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/table/scheme.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// twemproxy (nutcracker) 0.5.0, bit for bit, in front of memcached and of Redis alike.
///
/// How a node is called is said at `twemproxy_ident`; two nodes that the program would call the
/// same throw `invalid_node`. Weights are whole numbers: a fraction throws `invalid_weight`. A node
/// of weight 0 owns nothing and is not counted, as a server that the program has ejected
/// (`auto_eject_hosts`); in its configuration the program refuses 0, and so does `take`.
///
/// The order of the configuration does not matter: the program sorts its servers, shorter idents
/// first and equally long ones by bytes. The program takes memcache keys of up to 250 bytes; these
/// schemes take any.

namespace hashring::compat {

/// twemproxy's ring (`distribution: ketama`, its own choice): about 160 points a server in
/// proportion to the weights, the four words of the MD5 digests of `ident-j`, whatever the key hash
/// is.
///
/// The counts are those of `weighted_ketama_counts`: **every count depends on every node**. With
/// equal idents and key hashes this is `libmemcached_weighted`, but for the order: on one position
/// the server that comes first in twemproxy's order owns (where the C library's `qsort` is stable,
/// as glibc 2.36's is; the program leaves it to that).
///
/// With the hash `crc32`, of 15 bits, all keys belong to the server of the lowest point.
///
/// Source: twemproxy 0.5.0, `ketama_update` and `ketama_dispatch` in nc_ketama.c.
struct twemproxy : scheme_defaults<std::uint32_t>, twemproxy_keys, detail::twemproxy_order {
    using twemproxy_order::order_matters;

    static constexpr std::string_view name = "twemproxy";
    static constexpr std::string_view summary =
        "twemproxy's ring: about 160 points a server by weight, MD5, idents sorted";
    static constexpr std::string_view point_rule =
        "word j mod 4 of the MD5 of ident-(j / 4), counts by weight in single precision; the ident "
        "is the server's name, or its address without :11211";
    static constexpr bool points_depend_on_list = true;
    static constexpr bool ejects = true;

    /// Throws `invalid_weight` for a weight that the program's configuration cannot have.
    static void take(std::span<const node_spec> nodes) { detail::check_twemproxy_weights(nodes); }

    [[nodiscard]] static std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) {
        detail::check_twemproxy_idents(nodes);
        return weighted_ketama_counts(nodes);
    }

    static void points(const placed_node& node, std::span<std::uint32_t> out) {
        points_by_digest(twemproxy_label{}, node, out);
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return digest_label(twemproxy_label{}, node, j);
    }

    friend bool operator==(const twemproxy&, const twemproxy&) = default;
};

/// twemproxy's `distribution: modula`: a table in which each server stands as often as it weighs,
/// in the program's order, and the key's hash modulo its size names the place. Unlike
/// `libmemcached_modula` it honours weights.
///
/// Source: twemproxy 0.5.0, `modula_update` and `modula_dispatch` in nc_modula.c.
struct twemproxy_modula : detail::modula_rules<>, twemproxy_keys, detail::twemproxy_order {
    static constexpr std::string_view name = "twemproxy-modula";
    static constexpr std::string_view summary =
        "twemproxy without a ring: the key's hash modulo the sum of the weights";
    static constexpr std::string_view node_rule =
        "a server has as many slots in a row as it weighs, idents sorted";
    static constexpr std::string_view owner_rule = "slot hash mod n of n slots";

    /// As `twemproxy::take`.
    static void take(std::span<const node_spec> nodes) { detail::check_twemproxy_weights(nodes); }

    [[nodiscard]] static slot_list build(std::span<const placed_node> nodes) {
        detail::check_twemproxy_idents(nodes);
        std::vector<std::uint32_t> weights;
        for (const placed_node& node : nodes) {
            weights.push_back(static_cast<std::uint32_t>(whole_weight(node.name, node.weight)));
        }
        return detail::repeated_slots(weights);
    }

    friend bool operator==(const twemproxy_modula&, const twemproxy_modula&) = default;
};

static_assert(placement_scheme<twemproxy> && ordering_scheme<twemproxy>);
static_assert(slotted_scheme<twemproxy_modula> && ordering_scheme<twemproxy_modula>);

} // namespace hashring::compat
