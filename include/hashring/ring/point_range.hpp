// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <iterator>

/// \file
/// The points of a ring as a range.

namespace hashring {

/// A point and its owner. `Ring` is the reading part of a ring.
template <class Ring>
struct ring_point {
    typename Ring::position_type position{};
    typename Ring::node_type node{};
};

/// All points of a ring in order, those on one position among them: the first of them owns it.
/// A forward range that refers to its ring.
template <class Ring>
class point_range {
public:
    class iterator {
    public:
        using value_type = ring_point<Ring>;
        using difference_type = std::ptrdiff_t;

        iterator() noexcept = default;
        iterator(const Ring& ring, std::size_t at) noexcept : ring_(&ring), at_(at) {}

        [[nodiscard]] value_type operator*() const noexcept {
            return {ring_->point_position(at_), ring_->node(ring_->point_owner(at_))};
        }
        iterator& operator++() noexcept {
            ++at_;
            return *this;
        }
        iterator operator++(int) noexcept {
            iterator before = *this;
            ++at_;
            return before;
        }
        friend bool operator==(const iterator&, const iterator&) = default;

    private:
        const Ring* ring_ = nullptr;
        std::size_t at_ = 0;
    };

    explicit point_range(const Ring& ring) noexcept : ring_(&ring) {}

    [[nodiscard]] iterator begin() const noexcept { return {*ring_, 0}; }
    [[nodiscard]] iterator end() const noexcept { return {*ring_, size()}; }
    [[nodiscard]] std::size_t size() const noexcept { return ring_->point_count(); }

private:
    const Ring* ring_;
};

} // namespace hashring
