// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/libmemcached_rules.hpp>
#include <hashring/compat/memcached_hash.hpp>
#include <hashring/compat/memcached_ident.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/node.hpp>
#include <hashring/placement/scheme.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// libmemcached 1.1.4, and so pylibmc, php-memcached and all else that is built on it: its
/// consistent rings, bit for bit. `libmemcached_modula` is in a file of its own.
///
/// A node's name is `host:port`, or a host alone for port 11211. A Unix socket is `path:0` if it
/// was added as one (pylibmc) or in a list (php-memcached `addServers`), and `path` if it was added
/// as a host (php-memcached `addServer`): two places on the ring for one socket. IPv6 addresses
/// stand without brackets. Weights are whole numbers: a fraction throws `invalid_weight`.
///
/// As in every ring here a weight of 0 owns nothing, and such a node, or one with a count by hand,
/// is not counted among the servers: that is a server that the program has ejected. The program
/// itself takes a weight of 0 for 1: `take` does so to a list of nodes, and the command-line tool
/// to its file.
///
/// The program stops with more than 100 servers; these rings do not.
///
/// Which of them other clients' settings are:
///
/// - php-memcached `OPT_LIBKETAMA_COMPATIBLE`, and its sessions of 2.x: `libmemcached_weighted`;
/// - php-memcached `DISTRIBUTION_CONSISTENT`, and its sessions of 3.x: `libmemcached`;
/// - the former, and then the latter: `libmemcached` with `hash` = md5;
/// - php-memcached and pylibmc with no setting: `libmemcached_modula`;
/// - pylibmc `{'ketama': True}`: `libmemcached`, with its own hash and not MD5;
/// - pylibmc `{'ketama_weighted': True}`, with any `hash` too: `libmemcached_weighted`;
/// - pylibmc `{'ketama_weighted': True, 'distribution': 'consistent ketama spy'}`:
///   `libmemcached_spy` with `hash` = md5 and `weighted`.
///
/// In all of them a hash that is set after the servers were added hashes keys alone: the points are
/// those of the hash before it, until the program makes its ring anew.

namespace hashring::compat {

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
struct libmemcached : detail::libmemcached_ring<dashed_ident> {
    static constexpr std::string_view name = "libmemcached";
    static constexpr std::string_view summary =
        "libmemcached's plain ring: 100 points a server, weighted once a weight is above 1";
    static constexpr std::string_view point_rule =
        "the key hash of ident-j, j below 100, or (weighted) as libmemcached-weighted has it; the "
        "ident is the name without :11211";

    friend bool operator==(const libmemcached&, const libmemcached&) = default;
};

/// libmemcached's ring that is called spymemcached's
/// (`MEMCACHED_DISTRIBUTION_CONSISTENT_KETAMA_SPY`) and is it only up to spymemcached 2.4, only if
/// `weighted`, with the hash `md5`, and with servers known by their addresses. The ident is a slash
/// and the name, the port always with it; all else is as in `libmemcached`, `take` included.
///
/// Source: libmemcached 1.1.4, `update_continuum` in hosts.cc.
struct libmemcached_spy : detail::libmemcached_ring<slashed_ident> {
    static constexpr std::string_view name = "libmemcached-spy";
    static constexpr std::string_view summary =
        "libmemcached's ring in the manner of spymemcached 2.4: idents are /host:port";
    static constexpr std::string_view point_rule =
        "the key hash of /host:port-j, j below 100, or (weighted) word j mod 4 of the MD5 of "
        "/host:port-(j / 4), counts by weight in single precision";

    friend bool operator==(const libmemcached_spy&, const libmemcached_spy&) = default;
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
    static void take(std::span<node_spec> nodes) { detail::take_libmemcached_weights(nodes); }

    [[nodiscard]] static std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) {
        return weighted_ketama_counts(nodes);
    }

    static void points(const placed_node& node, std::span<std::uint32_t> out) {
        points_by_digest(dashed_ident{}, node, out);
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return digest_label(dashed_ident{}, node, j);
    }

    friend bool operator==(const libmemcached_weighted&, const libmemcached_weighted&) = default;
};

static_assert(placement_scheme<libmemcached> && placement_scheme<libmemcached_spy> &&
              placement_scheme<libmemcached_weighted>);

/// Where `key` stands behind a prefix that the program was told to hash with it
/// (`MEMCACHED_BEHAVIOR_HASH_WITH_PREFIX_KEY`; else a prefix places nothing, and `position` it is).
/// Together they have at most 250 bytes; what is longer stands at 0, and is no error.
///
/// Source: libmemcached 1.1.4, `memcached_generate_hash_with_redistribution` in hash.cc.
template <class Scheme>
[[nodiscard]] std::uint32_t position_with_prefix(const Scheme& scheme, std::string_view prefix,
                                                 std::string_view key) noexcept {
    std::array<char, 250> text;
    if (prefix.size() > text.size() || key.size() > text.size() - prefix.size()) {
        return 0;
    }
    key.copy(text.data() + prefix.copy(text.data(), prefix.size()), key.size());
    return scheme.position({text.data(), prefix.size() + key.size()});
}

} // namespace hashring::compat
