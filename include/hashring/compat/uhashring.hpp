// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/per_weight.hpp>
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
/// uhashring 2.1 for Python, bit for bit; its placement is the same up to 2.4.
///
/// A key owns the first point **after** it: of all programs here only this one passes by a point
/// that stands where the key does. So a key's position here is one past its hash. A name is used as
/// it is. Keys of the program are texts, hashed in UTF-8; a `bytes` key hashes as the text `b'…'`.

namespace hashring::compat {

/// uhashring's ring `hash_fn='ketama'`: the four words of the MD5 digests of `name-j`, counts in
/// proportion to the weights in exact integers, `vnodes` · 4 = 160 on average.
///
/// **Every count depends on every node**; a node of weight 0 owns nothing and counts as a node all
/// the same. On one position the node that comes last in the list owns. Weights are whole numbers:
/// a fraction throws `invalid_weight`.
///
/// Source: uhashring 2.1, ring_ketama.py.
struct uhashring_ketama : scheme_defaults<std::uint32_t> {
    static constexpr std::string_view name = "uhashring-ketama";
    static constexpr std::string_view summary =
        "uhashring's ketama ring: about 160 points a node by weight, MD5 of the name";
    static constexpr std::string_view key_rule =
        "one past the first little-endian word of the key's MD5";
    static constexpr std::string_view point_rule =
        "word j mod 4 of the MD5 of name-(j / 4), counts by weight in integers";
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    static constexpr tie_rule ties = tie_rule::last;
    static constexpr bool dumps_owners = true;

    /// Digests of a node of average weight, in [1, 2^22].
    std::uint32_t vnodes = 40;

    [[nodiscard]] static constexpr std::array<scheme_option, 1> options() noexcept {
        return {{{"vnodes", "N", "40", "digests, of four points each, of an average node"}}};
    }

    void set(std::string_view option, std::string_view value) {
        check(option);
        vnodes = hashring::detail::parse_whole(option, value, 1, max_points / 4);
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        check(option);
        return decimal(vnodes);
    }

    [[nodiscard]] static constexpr std::uint32_t position(std::string_view key) noexcept {
        return hash::md5{}(key) + 1; // past the last one comes 0, the first point's again
    }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        return proportional_counts(nodes, vnodes, 4);
    }

    static void points(const placed_node& node, std::span<std::uint32_t> out) {
        points_by_digest(labels::dashed{}, node, out);
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return digest_label(labels::dashed{}, node, j);
    }

    friend bool operator==(const uhashring_ketama&, const uhashring_ketama&) = default;

private:
    static void check(std::string_view option) {
        if (option != "vnodes") {
            throw unknown_option(option);
        }
    }
};

/// uhashring's own ring: `vnodes` points a unit of weight, each the whole MD5 digest of `name-j` as
/// a number of 128 bits, the digest's first byte at its top; and keys likewise. No ketama.
///
/// Source: uhashring 2.1, ring_meta.py.
struct uhashring : scheme_defaults<uint128>, counts_per_weight<160> {
    static constexpr std::string_view name = "uhashring";
    static constexpr std::string_view summary =
        "uhashring's own ring: 160 points a unit of weight, whole MD5 digests";
    static constexpr std::string_view key_rule =
        "one past the key's MD5 as a number of 128 bits, most significant byte first";
    static constexpr std::string_view point_rule =
        "the MD5 of name-j as a number of 128 bits, most significant byte first";
    static constexpr bool order_matters = true;
    static constexpr tie_rule ties = tie_rule::last;
    static constexpr bool dumps_owners = true;

    [[nodiscard]] static constexpr uint128 position(std::string_view key) noexcept {
        return number_of(hash::md5::digest(key)) + 1;
    }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        for (const placed_node& node : nodes) {
            (void)whole_weight(node.name, node.weight);
        }
        return counts_per_weight::counts(nodes);
    }

    static void points(const placed_node& node, std::span<uint128> out) {
        for (std::uint32_t j = 0; j < out.size(); ++j) {
            out[j] = number_of(hash::md5::digest(label(node, j)));
        }
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return label_text(labels::dashed{}, node, j);
    }

    friend bool operator==(const uhashring&, const uhashring&) = default;

private:
    [[nodiscard]] static constexpr uint128 number_of(const hash::md5_digest& digest) noexcept {
        uint128 number;
        for (std::size_t i = 0; i < 8; ++i) {
            number.high = number.high << 8U | digest.byte(i);
            number.low = number.low << 8U | digest.byte(i + 8);
        }
        return number;
    }
};

static_assert(placement_scheme<uhashring_ketama> && placement_scheme<uhashring>);

} // namespace hashring::compat
