// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/uint128.hpp>
#include <hashring/ring/entry.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

/// \file
/// How the points of a ring lie in memory.

namespace hashring::detail {

/// What nearly every look-up reads of a point: the top of its position and its owner, in one line.
struct point_head {
    std::uint32_t top;
    std::uint32_t owner;

    friend constexpr bool operator==(const point_head&, const point_head&) = default;
};

/// The uppermost 32 bits of a position, or all of it if it is narrower.
template <position_integer Position>
[[nodiscard]] constexpr std::uint32_t top_of(Position p) noexcept {
    if constexpr (std::numeric_limits<Position>::digits > 64) {
        return static_cast<std::uint32_t>(p.high >> 32U);
    } else if constexpr (std::numeric_limits<Position>::digits > 32) {
        return static_cast<std::uint32_t>(p >> 32U);
    } else {
        return p;
    }
}

/// Points in some order. Of a 64-bit position the lower half lies apart: a look-up needs it only
/// where a key agrees with a point in the upper one, and without it twice as many heads fit a
/// cache.
template <position_integer Position>
class point_store {
public:
    using entry_type = entry<Position>;
    static constexpr bool splits = std::numeric_limits<Position>::digits > 32;
    static constexpr bool wide = std::numeric_limits<Position>::digits > 64;
    using rest_type = std::conditional_t<wide, Position, std::uint32_t>;

    [[nodiscard]] std::size_t size() const noexcept { return heads_.size(); }
    [[nodiscard]] bool empty() const noexcept { return heads_.empty(); }
    [[nodiscard]] const point_head* heads() const noexcept { return heads_.data(); }

    [[nodiscard]] Position position(std::size_t i) const noexcept {
        if constexpr (wide) {
            return rests_[i];
        } else if constexpr (splits) {
            return Position{heads_[i].top} << 32U | rests_[i];
        } else {
            return static_cast<Position>(heads_[i].top);
        }
    }
    [[nodiscard]] std::uint32_t owner(std::size_t i) const noexcept { return heads_[i].owner; }
    [[nodiscard]] entry_type operator[](std::size_t i) const noexcept {
        return {position(i), owner(i)};
    }

    void set(std::size_t i, const entry_type& point) noexcept {
        heads_[i] = {top_of(point.position), point.owner};
        if constexpr (wide) {
            rests_[i] = point.position;
        } else if constexpr (splits) {
            rests_[i] = static_cast<std::uint32_t>(point.position & 0xffffffffU);
        }
    }
    void set_owner(std::size_t i, std::uint32_t owner) noexcept { heads_[i].owner = owner; }

    /// Moves the points from `first` up to `last` to `to` on, whether the places overlap or not.
    void move(std::size_t first, std::size_t last, std::size_t to) noexcept {
        move_within(heads_, first, last, to);
        if constexpr (splits) {
            move_within(rests_, first, last, to);
        }
    }

    void reserve(std::size_t count) {
        heads_.reserve(count);
        rests_.reserve(splits ? count : 0);
    }
    /// Drops points from the end or adds some there. Throws nothing where there is room.
    void resize(std::size_t count) {
        heads_.resize(count);
        rests_.resize(splits ? count : 0);
    }
    [[nodiscard]] std::size_t capacity() const noexcept {
        return splits ? std::min(heads_.capacity(), rests_.capacity()) : heads_.capacity();
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return heads_.capacity() * sizeof(point_head) + rests_.capacity() * sizeof(rest_type);
    }

    void swap(point_store& other) noexcept {
        heads_.swap(other.heads_);
        rests_.swap(other.rests_);
    }

    friend bool operator==(const point_store&, const point_store&) = default;

private:
    template <class T>
    static void move_within(std::vector<T>& items, std::size_t first, std::size_t last,
                            std::size_t to) noexcept {
        T* const from = items.data();
        if (to < first) {
            std::copy(from + first, from + last, from + to);
        } else {
            std::copy_backward(from + first, from + last, from + to + (last - first));
        }
    }

    std::vector<point_head> heads_;
    std::vector<rest_type> rests_; // the lower halves, if positions are split, or wide ones whole
};

} // namespace hashring::detail
