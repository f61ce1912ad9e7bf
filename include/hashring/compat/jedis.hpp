// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/jedis_tag.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/compat/tagged_keys.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/placement/signed_order.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// ShardedJedis of Jedis 2.9 and 3.10 for Java, bit for bit.

namespace hashring::compat {

/// Jedis' hashes. A name's place is its number in `jedis_hash_names`.
enum class jedis_hash_kind : std::uint8_t { murmur, md5 };

inline constexpr std::array<std::string_view, 2> jedis_hash_names = {"murmur", "md5"};

/// One of Jedis' hashes, chosen at run time, of keys and of labels: where its number stands in the
/// order of a `TreeMap<Long, …>`. O(length).
///
/// MD5 gives numbers of 32 bits. They stand 2^32 apart here, so that shares are those of the keys
/// that the program sees.
struct jedis_hash {
    using result_type = std::uint64_t;
    using kind_type = jedis_hash_kind;
    static constexpr std::string_view rule =
        "MurmurHash64A of the key, seed 0x1234ABCD, as a signed number, or the first little-endian "
        "word of its MD5; only what stands between the marks of a tag";
    static constexpr std::string_view help = "the hash of keys and points: murmur or md5";

    jedis_hash_kind kind = jedis_hash_kind::murmur;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        return kind == kind_type::md5 ? result_type{hash::md5{}(bytes)} << 32U
                                      : in_signed_order(hash::murmur64a{hash::jedis_seed}(bytes));
    }

    /// The number at a position as the program prints it; between two of MD5's, the next.
    [[nodiscard]] std::string number(result_type position) const {
        return kind == kind_type::md5 ? decimal((position + 0xffffffffU) >> 32U)
                                      : signed_text(position);
    }

    /// The hash's name as the command line spells it.
    [[nodiscard]] constexpr std::string_view text() const noexcept {
        return jedis_hash_names[static_cast<std::size_t>(kind)];
    }

    /// The hash called `name`; throws `invalid_option`, naming those that there are.
    [[nodiscard]] static jedis_hash_kind parse(std::string_view name) {
        return static_cast<jedis_hash_kind>(parse_name("hash", name, jedis_hash_names));
    }

    friend constexpr bool operator==(const jedis_hash&, const jedis_hash&) = default;
};

/// The label of a shard with a name: `name*j`, and up to Jedis 2.9 `name*weightj` (jedis #1287).
template <bool WithWeight>
struct jedis_name_label {
    static constexpr std::string_view name = WithWeight ? "name*weightj" : "name*j";
    static constexpr bool unambiguous = true;

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        out += node.name;
        out += '*';
        if (WithWeight) {
            append_decimal(out, node.weight.thousandths() / 1000);
        }
        append_decimal(out, j);
    }

    friend bool operator==(const jedis_name_label&, const jedis_name_label&) = default;
};

/// Jedis' ring: 160 points a unit of weight, in a tree map in which the shard that comes last owns
/// a position that two have a point on.
///
/// A shard without a name is hashed by its place in the list, so that **removing one renames all
/// behind it** and moves their keys; this ring is `murmur_shard` with 160 points. With `named` all
/// shards have names, which are their nodes' names.
///
/// `tag` is the program's key tag pattern: `{}` is its `DEFAULT_KEY_TAG_PATTERN`. It looks at tags
/// in its methods for `String` only, those for `byte[]` place as without. Weights are whole
/// numbers: a fraction throws `invalid_weight`. It knows no server that is down.
///
/// Jedis 4 to 6 have the ring without names and weights; 7 has none.
///
/// Source: Jedis 2.9.0 and 3.10.0, `Sharded.initialize`, `Hashing`.
template <bool WithWeight>
struct jedis_ring : scheme_defaults<std::uint64_t>,
                    tagged_keys<jedis_hash, jedis_hash_kind::murmur, jedis_tag> {
    using keys = tagged_keys<jedis_hash, jedis_hash_kind::murmur, jedis_tag>;
    using name_label = jedis_name_label<WithWeight>;

    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    static constexpr tie_rule ties = tie_rule::last;
    static constexpr bool dumps_equal_points = false;
    static constexpr std::uint32_t points_per_weight = 160;
    static constexpr scheme_option named_option{
        "named", "", "0", "shards have names, and their places in the list do not count"};

    bool named = false;

    [[nodiscard]] static constexpr auto options() noexcept {
        return with_option(keys::options(), named_option);
    }

    void set(std::string_view option, std::string_view value) {
        if (option == named_option.name) {
            named = parse_flag(option, value);
        } else {
            keys::set(option, value);
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        return option == named_option.name ? flag_text(named) : keys::get(option);
    }

    [[nodiscard]] static std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) {
        std::vector<std::uint32_t> result;
        result.reserve(nodes.size());
        for (const placed_node& node : nodes) {
            result.push_back(static_cast<std::uint32_t>(whole_weight(node.name, node.weight)) *
                             points_per_weight);
        }
        return result;
    }

    void points(const placed_node& node, std::span<std::uint64_t> out) const {
        if (named) {
            points_by_label(hash, name_label{}, node, out);
        } else {
            points_by_label(hash, labels::shard_index{}, node, out);
        }
    }

    [[nodiscard]] std::string label(const placed_node& node, std::uint32_t j) const {
        return named ? label_text(name_label{}, node, j)
                     : label_text(labels::shard_index{}, node, j);
    }

    /// As Java prints a `long`.
    [[nodiscard]] std::string text(std::uint64_t position) const { return hash.number(position); }

    friend bool operator==(const jedis_ring&, const jedis_ring&) = default;
};

/// Jedis 2.10 to 3.10.
struct jedis : jedis_ring<false> {
    static constexpr std::string_view name = "jedis";
    static constexpr std::string_view summary =
        "ShardedJedis of Jedis 3: MurmurHash64A, 160 points a unit of weight, by place or name";
    static constexpr std::string_view point_rule =
        "the option hash of SHARD-i-NODE-j, i the shard's place in the list from 0, or, named, of "
        "name*j";

    friend bool operator==(const jedis&, const jedis&) = default;
};

/// Jedis up to 2.9: another ring where shards have names.
struct jedis_2_9 : jedis_ring<true> {
    static constexpr std::string_view name = "jedis-2.9";
    static constexpr std::string_view summary =
        "ShardedJedis of Jedis up to 2.9, which hashes a named shard's weight with its name";
    static constexpr std::string_view point_rule =
        "the option hash of SHARD-i-NODE-j, i the shard's place in the list from 0, or, named, of "
        "name*weight and j";

    friend bool operator==(const jedis_2_9&, const jedis_2_9&) = default;
};

static_assert(placement_scheme<jedis> && placement_scheme<jedis_2_9>);

} // namespace hashring::compat
