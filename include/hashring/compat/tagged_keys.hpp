// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/memcached_options.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/placement/scheme.hpp>

#include <string>
#include <string_view>

/// \file
/// The option of the schemes whose programs hash a part of a key.

namespace hashring::compat {

/// The base of the schemes of a program that hashes what stands between two marks of a key: where a
/// key stands, by the options of `keys_by_hash<Hash, Preset>` and `tag`. `Tag` is the program's
/// rule, as `hash::tag` is one.
template <class Hash, typename Hash::kind_type Preset, class Tag>
struct tagged_keys : keys_by_hash<Hash, Preset> {
    using hashes = keys_by_hash<Hash, Preset>;

    static constexpr scheme_option tag_option{
        "tag", "XY", "", "hash only what stands between the bytes X and Y, as in {}"};

    /// Which bytes of a key are hashed.
    Tag tag{};

    [[nodiscard]] static constexpr auto options() noexcept {
        return with_option(hashes::options(), tag_option);
    }

    void set(std::string_view option, std::string_view value) {
        if (option == tag_option.name) {
            tag = Tag::parse(value);
        } else {
            hashes::set(option, value);
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        return option == tag_option.name ? tag.text() : hashes::get(option);
    }

    [[nodiscard]] constexpr typename Hash::result_type
    position(std::string_view key) const noexcept {
        return hashes::position(tag(key));
    }

    [[nodiscard]] constexpr bool places_keys_as(const tagged_keys& other) const noexcept {
        return *this == other;
    }

    friend constexpr bool operator==(const tagged_keys&, const tagged_keys&) = default;
};

} // namespace hashring::compat
