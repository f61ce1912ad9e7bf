// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/hash/concept.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// \file
/// A scheme from a hash and a label of your own choice.

namespace hashring::schemes {

namespace detail {
inline constexpr std::string_view slash = "/";
}

/// Keys and labels hashed with `Hash`, 160 virtual nodes a unit of weight: `ring<labelled<H, L>>`.
///
/// A weak hash does not compile here as it is: write `hash::finalised<H>`, or `hash::raw<H>` to say
/// that look-alike names may clump. Names sort first on a shared position.
///
/// Worked example: `ring<schemes::labelled<hash::finalised<hash::crc32>, labels::dashed>>`; with a
/// seed or a key, `ring nodes(schemes::labelled<hash::siphash24>(hash::siphash24{key0, key1}))`.
/// The hash's members are none of the options: neither a saved ring nor a description has them, so
/// that a secret key stays where it is, and who loads a ring brings the scheme along.
template <hash_function Hash, label_rule Label = labels::hashed>
struct labelled : scheme_defaults<typename Hash::result_type>, counts_per_weight<160> {
    static_assert(position_hash<Hash>,
                  "a weak hash is no position: wrap it in hash::finalised<> (or, to place like a "
                  "system that uses it so, in hash::raw<>)");

    static constexpr std::string_view name =
        hash::detail::joined<Hash::name, detail::slash, Label::name>::value;
    static constexpr std::string_view summary = "a hash and a label of the user's choice";
    static constexpr std::string_view key_rule = Hash::name;
    static constexpr std::string_view point_rule = name;

    Hash hash{};

    constexpr labelled() = default;
    constexpr explicit labelled(const Hash& seeded) : hash(seeded) {}

    [[nodiscard]] constexpr typename Hash::result_type
    position(std::string_view key) const noexcept {
        return hash(key);
    }

    void points(const placed_node& node, std::span<typename Hash::result_type> out) const {
        points_by_label(hash, Label{}, node, out);
    }

    /// Two hashes with different seeds place keys differently, and their rings do not compare.
    [[nodiscard]] bool places_keys_as(const labelled& other) const noexcept {
        return hash == other.hash;
    }

    [[nodiscard]] std::string label(const placed_node& node, std::uint32_t j) const {
        return label_text(Label{}, node, j);
    }

    friend bool operator==(const labelled&, const labelled&) = default;
};

} // namespace hashring::schemes
