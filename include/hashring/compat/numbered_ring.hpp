// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/equal_counts.hpp>
#include <hashring/compat/memcached_options.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/hash/fnv.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// \file
/// What two rings of Go have in common: a map from the hash of a number and a name to that name.

namespace hashring::compat {

/// The hashes that Go's rings are used with. A name's place is its number in `go_hash_names`.
enum class go_hash_kind : std::uint8_t {
    crc32,   ///< zlib's
    fnv1a_32 ///< called `fnv1a32`
};

inline constexpr std::array<std::string_view, 2> go_hash_names = {"crc32", "fnv1a32"};

/// One of these hashes, chosen at run time. All 32-bit values; O(length).
struct go_hash {
    using result_type = std::uint32_t;
    using kind_type = go_hash_kind;
    static constexpr std::string_view rule =
        "CRC-32 or 32-bit FNV-1a of the key by the option hash";
    static constexpr std::string_view help = "the hash of keys and points: crc32 or fnv1a32";

    go_hash_kind kind = go_hash_kind::crc32;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        return kind == go_hash_kind::crc32 ? hash::crc32{}(bytes)
                                           : hash::fnv1a<std::uint32_t>{}(bytes);
    }

    /// The hash's name as the command line spells it.
    [[nodiscard]] constexpr std::string_view text() const noexcept {
        return go_hash_names[static_cast<std::size_t>(kind)];
    }

    /// The hash called `name`; throws `invalid_option`, naming those that there are.
    [[nodiscard]] static go_hash_kind parse(std::string_view name) {
        return static_cast<go_hash_kind>(parse_name("hash", name, go_hash_names));
    }

    friend constexpr bool operator==(const go_hash&, const go_hash&) = default;
};

/// `jname`, the number first and nothing between: 1 of `1a` is 11 of `a`.
struct number_first {
    static constexpr std::string_view name = "jname";
    static constexpr bool unambiguous = false;

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        append_decimal(out, j);
        out += node.name;
    }

    friend bool operator==(const number_first&, const number_first&) = default;
};

namespace detail {

/// The base of these rings. On one position the node that was added last owns, as in a map: names
/// that begin with digits share positions with others by their texts.
template <std::uint32_t Preset>
struct numbered_ring : scheme_defaults<std::uint32_t>,
                       keys_by_hash<go_hash, go_hash_kind::crc32>,
                       counts_per_node<Preset> {
    using keys = keys_by_hash<go_hash, go_hash_kind::crc32>;
    using vnodes_of = counts_per_node<Preset>;

    static constexpr std::string_view point_rule = "the same hash of j and the name, jname";
    static constexpr bool order_matters = true;
    static constexpr tie_rule ties = tie_rule::last;
    static constexpr bool dumps_equal_points = false;

    [[nodiscard]] static constexpr auto options() noexcept {
        return with_option(keys::options(), vnodes_of::vnodes_option);
    }

    void set(std::string_view option, std::string_view value) {
        if (option == keys::hash_option.name) {
            keys::set(option, value);
        } else {
            vnodes_of::set(option, value);
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        return option == keys::hash_option.name ? keys::get(option) : vnodes_of::get(option);
    }

    void points(const placed_node& node, std::span<std::uint32_t> out) const {
        points_by_label(hash, number_first{}, node, out);
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return label_text(number_first{}, node, j);
    }

    friend bool operator==(const numbered_ring&, const numbered_ring&) = default;
};

} // namespace detail

} // namespace hashring::compat
