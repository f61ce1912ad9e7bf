// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/core/weight.hpp>
#include <hashring/placement/xxh3.hpp>
#include <hashring/ring/compare.hpp>
#include <hashring/ring/diff.hpp>
#include <hashring/ring/exact_changes.hpp>
#include <hashring/ring/exact_state.hpp>
#include <hashring/ring/reader.hpp>
#include <hashring/ring/ring.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// A ring whose shares are exactly as wished, cut to measure instead of hashed.

namespace hashring {

/// A ring in which every node owns exactly the share that it should: who joins takes from each
/// other node what that has too much, who leaves hands to each what it lacks, and nothing else
/// moves.
///
/// It looks up as `ring<Scheme>` does, and of the scheme it takes how a key becomes a position and
/// the size of the circle; points stand where arcs were cut, a few dozen a node. **It depends on
/// its history**: the same nodes in another order of events give another ring. Two processes agree
/// if they see the same events in the same order, or if one loads what the other saved. Everything
/// is whole numbers, so the same events give the same ring on every platform.
///
/// The *level* of a node is what it owns over its weight. As long as no more than `most_cuts()`
/// nodes stand on either side of a level, each change brings those that it touches to one level,
/// within a position; a node of weight 0 owns nothing, and a ring without weights nothing at all.
///
/// Changes check first, throw an error derived from `std::invalid_argument` or `std::bad_alloc`,
/// and then have changed nothing; each returns the arcs that moved. O(points + arcs of the givers ·
/// log arcs).
///
/// Source: BALANCE, section 8 (`exact_cut`), after A. Miranda and others, "Random Slicing", ACM
/// Transactions on Storage 10(3), 2014; postal paper, load transfer.
template <class Scheme = schemes::xxh3>
class exact_ring : public detail::exact_changes<Scheme> {
    using changes = detail::exact_changes<Scheme>;
    using reader = ring_reader<Scheme, no_payload>;
    using changes::most_cuts_;
    using changes::scheme_;
    using changes::state_;
    using typename changes::circle;
    using typename changes::slots;

public:
    using typename changes::diff_type;
    using typename changes::position_type;

    /// With how many nodes one change may trade unless said otherwise.
    static constexpr std::uint32_t preset_cuts = 128;

    exact_ring() : exact_ring(Scheme{}) {}
    /// An empty ring. `most_cuts` is with how many nodes one change trades: fewer give fewer points
    /// and levels that differ by up to about 1 / most_cuts. Throws `invalid_option` for 0.
    explicit exact_ring(Scheme scheme, std::uint32_t most_cuts = preset_cuts)
        : changes(std::move(scheme), most_cuts) {
        static_assert(ordered_by_name<Scheme>, "an exact ring holds its nodes by name");
        if (most_cuts == 0) {
            throw invalid_option("an exact ring trades with at least one node");
        }
    }
    /// The ring that `nodes` make as they join one after the other.
    template <node_range Nodes>
    explicit exact_ring(Nodes&& nodes, Scheme scheme = {}, std::uint32_t most_cuts = preset_cuts)
        : exact_ring(std::move(scheme), most_cuts) {
        for (auto&& node : nodes) {
            this->joined(node_spec(node), [&](slots& next, circle& cut) {
                state_.become(next, changes::points_of(next, cut.points()));
            });
        }
    }

    /// The ring whose nodes, weights and arcs are those of `hashed`, so that a cluster may go over
    /// to exact changes, such as a plan of transfers, without a key that moves. Throws
    /// `invalid_node` for a node that owns something with a weight of 0, and if there are weights
    /// and nobody owns anything.
    ///
    /// Law: every position has the owner that it has on `hashed`. O(points + nodes).
    template <class Payload>
    explicit exact_ring(const ring<Scheme, Payload>& hashed, std::uint32_t most_cuts = preset_cuts)
        : exact_ring(hashed.scheme(), most_cuts) {
        this->take_over(hashed);
    }

    [[nodiscard]] std::uint32_t most_cuts() const noexcept { return most_cuts_; }

    /// Adds a node, which takes from the fullest others what brings them to one level with it.
    /// Throws `invalid_node` for an empty name or that of a member. Counts of virtual nodes mean
    /// nothing here.
    ///
    /// Law: every arc that moves goes to the new node, so what moves is exactly what it owns.
    diff_type join(node_spec node) {
        return this->joined(std::move(node),
                            [&](slots& next, circle& cut) { return this->commit(next, cut); });
    }

    /// Removes a node, whose arcs go to the emptiest others. Throws `unknown_node`.
    ///
    /// Law: what moves is exactly what it owned, unless nobody is left to own anything.
    diff_type leave(std::string_view name) {
        const std::uint32_t gone = this->expect_member(name);
        slots next = state_.current();
        next[gone].weight = hashring::weight{0};
        circle cut = this->uncut();
        this->level(cut, next, gone);
        next.erase(next.begin() + gone);
        std::vector<std::uint32_t> renamed = changes::identity(next.size() + 1);
        std::transform(renamed.begin() + gone, renamed.end(), renamed.begin() + gone,
                       [](std::uint32_t i) { return i - 1; });
        cut.rename(renamed);
        return this->commit(next, cut);
    }

    /// Gives a node another weight: it takes from those that then stand above its level, or if
    /// there are none gives to those below. With its old weight it evens itself out. Throws
    /// `unknown_node`.
    ///
    /// Law: every arc that moves goes to it, or every one comes from it.
    diff_type resize(std::string_view name, hashring::weight weight) {
        const std::uint32_t index = this->expect_member(name);
        slots next = state_.current();
        next[index].weight = weight;
        circle cut = this->uncut();
        this->level(cut, next, index);
        return this->commit(next, cut);
    }

    /// Hands exactly `amount` positions from one node to another, whatever their weights wish; the
    /// next changes level it out again as far as they touch it. Throws `unknown_node`, and
    /// `invalid_amount` if `from` owns less, `to` has a weight of 0, or both are the same.
    diff_type transfer(std::string_view from, std::string_view to, const uint128& amount) {
        circle cut = this->uncut();
        const std::uint32_t giver = this->expect_member(from);
        this->hand_over(cut, this->widths()[giver], giver, this->expect_member(to), amount);
        slots next = state_.current();
        return this->commit(next, cut);
    }

    /// Carries out a plan of transfers (of `plan_transfers`: a range of `from`, `to` and `amount`,
    /// or what has one called `transfers`), and returns the arcs that move.
    ///
    /// Amounts are in any unit; `held(name)` says how much of it a node holds before the plan, and
    /// a node gives that part of the positions that it owns before the plan. Throws as `transfer`.
    template <class Plan, class Held>
    diff_type apply(const Plan& plan, const Held& held) {
        if constexpr (requires { plan.transfers; }) {
            return apply(plan.transfers, held);
        } else {
            circle cut = this->uncut();
            const std::vector<uint128> owned = this->widths();
            std::vector<uint128> left = owned;
            for (const auto& step : plan) {
                const std::uint32_t from = this->expect_member(step.from);
                const std::uint32_t to = this->expect_member(step.to);
                const uint128 amount =
                    changes::positions_of(step, owned[from], held(std::string_view(step.from)));
                this->hand_over(cut, left[from], from, to, amount);
                left[from] -= amount;
                left[to] += amount;
            }
            slots next = state_.current();
            return this->commit(next, cut);
        }
    }

    /// What changes owner from this ring to another: as `ring::changes_to`.
    [[nodiscard]] diff_type changes_to(const exact_ring& after) const {
        return detail::compare(after.scheme_, detail::side{this->nodes_view(), state_.points},
                               detail::side{after.nodes_view(), after.state_.points});
    }

    /// The whole state as text; `exact_state.hpp` shows it. The same ring gives the same text.
    [[nodiscard]] std::string save() const {
        return detail::write_exact(scheme_, most_cuts_, state_.members, state_.points);
    }

    /// The ring that `save` made `text` of. `scheme` gives what no option of it tells, such as a
    /// hash's seed; the options are set as they were saved. Throws `invalid_state`, naming the
    /// line, for a text that was damaged, cut off or saved for another scheme.
    ///
    /// Law: equal to the saved ring, and the same changes of both give equal rings again.
    [[nodiscard]] static exact_ring load(std::string_view text, Scheme scheme = {});

    /// Whether options, nodes and points are equal; addresses do not count.
    friend bool operator==(const exact_ring& a, const exact_ring& b) {
        return a.most_cuts_ == b.most_cuts_ &&
               static_cast<const reader&>(a) == static_cast<const reader&>(b);
    }
};

template <class Scheme>
exact_ring<Scheme> exact_ring<Scheme>::load(std::string_view text, Scheme scheme) {
    auto state = detail::read_exact(text, scheme);
    detail::check_exact<Scheme>(state);
    exact_ring result(std::move(scheme), state.most_cuts);
    result.become(state.nodes, state.points);
    return result;
}

} // namespace hashring
