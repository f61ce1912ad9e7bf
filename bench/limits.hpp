// SPDX-License-Identifier: MIT
#pragma once

#include "subjects.hpp"

#include <hashring/placement/xxh3.hpp>
#include <hashring/ring/entry.hpp>
#include <hashring/ring/position_index.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// What a ring's look-up is held against besides the classic rings: a bare load, the same look-up
/// without a guard, and the other families. They are given the hash and answer with a number.

namespace hashring::bench {

/// One load at random from a table of eight bytes a point: what the memory alone costs.
class random_load {
public:
    static constexpr std::string_view name = "random_load";
    using position_type = std::uint64_t;

    explicit random_load(const std::vector<std::string>& names)
        : table_(names.size() * schemes::xxh3{}.vnodes_per_unit, 1) {}

    [[nodiscard]] std::uint64_t answer_at(position_type p) const noexcept {
        return table_[static_cast<std::size_t>(((p >> 32U) * table_.size()) >> 32U)];
    }

private:
    std::vector<std::uint64_t> table_;
};

/// The ring's look-up with an index of as many buckets, but every bucket is scanned from its start,
/// however many points it holds.
template <class Scheme>
class unguarded {
public:
    static constexpr std::string_view name = "unguarded";
    using scheme_type = Scheme;
    using position_type = typename Scheme::position_type;

    explicit unguarded(const std::vector<std::string>& names) : unguarded(ring<Scheme>(names)) {}

    [[nodiscard]] std::uint64_t answer_at(position_type p) const noexcept {
        if (points_.empty()) {
            return no_node;
        }
        const point* at = points_.data() + offsets_[static_cast<std::size_t>(p >> shift_)];
        at += at->position() < p ? 1 : 0;
        while (at->position() < p) {
            ++at;
        }
        return at->owner();
    }

private:
    using point = hashring::detail::entry<position_type>;
    static constexpr unsigned digits = std::numeric_limits<position_type>::digits;

    explicit unguarded(const ring<Scheme>& r) {
        points_.reserve(r.point_count() + 1);
        for (std::size_t i = 0; i < r.point_count(); ++i) {
            points_.emplace_back(r.point_position(i), r.point_owner(i));
        }
        points_.emplace_back(std::numeric_limits<position_type>::max(), r.point_owner(0));
        make_offsets(r.point_count());
    }

    void make_offsets(std::size_t count) {
        constexpr std::size_t few = hashring::detail::position_index<position_type>::few;
        const std::size_t buckets = std::bit_ceil(count <= few ? 4 * count : count);
        shift_ = digits - static_cast<unsigned>(std::countr_zero(buckets));
        std::size_t i = 0;
        for (std::size_t b = 0; b < buckets; ++b) {
            while (i < count && static_cast<std::size_t>(points_[i].position() >> shift_) < b) {
                ++i;
            }
            offsets_.push_back(static_cast<std::uint32_t>(i));
        }
    }

    std::vector<point> points_;
    std::vector<std::uint32_t> offsets_;
    unsigned shift_ = 0;
};

} // namespace hashring::bench
