// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/brpc_server.hpp>
#include <hashring/compat/equal_counts.hpp>
#include <hashring/compat/memcached_options.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/murmur3.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// \file
/// Apache brpc's consistent hashing load balancers, bit for bit.

namespace hashring::compat {

/// Which of brpc's balancers: `c_murmurhash`, `c_md5` or `c_ketama`. A name's place is its number
/// in `brpc_hash_names`.
enum class brpc_hash_kind : std::uint8_t { murmurhash, md5, ketama };

inline constexpr std::array<std::string_view, 3> brpc_hash_names = {"murmurhash", "md5", "ketama"};

/// The hash of a balancer, chosen at run time. All 32-bit values; O(length).
struct brpc_hash {
    using result_type = std::uint32_t;
    using kind_type = brpc_hash_kind;
    static constexpr std::string_view rule =
        "MurmurHash3 of the key, or (md5, ketama) the first little-endian word of its MD5: what "
        "set_request_code is given";
    static constexpr std::string_view help = "the balancer c_NAME: murmurhash, md5 or ketama";

    brpc_hash_kind kind = brpc_hash_kind::murmurhash;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        return kind == kind_type::murmurhash ? hash::murmur3_32{}(bytes) : hash::md5{}(bytes);
    }

    /// The hash's name as the command line spells it.
    [[nodiscard]] constexpr std::string_view text() const noexcept {
        return brpc_hash_names[static_cast<std::size_t>(kind)];
    }

    /// The hash called `name`; throws `invalid_option`, naming those that there are.
    [[nodiscard]] static brpc_hash_kind parse(std::string_view name) {
        return static_cast<brpc_hash_kind>(parse_name("hash", name, brpc_hash_names));
    }

    friend constexpr bool operator==(const brpc_hash&, const brpc_hash&) = default;
};

/// brpc's ring: 100 points a server, of `ip:port-j`, or with `server-tag` of `ip:port-j-tag`;
/// `c_ketama` takes all four words of the MD5 of `ip:port-(j / 4)`, so that 100 points are 25
/// digests.
///
/// A node's name is what the program prints of a server: see `brpc_server`; any other, and one
/// whose label is longer than the program has room for, throws `invalid_node`. On one position the
/// server of the lowest address owns, whatever the order of the list.
///
/// Keys are hashed by the client, which gives the program a number of 32 bits: the usual ones are
/// `MurmurHash32` for `c_murmurhash` and `MD5Hash32` for the others, as here. The program knows no
/// weights: they are ignored, 0 aside, which `take` makes 1. Its `c_ketama` ends with an error
/// where points are not a multiple of four; here that is `invalid_option`. A server that is down
/// keeps its points, and the next point's server answers.
///
/// Source: Apache brpc, commit 71871ee9fb46 of August 2026,
/// policy/consistent_hashing_load_balancer.cpp.
struct brpc : scheme_defaults<std::uint32_t>,
              keys_by_hash<brpc_hash, brpc_hash_kind::murmurhash>,
              counts_per_node<100> {
    using keys = keys_by_hash<brpc_hash, brpc_hash_kind::murmurhash>;
    using per_node = counts_per_node<100>;

    static constexpr std::string_view name = "brpc";
    static constexpr std::string_view summary =
        "Apache brpc's c_murmurhash, c_md5 and c_ketama: 100 points a server, by ip:port";
    static constexpr std::string_view point_rule =
        "the option hash of ip:port-j, or (ketama) word j mod 4 of the MD5 of ip:port-(j / 4); "
        "with server-tag and -tag behind";
    static constexpr std::string_view node_order =
        "of those by IPv4 address as a little-endian number, port, tag";
    static constexpr scheme_option server_tag_option{
        "server-tag", "", "0", "the program's consistent_hashing_enable_server_tag"};

    bool server_tag = false;

    [[nodiscard]] static constexpr auto options() noexcept {
        return with_option(with_option(keys::options(), vnodes_option), server_tag_option);
    }

    void set(std::string_view option, std::string_view value) {
        if (option == server_tag_option.name) {
            server_tag = parse_flag(option, value);
        } else if (option == vnodes_option.name) {
            per_node::set(option, value);
        } else {
            keys::set(option, value);
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        return option == server_tag_option.name ? flag_text(server_tag)
               : option == vnodes_option.name   ? per_node::get(option)
                                                : keys::get(option);
    }

    /// Keys stand alike by `md5` and `ketama`.
    [[nodiscard]] constexpr bool places_keys_as(const brpc& other) const noexcept {
        return (hash.kind == brpc_hash_kind::murmurhash) ==
               (other.hash.kind == brpc_hash_kind::murmurhash);
    }

    [[nodiscard]] static bool comes_before(const placed_node& a, const placed_node& b) {
        const brpc_server of_a = brpc_server::of(a.name);
        const brpc_server of_b = brpc_server::of(b.name);
        return std::tuple(brpc_rank(of_a.endpoint), of_a.tag, a.name) <
               std::tuple(brpc_rank(of_b.endpoint), of_b.tag, b.name);
    }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        if (by_digest() && vnodes_per_node % 4 != 0) {
            throw invalid_option(concat("vnodes ", decimal(vnodes_per_node),
                                        " is not a multiple of 4, as brpc's ketama needs"));
        }
        for (const placed_node& node : nodes) {
            check(node);
        }
        return per_node::counts(nodes);
    }

    void points(const placed_node& node, std::span<std::uint32_t> out) const {
        if (by_digest()) {
            points_by_digest(brpc_label{server_tag}, node, out);
        } else {
            points_by_label(hash, brpc_label{server_tag}, node, out);
        }
    }

    [[nodiscard]] std::string label(const placed_node& node, std::uint32_t j) const {
        return by_digest() ? digest_label(brpc_label{server_tag}, node, j)
                           : label_text(brpc_label{server_tag}, node, j);
    }

    friend bool operator==(const brpc&, const brpc&) = default;

private:
    [[nodiscard]] bool by_digest() const noexcept { return hash.kind == brpc_hash_kind::ketama; }

    void check(const placed_node& node) const {
        if (!brpc_rank(brpc_server::of(node.name).endpoint)) {
            throw invalid_node(concat("'", node.name,
                                      "' is no server as brpc prints it: ip:port, [ip]:port or "
                                      "unix:path, and (tag=TEXT) behind if it has a tag"));
        }
        const std::uint32_t last = (vnodes_per_node - 1) / (by_digest() ? 4 : 1);
        if (label_text(brpc_label{server_tag}, node, last).size() > brpc_label::longest) {
            throw invalid_node(concat("the label of '", node.name,
                                      "' is longer than the 255 bytes that brpc has room for"));
        }
    }
};

static_assert(placement_scheme<brpc> && ordering_scheme<brpc>);

} // namespace hashring::compat
