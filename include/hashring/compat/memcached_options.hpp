// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/memcached_hash.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/scheme.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// The options of the schemes that hash keys as libmemcached does.

namespace hashring::compat {

/// Whether a flag is set: `1` or `0`. Throws `invalid_option` for anything else.
[[nodiscard]] inline bool parse_flag(std::string_view option, std::string_view value) {
    if (value != "0" && value != "1") {
        throw invalid_option(concat(option, " '", value, "' is neither 0 nor 1"));
    }
    return value == "1";
}

/// The base of the schemes of libmemcached: where a key stands, by the options `hash` and
/// `unsigned-char`. `Preset` is the hash that the program sets by itself.
template <memcached_hash_kind Preset>
struct memcached_keys {
    static constexpr std::string_view key_rule =
        "libmemcached's hash of the key by the option hash";
    static constexpr scheme_option hash_option{
        "hash", "NAME", memcached_hash{Preset}.text(),
        "the hash of keys: default, md5, crc, fnv1_64, fnv1a_64, fnv1_32, fnv1a_32, hsieh, murmur, "
        "murmur3 or jenkins"};
    static constexpr scheme_option unsigned_char_option{
        "unsigned-char", "", "0", "bytes of 0x80 and above as on machines whose char is unsigned"};

    memcached_hash hash{Preset};

    [[nodiscard]] static constexpr std::array<scheme_option, 2> options() noexcept {
        return {hash_option, unsigned_char_option};
    }

    void set(std::string_view option, std::string_view value) {
        if (option == hash_option.name) {
            hash.kind = memcached_hash::parse(value);
        } else if (option == unsigned_char_option.name) {
            hash.unsigned_char = parse_flag(option, value);
        } else {
            throw invalid_option(concat("no option '", option, "'"));
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        if (option == hash_option.name) {
            return std::string(hash.text());
        }
        if (option == unsigned_char_option.name) {
            return hash.unsigned_char ? "1" : "0";
        }
        throw invalid_option(concat("no option '", option, "'"));
    }

    [[nodiscard]] constexpr std::uint32_t position(std::string_view key) const noexcept {
        return hash(key);
    }

    [[nodiscard]] constexpr bool places_keys_as(const memcached_keys& other) const noexcept {
        return hash == other.hash;
    }

    friend bool operator==(const memcached_keys&, const memcached_keys&) = default;
};

} // namespace hashring::compat
