// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/point_list.hpp>

#include <cstdint>
#include <utility>

namespace tool {

/// A walk behind a node that comes first wherever it stands: where a program hashes a key again
/// whose node is down, the one that answers need not be the next clockwise.
template <class Walk>
class led_walk {
public:
    led_walk(Walk others, std::uint32_t first) : others_(std::move(others)), first_(first) {}

    [[nodiscard]] std::uint32_t current() const noexcept {
        return leads_ ? first_ : others_.current();
    }
    void advance() noexcept {
        if (!std::exchange(leads_, false)) {
            others_.advance();
        }
        if (others_.current() == first_) {
            others_.advance();
        }
    }

private:
    Walk others_;
    std::uint32_t first_;
    bool leads_ = true;
};

/// What `replicas_over_domains` asks of a ring, whose walks `first` leads.
template <class Ring>
struct led_ring {
    using position_type = typename Ring::position_type;

    const Ring& ring;
    std::uint32_t first;

    [[nodiscard]] auto walk_at(position_type position) const {
        return led_walk(ring.walk_at(position), first);
    }
};

} // namespace tool
