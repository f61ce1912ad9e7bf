// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>

#include <cstddef>
#include <string>
#include <string_view>

/// \file
/// Which bytes of a key are hashed, so that keys with one tag stand together: `user:{42}:name` and
/// `user:{42}:mail` in the braces alone.

namespace hashring::hash {

/// A rule that hashes the part of a key between two marks, or, by default, the whole key.
///
/// The part is what stands between the first opening mark and the first closing one behind it. If
/// one of them is missing, or if nothing stands between them, the whole key is hashed; later pairs
/// do not count. Both marks may be the same byte: `::` takes what stands between the first two
/// colons.
///
/// Source: twemproxy 0.5.0, `hash_tag`; Redis Cluster's specification, "Hash tags", with `{}`.
struct tag {
    char open = 0;
    char close = 0;
    bool marked = false;

    constexpr tag() noexcept = default;
    constexpr tag(char opening, char closing) noexcept
        : open(opening), close(closing), marked(true) {}

    /// The part of `key` that is hashed: a view into it, empty only if the key is. O(length).
    [[nodiscard]] constexpr std::string_view operator()(std::string_view key) const noexcept {
        const std::size_t first = marked ? key.find(open) : std::string_view::npos;
        if (first == std::string_view::npos) {
            return key;
        }
        const std::size_t last = key.find(close, first + 1);
        if (last == std::string_view::npos || last == first + 1) {
            return key;
        }
        return key.substr(first + 1, last - first - 1);
    }

    /// The rule whose marks are the two bytes of `text`, or none for an empty text. Throws
    /// `invalid_option`.
    [[nodiscard]] static tag parse(std::string_view text) {
        if (text.empty()) {
            return {};
        }
        if (text.size() != 2) {
            throw invalid_option(concat("tag '", text, "' is not two bytes, as in {}"));
        }
        return {text[0], text[1]};
    }

    /// The marks as text: `parse(t.text()) == t`.
    [[nodiscard]] std::string text() const {
        return marked ? std::string{open, close} : std::string();
    }

    friend constexpr bool operator==(const tag&, const tag&) = default;
};

/// What Redis Cluster hashes of a key: what stands between the first `{` and the first `}` behind
/// it, or the whole key. `ring.owner(hash::redis_tag(key))` keeps keys with one tag together.
///
/// Source: Redis Cluster's specification, "Hash tags".
[[nodiscard]] constexpr std::string_view redis_tag(std::string_view key) noexcept {
    return tag('{', '}')(key);
}

/// What twemproxy hashes of a key where its `hash_tag` is the two bytes `open` and `close`, which
/// may be the same.
///
/// Source: twemproxy 0.5.0, `hash_tag` (src/nc_server.c, server_pool_idx).
[[nodiscard]] constexpr std::string_view twemproxy_tag(std::string_view key, char open,
                                                       char close) noexcept {
    return tag(open, close)(key);
}

} // namespace hashring::hash
