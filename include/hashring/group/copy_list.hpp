// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

/// \file
/// A short list of copies, by their indices, that allocates nothing.

namespace hashring::group {

/// The most copies that a group may have.
inline constexpr std::size_t max_copies = 16;

/// The index of no copy.
inline constexpr std::size_t no_copy = ~std::size_t{0};

/// Indices of a group's copies, in an order that means something: at most `max_copies` of them.
class copy_list {
public:
    using value_type = std::uint8_t;
    using const_iterator = const std::uint8_t*;

    constexpr copy_list() noexcept = default;

    /// Appends copy `index`; there is room, and `index < max_copies`.
    constexpr void push_back(std::size_t index) noexcept {
        items_[size_] = static_cast<std::uint8_t>(index);
        ++size_;
    }

    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] constexpr std::size_t operator[](std::size_t i) const noexcept {
        return items_[i];
    }
    [[nodiscard]] constexpr const_iterator begin() const noexcept { return items_.data(); }
    [[nodiscard]] constexpr const_iterator end() const noexcept { return items_.data() + size_; }
    /// Whether copy `index` is on the list.
    [[nodiscard]] constexpr bool contains(std::size_t index) const noexcept {
        return std::find(begin(), end(), index) != end();
    }

    friend constexpr bool operator==(const copy_list&, const copy_list&) = default;

private:
    std::array<std::uint8_t, max_copies> items_{};
    std::size_t size_ = 0;
};

} // namespace hashring::group
