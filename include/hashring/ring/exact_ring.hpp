// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/ring/compare.hpp>
#include <hashring/ring/cut_circle.hpp>
#include <hashring/ring/diff.hpp>
#include <hashring/ring/exact_state.hpp>
#include <hashring/ring/level.hpp>
#include <hashring/ring/reader.hpp>
#include <hashring/ring/ring.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
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
class exact_ring : public ring_reader<Scheme, no_payload> {
    using reader = ring_reader<Scheme, no_payload>;
    using reader::scheme_;
    using reader::state_;
    using typename reader::state_type;
    using slots = typename state_type::slots;
    using points_type = typename state_type::points_type;

public:
    using typename reader::position_type;
    using diff_type = ring_diff<Scheme>;

    /// With how many nodes one change may trade unless said otherwise.
    static constexpr std::uint32_t preset_cuts = 128;

    exact_ring() : exact_ring(Scheme{}) {}
    /// An empty ring. `most_cuts` is with how many nodes one change trades: fewer give fewer points
    /// and levels that differ by up to about 1 / most_cuts. Throws `invalid_option` for 0.
    explicit exact_ring(Scheme scheme, std::uint32_t most_cuts = preset_cuts)
        : reader(std::move(scheme)), most_cuts_(most_cuts) {
        static_assert(!Scheme::order_matters, "an exact ring holds its nodes by name");
        if (most_cuts == 0) {
            throw invalid_option("an exact ring trades with at least one node");
        }
    }
    /// The ring that `nodes` make as they join one after the other.
    template <node_range Nodes>
    explicit exact_ring(Nodes&& nodes, Scheme scheme = {}, std::uint32_t most_cuts = preset_cuts)
        : exact_ring(std::move(scheme), most_cuts) {
        for (auto&& node : nodes) {
            joined(node_spec(node), [&](slots& next, circle& cut) {
                state_.become(next, points_of(next, cut.points()));
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
    explicit exact_ring(const ring<Scheme, Payload>& hashed, std::uint32_t most_cuts = preset_cuts);

    [[nodiscard]] std::uint32_t most_cuts() const noexcept { return most_cuts_; }

    /// Adds a node, which takes from the fullest others what brings them to one level with it.
    /// Throws `invalid_node` for an empty name or that of a member. Counts of virtual nodes mean
    /// nothing here.
    ///
    /// Law: every arc that moves goes to the new node, so what moves is exactly what it owns.
    diff_type join(node_spec node) {
        return joined(std::move(node), [&](slots& next, circle& cut) { return commit(next, cut); });
    }

    /// Removes a node, whose arcs go to the emptiest others. Throws `unknown_node`.
    ///
    /// Law: what moves is exactly what it owned, unless nobody is left to own anything.
    diff_type leave(std::string_view name) {
        const std::uint32_t gone = expect_member(name);
        slots next = state_.current();
        next[gone].weight = hashring::weight{0};
        circle cut = uncut();
        level(cut, next, gone);
        next.erase(next.begin() + gone);
        std::vector<std::uint32_t> renamed = identity(size_of(next) + 1);
        std::transform(renamed.begin() + gone, renamed.end(), renamed.begin() + gone,
                       [](std::uint32_t i) { return i - 1; });
        cut.rename(renamed);
        return commit(next, cut);
    }

    /// Gives a node another weight: it takes from those that then stand above its level, or if
    /// there are none gives to those below. With its old weight it evens itself out. Throws
    /// `unknown_node`.
    ///
    /// Law: every arc that moves goes to it, or every one comes from it.
    diff_type resize(std::string_view name, hashring::weight weight) {
        const std::uint32_t index = expect_member(name);
        slots next = state_.current();
        next[index].weight = weight;
        circle cut = uncut();
        level(cut, next, index);
        return commit(next, cut);
    }

    /// Hands exactly `amount` positions from one node to another, whatever their weights wish; the
    /// next changes level it out again as far as they touch it. Throws `unknown_node`, and
    /// `invalid_amount` if `from` owns less, `to` has a weight of 0, or both are the same.
    diff_type transfer(std::string_view from, std::string_view to, const uint128& amount) {
        circle cut = uncut();
        const std::vector<uint128> owned = this->widths();
        hand_over(cut, owned, expect_member(from), expect_member(to), amount);
        slots next = state_.current();
        return commit(next, cut);
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
            circle cut = uncut();
            const std::vector<uint128> owned = this->widths();
            for (const auto& step : plan) {
                const std::uint32_t from = expect_member(step.from);
                const std::uint32_t to = expect_member(step.to);
                const std::uint64_t whole = held(std::string_view(step.from));
                if (step.amount > whole) {
                    throw invalid_amount(
                        concat("'", step.from, "' holds less than it should give"));
                }
                const uint128 amount =
                    whole == 0 ? uint128{}
                               : divide(multiply(owned[from], step.amount), whole).quotient;
                hand_over(cut, cut.widths(this->size()), from, to, amount);
            }
            slots next = state_.current();
            return commit(next, cut);
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

private:
    using circle = detail::cut_circle<position_type>;

    [[nodiscard]] static std::uint32_t size_of(const slots& next) noexcept {
        return static_cast<std::uint32_t>(next.size());
    }
    [[nodiscard]] static std::vector<std::uint32_t> identity(std::size_t count) {
        std::vector<std::uint32_t> result(count);
        std::iota(result.begin(), result.end(), std::uint32_t{0});
        return result;
    }
    [[nodiscard]] std::uint32_t expect_member(std::string_view name) const {
        const std::uint32_t index = this->index_of(name);
        if (index == no_node) {
            throw unknown_node(std::string(name));
        }
        return index;
    }
    [[nodiscard]] circle uncut() const {
        return circle(state_.points, identity(this->size()), Scheme::last_position);
    }

    /// Calls `then` with the list and the circle that `node` is a part of.
    template <class Then>
    decltype(auto) joined(node_spec node, Then then);
    void level(circle& cut, const slots& next, std::uint32_t self) const;
    void hand_over(circle& cut, const std::vector<uint128>& owned, std::uint32_t from,
                   std::uint32_t to, const uint128& amount) const;

    /// The points of `entries`, which are counted in `next`.
    [[nodiscard]] static points_type
    points_of(slots& next, const std::vector<detail::entry<position_type>>& entries) {
        const auto fresh =
            detail::grouped(std::span<const detail::entry<position_type>>(entries), next.size());
        for (auto& s : next) {
            s.vnodes = 0;
        }
        for (const auto& run : fresh.runs) {
            next[run.owner].vnodes = run.count;
        }
        return points_type(fresh);
    }
    /// Becomes the ring of `nodes`, in the order of their names, with the points of `entries`.
    void become(std::vector<node_spec>& nodes,
                const std::vector<detail::entry<position_type>>& entries) {
        slots next;
        no_payload none;
        for (node_spec& node : nodes) {
            next.push_back({&node.name, &node.address, &none, node.weight, {}, 0, no_node});
        }
        state_.become(next, points_of(next, entries));
    }
    /// Becomes `next` with the points of `cut`, and returns what moves.
    diff_type commit(slots& next, circle& cut) {
        points_type points = points_of(next, cut.points());
        const auto after = state_type::view(next);
        diff_type moved = detail::compare(scheme_, detail::side{this->nodes_view(), state_.points},
                                          detail::side{after, points});
        state_.become(next, std::move(points));
        return moved;
    }

    std::uint32_t most_cuts_;
};

template <class Scheme>
template <class Payload>
exact_ring<Scheme>::exact_ring(const ring<Scheme, Payload>& hashed, std::uint32_t most_cuts)
    : exact_ring(hashed.scheme(), most_cuts) {
    std::vector<node_spec> nodes;
    bool is_weighted = false;
    const std::vector<uint128> owned = hashed.widths();
    for (std::uint32_t i = 0; i < hashed.size(); ++i) {
        const auto node = hashed.node(i);
        nodes.emplace_back(std::string(node.name()), node.weight(), std::string(node.address()));
        if (node.weight().thousandths() > 0) {
            is_weighted = true;
        } else if (owned[i] > 0) {
            throw invalid_node(concat("the node '", node.name(), "' owns and has a weight of 0"));
        }
    }
    if (is_weighted && hashed.point_count() == 0) {
        throw invalid_node("nodes have weights and none of them owns anything");
    }
    become(nodes, circle(detail::points_seen<ring<Scheme, Payload>>{hashed},
                         identity(hashed.size()), Scheme::last_position)
                      .points());
}

template <class Scheme>
template <class Then>
decltype(auto) exact_ring<Scheme>::joined(node_spec node, Then then) {
    if (node.name.empty()) {
        throw invalid_node("a node's name is empty");
    }
    if (this->contains(node.name)) {
        throw invalid_node(concat("the node '", node.name, "' is a member"));
    }
    no_payload none;
    slots next = state_.current();
    next.push_back({&node.name, &node.address, &none, node.weight, {}, 0, no_node});
    state_type::arrange(next);
    std::vector<std::uint32_t> renamed(this->size());
    std::uint32_t self = 0;
    for (std::uint32_t i = 0; i < next.size(); ++i) {
        (next[i].keeps_points_of == no_node ? self : renamed[next[i].keeps_points_of]) = i;
    }
    circle cut(state_.points, renamed, Scheme::last_position);
    level(cut, next, self);
    return then(next, cut);
}

template <class Scheme>
void exact_ring<Scheme>::level(circle& cut, const slots& next, std::uint32_t self) const {
    std::vector<detail::holding> nodes;
    nodes.reserve(next.size());
    bool others = false;
    for (const uint128& owned : cut.widths(next.size())) {
        const std::uint64_t weight = next[nodes.size()].weight.thousandths();
        others = others || (weight > 0 && nodes.size() != self);
        nodes.push_back({owned, weight});
    }
    if (nodes[self].weight == 0 && !others) {
        cut.clear();
        return;
    }
    if (cut.empty()) {
        if (nodes[self].weight > 0) {
            cut.give_all(self);
        }
        return;
    }
    detail::leveller leveller(nodes, self, most_cuts_);
    if (nodes[self].weight > 0) {
        const detail::handover taken = leveller.taken();
        if (taken.needs[self] > 0) {
            cut.hand_over(taken);
            return;
        }
    }
    cut.hand_over(leveller.given());
}

template <class Scheme>
void exact_ring<Scheme>::hand_over(circle& cut, const std::vector<uint128>& owned,
                                   std::uint32_t from, std::uint32_t to,
                                   const uint128& amount) const {
    if (from == to) {
        throw invalid_amount(concat("'", this->node(from).name(), "' cannot hand over to itself"));
    }
    if (this->node(to).weight().thousandths() == 0) {
        throw invalid_amount(concat("'", this->node(to).name(), "' has a weight of 0"));
    }
    if (owned[from] < amount) {
        throw invalid_amount(
            concat("'", this->node(from).name(), "' owns less than it should give"));
    }
    detail::handover h(this->size());
    h.gives[from] = amount;
    h.needs[to] = amount;
    cut.hand_over(std::move(h));
}

template <class Scheme>
exact_ring<Scheme> exact_ring<Scheme>::load(std::string_view text, Scheme scheme) {
    auto state = detail::read_exact(text, scheme);
    detail::check_exact<Scheme>(state);
    exact_ring result(std::move(scheme), state.most_cuts);
    result.become(state.nodes, state.points);
    return result;
}

} // namespace hashring
