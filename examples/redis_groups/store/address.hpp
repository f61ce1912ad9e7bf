// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// Where a server listens.

namespace redis_groups {

struct address {
    std::string host{};
    std::uint16_t port = 6379;

    friend bool operator==(const address&, const address&) = default;
};

/// `host:port`, with brackets around a host that has a colon itself.
[[nodiscard]] std::string describe(const address& where);

/// The address that `host`, `host:port` or `[host]:port` spells; the port is 6379 if none is given.
/// Throws `std::invalid_argument` that quotes a text that is none.
[[nodiscard]] address parse_address(std::string_view text);

} // namespace redis_groups
