// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>

/// \file
/// One point of a ring by itself.

namespace hashring::detail {

template <std::unsigned_integral Position>
struct entry {
    Position position;
    std::uint32_t owner;

    friend constexpr bool operator==(const entry&, const entry&) = default;
};

} // namespace hashring::detail
