// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/key.hpp>
#include <hashring/core/uint128.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <ranges>
#include <span>

/// \file
/// Many keys looked up together.

namespace hashring {

/// A range of keys that can be passed over without throwing. What is itself a key, as a vector of
/// bytes, is not also a range of keys.
template <class R>
concept key_range =
    std::ranges::forward_range<const R> && key<std::ranges::range_value_t<const R>> && !key<R>;

namespace detail {

/// Turns the first `count` of `keys`, or all if they are fewer, into positions, some hundred at a
/// time, and calls `use(first, positions)` with the place of the first of them. Returns how many
/// there were. Allocates nothing.
template <position_integer Position, key_range Keys, class PositionOf, class Use>
std::size_t in_batches(const Keys& keys, std::size_t count, PositionOf position_of,
                       Use use) noexcept {
    constexpr std::size_t batch = 256;
    std::array<Position, batch> positions; // filled as far as it is read
    auto next = std::ranges::begin(keys);
    const auto end = std::ranges::end(keys);
    std::size_t done = 0;
    while (done < count && next != end) {
        std::size_t filled = 0;
        for (; filled < std::min(batch, count - done) && next != end; ++next) {
            positions[filled++] = position_of(*next);
        }
        use(done, std::span<const Position>(positions).first(filled));
        done += filled;
    }
    return done;
}

} // namespace detail

} // namespace hashring
