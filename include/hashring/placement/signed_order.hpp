// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>

#include <cstdint>
#include <string>

/// \file
/// The circle of programs whose points are signed numbers, as Java's `long` is: it begins at the
/// most negative one.

namespace hashring {

/// The position of a 64-bit number on such a circle, and back: the unsigned order of positions is
/// the signed order of numbers.
[[nodiscard]] constexpr std::uint64_t in_signed_order(std::uint64_t number) noexcept {
    return number ^ (std::uint64_t{1} << 63U);
}

/// The number at a position of such a circle, as Java prints a `long`.
[[nodiscard]] inline std::string signed_text(std::uint64_t position) {
    return decimal(static_cast<std::int64_t>(in_signed_order(position)));
}

} // namespace hashring
