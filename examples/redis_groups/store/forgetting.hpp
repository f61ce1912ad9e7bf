// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>
#include <hashring/group/record.hpp>

#include <chrono>
#include <cstdint>
#include <string>

/// \file
/// When a server may drop what a client has written.

namespace redis_groups {

/// Later than that, in milliseconds since 1970, a script cannot count and a server does not expire.
inline constexpr std::uint64_t latest_expiry = (std::uint64_t{1} << 53U) - 1;

/// When the server may drop a record, as its commands and our scripts take it: 0 is never.
[[nodiscard]] inline std::string dropped_at(const hashring::group::record_view& record,
                                            std::chrono::milliseconds retention) {
    const std::uint64_t at =
        hashring::group::forget_at(record, static_cast<std::uint64_t>(retention.count()));
    return hashring::decimal(at > latest_expiry ? 0 : at);
}

} // namespace redis_groups
