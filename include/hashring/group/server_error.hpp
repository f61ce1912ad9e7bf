// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/group/outcome.hpp>

#include <array>
#include <string_view>
#include <utility>

/// \file
/// The error answers of Redis by their first word.

namespace hashring::group {

namespace detail {

inline constexpr std::array<std::pair<std::string_view, error_kind>, 20> server_errors{{
    {"READONLY", error_kind::read_only},
    {"NOREPLICAS", error_kind::no_replicas},
    {"OOM", error_kind::out_of_memory},
    {"LOADING", error_kind::loading},
    {"MASTERDOWN", error_kind::master_down},
    {"MISCONF", error_kind::write_disabled},
    {"BUSY", error_kind::busy},
    {"NOAUTH", error_kind::not_permitted},
    {"WRONGPASS", error_kind::not_permitted},
    {"NOPERM", error_kind::not_permitted},
    {"DENIED", error_kind::not_permitted},
    {"NOSCRIPT", error_kind::no_script},
    {"EXECABORT", error_kind::aborted},
    {"MOVED", error_kind::moved},
    {"ASK", error_kind::moved},
    {"TRYAGAIN", error_kind::moved},
    {"CROSSSLOT", error_kind::moved},
    {"CLUSTERDOWN", error_kind::moved},
    {"WRONGTYPE", error_kind::wrong_type},
    {"UNBLOCKED", error_kind::unblocked},
}};

} // namespace detail

/// The kind of a Redis server's error answer: `text` is what follows the `-` on the line, any bytes
/// at all. What is not listed is `other`, which leaves a write unknown.
///
/// Source: Redis 7.0.15, the shared error replies of server.c.
[[nodiscard]] constexpr error_kind server_error(std::string_view text) noexcept {
    const std::string_view word = text.substr(0, text.find(' '));
    for (const auto& [name, kind] : detail::server_errors) {
        if (word == name) {
            return kind;
        }
    }
    return text.starts_with("ERR max number of clients reached") ? error_kind::too_many_clients
                                                                 : error_kind::other;
}

} // namespace hashring::group
