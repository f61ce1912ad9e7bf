// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/placement/scheme.hpp>

#include <array>
#include <string>
#include <string_view>

/// \file
/// The options of the schemes whose programs offer many hashes for keys.

namespace hashring::compat {

/// The base of the schemes of a program with many key hashes: where a key stands, by the option
/// `hash` and, where the program reads keys through C's `char`, `unsigned-char`. `Hash` is the
/// program's family of hashes and `Preset` the one that it takes by itself.
template <class Hash, typename Hash::kind_type Preset>
struct keys_by_hash {
    /// Whether the placement depends on the sign of `char`.
    static constexpr bool reads_char = requires(Hash h) { h.unsigned_char; };

    static constexpr std::string_view key_rule = Hash::rule;
    static constexpr scheme_option hash_option{"hash", "NAME", Hash{Preset}.text(), Hash::help};
    static constexpr scheme_option unsigned_char_option{
        "unsigned-char", "", "0", "bytes of 0x80 and above as on machines whose char is unsigned"};

    Hash hash{Preset};

    [[nodiscard]] static constexpr auto options() noexcept {
        if constexpr (reads_char) {
            return std::array{hash_option, unsigned_char_option};
        } else {
            return std::array{hash_option};
        }
    }

    void set(std::string_view option, std::string_view value) {
        if (option == hash_option.name) {
            hash.kind = Hash::parse(value);
            return;
        }
        if constexpr (reads_char) {
            if (option == unsigned_char_option.name) {
                hash.unsigned_char = parse_flag(option, value);
                return;
            }
        }
        throw unknown_option(option);
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        if (option == hash_option.name) {
            return std::string(hash.text());
        }
        if constexpr (reads_char) {
            if (option == unsigned_char_option.name) {
                return flag_text(hash.unsigned_char);
            }
        }
        throw unknown_option(option);
    }

    [[nodiscard]] constexpr typename Hash::result_type
    position(std::string_view key) const noexcept {
        return hash(key);
    }

    [[nodiscard]] constexpr bool places_keys_as(const keys_by_hash& other) const noexcept {
        return hash == other.hash;
    }

    friend constexpr bool operator==(const keys_by_hash&, const keys_by_hash&) = default;
};

} // namespace hashring::compat
