// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>

#include <cstdint>

/// \file
/// One point of a ring by itself.

namespace hashring::detail {

template <position_integer Position>
struct entry {
    Position position;
    std::uint32_t owner;

    friend constexpr bool operator==(const entry&, const entry&) = default;
};

} // namespace hashring::detail
