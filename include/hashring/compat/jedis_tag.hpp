// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/tag.hpp>

#include <cstddef>
#include <string_view>

/// \file
/// The key tags of Jedis, which are not those of Redis Cluster.

namespace hashring::compat {

/// Which bytes of a key Jedis hashes: the shortest text of one character or more that stands
/// between an opening mark and a closing one, without an end of line in it, from the first opening
/// mark on behind which there is one; the whole key if there is none.
///
/// So `{}a}` is hashed as `}a`, where Redis Cluster hashes the whole, and `{a` `\n` `{b}` as `b`.
/// Ends of line are LF, CR, U+0085, U+2028 and U+2029; keys are texts in UTF-8, and marks ASCII.
///
/// Source: Jedis 3.10.0, `Sharded.getKeyTag` with the pattern `\{(.+?)\}`; OpenJDK 17,
/// java.util.regex.Pattern, "Line terminators".
struct jedis_tag : hash::tag {
    /// The part of `key` that is hashed: a view into it, empty only if the key is. O(length).
    [[nodiscard]] constexpr std::string_view operator()(std::string_view key) const noexcept {
        constexpr std::size_t none = std::string_view::npos;
        std::size_t begin = none; // of the text behind an opening mark
        for (std::size_t i = 0; marked && i < key.size(); ++i) {
            if (begin != none && i > begin && key[i] == close) {
                return key.substr(begin, i - begin);
            }
            if (begin != none && ends_line(key.substr(i))) {
                begin = none;
            }
            if (begin == none && key[i] == open) {
                begin = i + 1;
            }
        }
        return key;
    }

    /// As `hash::tag::parse`.
    [[nodiscard]] static jedis_tag parse(std::string_view text) { return {tag::parse(text)}; }

    friend constexpr bool operator==(const jedis_tag&, const jedis_tag&) = default;

private:
    /// Whether `text` begins with an end of line.
    [[nodiscard]] static constexpr bool ends_line(std::string_view text) noexcept {
        const auto first = byte_at(text, 0);
        return first == '\n' || first == '\r' || (first == 0xc2 && text.starts_with("\xc2\x85")) ||
               (first == 0xe2 &&
                (text.starts_with("\xe2\x80\xa8") || text.starts_with("\xe2\x80\xa9")));
    }
};

} // namespace hashring::compat
