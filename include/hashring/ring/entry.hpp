// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>

/// \file
/// One point of a ring as it is stored.

namespace hashring::detail {

/// A position and its owner next to each other, so that a look-up finds both in one cache line.
template <std::unsigned_integral Position>
class entry {
public:
    entry() = default;
    constexpr entry(Position position, std::uint32_t owner) noexcept
        : position_(position), owner_(owner) {}

    [[nodiscard]] constexpr Position position() const noexcept { return position_; }
    [[nodiscard]] constexpr std::uint32_t owner() const noexcept { return owner_; }

    friend constexpr bool operator==(const entry&, const entry&) = default;

private:
    Position position_;
    std::uint32_t owner_;
};

/// With a 64-bit position in halves: 12 bytes, where a whole one would be padded to 16.
template <>
class entry<std::uint64_t> {
public:
    entry() = default;
    constexpr entry(std::uint64_t position, std::uint32_t owner) noexcept
        : low_(static_cast<std::uint32_t>(position & 0xffffffffU)),
          high_(static_cast<std::uint32_t>(position >> 32U)),
          owner_(owner) {}

    [[nodiscard]] constexpr std::uint64_t position() const noexcept {
        return low_ | std::uint64_t{high_} << 32U;
    }
    [[nodiscard]] constexpr std::uint32_t owner() const noexcept { return owner_; }

    friend constexpr bool operator==(const entry&, const entry&) = default;

private:
    std::uint32_t low_;
    std::uint32_t high_;
    std::uint32_t owner_;
};

static_assert(sizeof(entry<std::uint32_t>) == 8 && sizeof(entry<std::uint64_t>) == 12);

} // namespace hashring::detail
