// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/equal_counts.hpp>
#include <hashring/compat/memcached_options.hpp>
#include <hashring/compat/modula.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/compat/spymemcached_hash.hpp>
#include <hashring/compat/spymemcached_ident.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/point_list.hpp>
#include <hashring/table/scheme.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// spymemcached 2.12.3 for Java, bit for bit, and 2.4 by an option.

namespace hashring::compat {

/// spymemcached's `KetamaNodeLocator`: 160 points a server, with `KETAMA_HASH` the four words of
/// the MD5 digests of `ident-j`, with another hash that of each `ident-j`; or, `weighted`, about
/// 160 in proportion to the weights and always by MD5, whatever the key hash is.
///
/// `label-format` is the formatter: `spymemcached` (its own) takes what Java prints of a server's
/// address (see `java_address_text`: with it **the ring depends on the answer of the DNS**);
/// `libmemcached` the host, and the port unless it is 11211; `spymemcached-2.4` is that of versions
/// before 2.5, which with addresses in digits is `libmemcached_spy`, weighted and by md5. To meet
/// `libmemcached_weighted`, take `libmemcached` and `weighted`: without the latter 25, 47, 50 …
/// equal servers have other counts.
///
/// Where weights are given the counts are those of `weighted_ketama_counts`, **each depends on
/// every node**, except that a node of weight 0, which owns nothing, counts as a server all the
/// same. They are whole numbers: a fraction throws `invalid_weight`. Where none are given they are
/// ignored, 0 aside: `take` makes it 1.
///
/// On one position the node that comes last in the list owns, as in a map.
///
/// Source: spymemcached 2.12.3, `KetamaNodeLocator`, `KetamaNodeKeyFormatter`; 2.4.2,
/// `KetamaNodeLocator`.
struct spymemcached : scheme_defaults<std::uint32_t>,
                      keys_by_hash<spymemcached_hash, spymemcached_hash_kind::ketama> {
    using keys = keys_by_hash<spymemcached_hash, spymemcached_hash_kind::ketama>;

    static constexpr std::string_view name = "spymemcached";
    static constexpr std::string_view summary =
        "spymemcached's ring: 160 points a server, by weight if told to";
    static constexpr std::string_view point_rule =
        "word j mod 4 of the MD5 of ident-(j / 4), or (another hash than KETAMA_HASH, not "
        "weighted) "
        "the key hash of ident-j; the ident by the option label-format";
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    static constexpr tie_rule ties = tie_rule::last;
    static constexpr bool dumps_equal_points = false;
    /// The formats' names, in the order of `spymemcached_format`.
    static constexpr std::array<std::string_view, 3> format_names = {"spymemcached", "libmemcached",
                                                                     "spymemcached-2.4"};
    static constexpr scheme_option format_option{
        "label-format", "NAME", "spymemcached",
        "how servers are called: spymemcached, libmemcached or spymemcached-2.4"};
    static constexpr scheme_option weighted_option{"weighted", "", "0",
                                                   "points in proportion to the weights"};

    spymemcached_label ident{};
    bool weighted = false;

    [[nodiscard]] static constexpr auto options() noexcept {
        return with_option(with_option(keys::options(), format_option), weighted_option);
    }

    void set(std::string_view option, std::string_view value) {
        if (option == format_option.name) {
            ident.format =
                static_cast<spymemcached_format>(parse_name(option, value, format_names));
        } else if (option == weighted_option.name) {
            weighted = parse_flag(option, value);
        } else {
            keys::set(option, value);
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        if (option == format_option.name) {
            return std::string(format_names[static_cast<std::size_t>(ident.format)]);
        }
        return option == weighted_option.name ? flag_text(weighted) : keys::get(option);
    }

    /// How many servers the program tries for a key before it gives up.
    static constexpr std::uint32_t tries = 7;

    using keys::position;

    /// Where the key stands at try `t` in [0, tries): the sum of the hashes of the key and of the
    /// key with 0, 1, … `t` - 1 in front. O(t · length).
    [[nodiscard]] std::uint32_t position(std::string_view key, std::uint32_t t) const {
        std::uint32_t sum = position(key);
        for (std::uint32_t i = 0; i < t; ++i) {
            sum += position(concat(decimal(i), key));
        }
        return sum;
    }

    /// Where the program ignores weights, makes 0 into 1; else changes nothing.
    void take(std::span<node_spec> nodes) const {
        if (!weighted) {
            ignore_weights(nodes);
        }
    }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        if (weighted) {
            return weighted_counts(nodes, [&](std::uint64_t w, std::uint64_t total, std::uint64_t) {
                return weighted_ketama_points(w, total, nodes.size());
            });
        }
        return equal_counts(nodes, 160);
    }

    void points(const placed_node& node, std::span<std::uint32_t> out) const {
        if (by_digest()) {
            points_by_digest(ident, node, out);
        } else {
            points_by_label(hash, ident, node, out);
        }
    }

    [[nodiscard]] std::string label(const placed_node& node, std::uint32_t j) const {
        return by_digest() ? digest_label(ident, node, j) : label_text(ident, node, j);
    }

    friend bool operator==(const spymemcached&, const spymemcached&) = default;

private:
    [[nodiscard]] bool by_digest() const noexcept {
        return weighted || hash.kind == spymemcached_hash_kind::ketama;
    }
};

/// The servers that spymemcached tries for `key`, in its order, as indices of `ring`'s nodes, or
/// `no_node` if no node has a point: the owner, then the owners of positions that are further
/// hashes of the key away. The same server may come again, and others not at all.
///
/// Source: spymemcached 2.12.3, `KetamaIterator`.
template <class Ring>
[[nodiscard]] std::array<std::uint32_t, spymemcached::tries>
spymemcached_sequence(const Ring& ring, std::string_view key) {
    std::array<std::uint32_t, spymemcached::tries> servers{};
    for (std::uint32_t t = 0; t < servers.size(); ++t) {
        servers[t] = ring.owner_index_at(ring.scheme().position(key, t));
    }
    return servers;
}

/// spymemcached's `ArrayModNodeLocator`, which it takes by itself with `NATIVE_HASH`: the key's
/// hash modulo the number of servers names the one in the list. Weights are ignored, 0 aside: such
/// a node is not there, and `take` makes it 1.
///
/// Source: spymemcached 2.12.3, `ArrayModNodeLocator`.
struct spymemcached_array_mod : detail::modula_rules<>,
                                keys_by_hash<spymemcached_hash, spymemcached_hash_kind::native> {
    static constexpr std::string_view name = "spymemcached-array-mod";
    static constexpr std::string_view summary =
        "spymemcached without a ring: the key's hash modulo the number of servers";
    static constexpr std::string_view node_rule =
        "node i of the list, from 0, is server i, whatever it weighs";
    static constexpr std::string_view owner_rule = "server hash mod n of n servers";
    static constexpr bool order_matters = true;

    /// Makes weights of 0 into 1: the program knows none.
    static void take(std::span<node_spec> nodes) { ignore_weights(nodes); }

    [[nodiscard]] static slot_list build(std::span<const placed_node> nodes) {
        return detail::equal_slots(nodes);
    }

    friend bool operator==(const spymemcached_array_mod&, const spymemcached_array_mod&) = default;
};

static_assert(placement_scheme<spymemcached> && retrying_scheme<spymemcached> &&
              slotted_scheme<spymemcached_array_mod>);

} // namespace hashring::compat
