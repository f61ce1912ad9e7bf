// SPDX-License-Identifier: MIT
#pragma once

#include "subjects.hpp"

#include <hashring/placement/xxh3.hpp>
#include <hashring/ring/point_store.hpp>
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

/// The ring's look-up without its guard: every bucket is scanned from its start, however many
/// points it holds. It is right where no bucket is crowded.
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
        const std::uint32_t top = hashring::detail::top_of(p);
        const std::size_t bucket = top >> shift_;
        const auto* head = points_.heads() + bases_[bucket / group] + locals_[bucket];
        head += head->top < top ? 1 : 0;
        while (head->top < top) {
            ++head;
        }
        if (head->top == top) {
            return told_apart(head, p)->owner;
        }
        return head->owner;
    }

private:
    using head_type = hashring::detail::point_head;
    static constexpr std::size_t group = 32;

    explicit unguarded(const ring<Scheme>& r) {
        const std::size_t count = r.point_count();
        points_.resize(count + 1);
        for (std::size_t i = 0; i < count; ++i) {
            points_.set(i, {r.point_position(i), r.point_owner(i)});
        }
        points_.set(count, {std::numeric_limits<position_type>::max(), r.point_owner(0)});
        count_buckets(count);
    }

    void count_buckets(std::size_t count) {
        constexpr std::size_t few = hashring::detail::position_index::few;
        const std::size_t buckets = std::bit_ceil(count <= few ? 4 * count : count);
        shift_ = 32U - static_cast<unsigned>(std::countr_zero(buckets));
        std::size_t i = 0;
        for (std::size_t b = 0; b < buckets; ++b) {
            while (i < count && points_.heads()[i].top >> shift_ < b) {
                ++i;
            }
            if (b % group == 0) {
                bases_.push_back(static_cast<std::uint32_t>(i));
            }
            locals_.push_back(static_cast<std::uint8_t>(i - bases_.back()));
        }
    }

    [[nodiscard]] const head_type* told_apart(const head_type* head,
                                              position_type p) const noexcept {
        while (points_.position(static_cast<std::size_t>(head - points_.heads())) < p) {
            ++head;
        }
        return head;
    }

    hashring::detail::point_store<position_type> points_;
    std::vector<std::uint32_t> bases_;
    std::vector<std::uint8_t> locals_;
    unsigned shift_ = 0;
};

/// A plain table of offsets: 32 bits a bucket, positions and owners apart, a scan with a branch at
/// each point. What the ring's index grew from.
template <class Scheme>
class offset_table {
public:
    static constexpr std::string_view name = "offset_table";
    using scheme_type = Scheme;
    using position_type = typename Scheme::position_type;

    explicit offset_table(const std::vector<std::string>& names)
        : offset_table(ring<Scheme>(names)) {}

    [[nodiscard]] std::uint64_t answer_at(position_type p) const noexcept {
        std::size_t i = offsets_[static_cast<std::size_t>(p >> shift_)];
        while (positions_[i] < p) {
            ++i;
        }
        return owners_[i];
    }

private:
    explicit offset_table(const ring<Scheme>& r) {
        const std::size_t count = r.point_count();
        const std::size_t buckets = std::bit_ceil(count <= few ? 4 * count : count);
        shift_ = static_cast<unsigned>(std::numeric_limits<position_type>::digits) -
                 static_cast<unsigned>(std::countr_zero(buckets));
        for (std::size_t i = 0; i < count; ++i) {
            positions_.push_back(r.point_position(i));
            owners_.push_back(r.point_owner(i));
            while (offsets_.size() <= static_cast<std::size_t>(positions_[i] >> shift_)) {
                offsets_.push_back(static_cast<std::uint32_t>(i));
            }
        }
        offsets_.resize(buckets, static_cast<std::uint32_t>(count));
        positions_.push_back(std::numeric_limits<position_type>::max());
        owners_.push_back(r.point_owner(0));
    }

    static constexpr std::size_t few = std::size_t{1} << 14U;

    std::vector<position_type> positions_;
    std::vector<std::uint32_t> owners_;
    std::vector<std::uint32_t> offsets_;
    unsigned shift_ = 0;
};

} // namespace hashring::bench
