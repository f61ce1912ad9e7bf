// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

struct redisReply; // NOLINT(readability-identifier-naming): of hiredis

/// \file
/// What a server answers.

namespace redis_groups {

enum class reply_kind : std::uint8_t {
    nil,     ///< nothing under that key
    integer, ///< `number`
    text,    ///< `text`, any bytes
    status,  ///< `text`, such as OK
    error,   ///< `text`, such as `READONLY …`
    list,    ///< `items`
};

/// An answer of a Redis server, as a value.
struct reply {
    reply_kind kind = reply_kind::nil;
    std::int64_t number = 0;
    std::string text{};
    std::vector<reply> items{};

    [[nodiscard]] bool is_error() const noexcept { return kind == reply_kind::error; }
    [[nodiscard]] bool is_nil() const noexcept { return kind == reply_kind::nil; }
    [[nodiscard]] bool is_text() const noexcept { return kind == reply_kind::text; }
    [[nodiscard]] bool is_number() const noexcept { return kind == reply_kind::integer; }

    friend bool operator==(const reply&, const reply&) = default;
};

/// The value behind name `name` in a list of names and values, as `SENTINEL MASTER` gives; nothing,
/// as an empty text, if it is not there.
[[nodiscard]] std::string_view field(const reply& names_and_values, std::string_view name) noexcept;

/// The value of line `name:value` in the text of `INFO`; empty if it is not there.
[[nodiscard]] std::string_view info_field(std::string_view info, std::string_view name) noexcept;

/// hiredis' reply as a value. A kind that this client never asks for becomes an error.
[[nodiscard]] reply copy_reply(const redisReply& from);

} // namespace redis_groups
