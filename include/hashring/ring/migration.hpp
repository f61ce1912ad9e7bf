// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/ring/arc.hpp>
#include <hashring/ring/diff.hpp>

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

/// \file
/// A difference in steps that each move little.

namespace hashring {

/// Arcs to move together, and the number of positions on them.
template <std::unsigned_integral Position>
struct migration_batch {
    std::vector<moved_arc<Position>> arcs;
    uint128 width;

    friend bool operator==(const migration_batch&, const migration_batch&) = default;
};

/// The most batches that one migration may have.
inline constexpr std::uint32_t max_batches = 1'000'000;

namespace detail {

/// Fills one batch after the other; none gets wider than `most`.
template <std::unsigned_integral Position>
class batch_filler {
public:
    batch_filler(Position last_position, const uint128& most)
        : last_position_(last_position), most_(most) {}

    /// Cuts whole batches off the front of an arc that is wider than one; what is left goes in with
    /// what came before, or begins a batch if that would be too much.
    void add(moved_arc<Position> next) {
        uint128 left = width(next.where, last_position_);
        while (left > most_) {
            const auto end = static_cast<Position>(
                (uint128(next.where.first) + most_ - 1 - wrap(next.where.first)).low);
            batches_.push_back({{{{next.where.first, end}, next.from, next.to}}, most_});
            next.where.first = next_position(end, last_position_);
            left -= most_;
        }
        if (batches_.empty() || batches_.back().width + left > most_) {
            batches_.emplace_back();
        }
        batches_.back().arcs.push_back(next);
        batches_.back().width += left;
    }

    [[nodiscard]] std::vector<migration_batch<Position>> finish() && { return std::move(batches_); }

private:
    /// The circle's width if `most_` positions from `first` on go past its end.
    [[nodiscard]] uint128 wrap(Position first) const noexcept {
        const uint128 circle = circle_width(last_position_);
        return uint128(first) + most_ > circle ? circle : uint128{};
    }

    Position last_position_;
    uint128 most_;
    std::vector<migration_batch<Position>> batches_;
};

} // namespace detail

/// Groups the arcs of a difference into batches of at most `most` positions each, in the order of
/// the arcs. An arc that is wider is cut; any other stays whole.
///
/// Law: every position that moves is on exactly one arc of one batch, with the same two owners; no
/// two batches that follow each other, the first of them not cut off an arc, would fit into one.
/// O(arcs + batches).
///
/// Throws `invalid_amount` if `most` is 0 or so small that there could be more than `max_batches`.
template <placement_scheme Scheme>
[[nodiscard]] std::vector<migration_batch<typename Scheme::position_type>>
migration_batches(const ring_diff<Scheme>& moved, const uint128& most) {
    using position_type = typename Scheme::position_type;
    if (most == uint128(0)) {
        throw invalid_amount("a budget of nothing moves nothing");
    }
    if (most.high == 0 && divide(moved.moved_width(), most.low).quotient >= max_batches) {
        throw invalid_amount(concat("the budget is so small that the difference would take ",
                                    "more than ", decimal(max_batches), " batches"));
    }
    detail::batch_filler<position_type> batches(Scheme::last_position, most);
    for (const moved_arc<position_type>& a : moved.arcs()) {
        batches.add(a);
    }
    return std::move(batches).finish();
}

/// The same with a budget that is a fraction, a share of the circle in (0, 1], rounded down to
/// whole positions and at least one. Throws `invalid_amount` for any other number too.
template <placement_scheme Scheme, std::floating_point Share>
[[nodiscard]] std::vector<migration_batch<typename Scheme::position_type>>
migration_batches(const ring_diff<Scheme>& moved, Share share) {
    using position_type = typename Scheme::position_type;
    if (!(share > 0.0 && share <= 1.0)) {
        throw invalid_amount("a budget is a share above 0 and at most 1");
    }
    const uint128 circle = circle_width(position_type{Scheme::last_position});
    const double positions = static_cast<double>(share) * circle.to_double();
    uint128 most = circle;
    if (positions < circle.to_double()) {
        most = positions < 1.0 ? 1 : static_cast<std::uint64_t>(positions);
    }
    return migration_batches(moved, most);
}

} // namespace hashring
