// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/compare.hpp>
#include <hashring/ring/cut_circle.hpp>
#include <hashring/ring/diff.hpp>
#include <hashring/ring/level.hpp>
#include <hashring/ring/node_ref.hpp>
#include <hashring/ring/reader.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// How the nodes and arcs of an exact ring become others.

namespace hashring::detail {

/// What `exact_ring` does its changes with: nodes and points that are checked and worked out beside
/// the ring, which then becomes them at once.
template <placement_scheme Scheme>
class exact_changes : public ring_reader<Scheme, no_payload> {
    using reader = ring_reader<Scheme, no_payload>;
    using typename reader::state_type;
    using points_type = typename state_type::points_type;

public:
    using typename reader::position_type;
    using diff_type = ring_diff<Scheme>;

protected:
    using reader::scheme_;
    using reader::state_;
    using slots = typename state_type::slots;
    using circle = cut_circle<position_type>;

    exact_changes(Scheme scheme, std::uint32_t most_cuts)
        : reader(std::move(scheme)), most_cuts_(most_cuts) {}

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

    /// The nodes and arcs of a ring of points, which are to become this ring's.
    template <class Ring>
    void take_over(const Ring& hashed);
    /// Calls `then` with the list and the circle that `node` is a part of. Throws `invalid_node`.
    template <class Then>
    decltype(auto) joined(node_spec node, Then then);
    /// Brings `self` and those that it trades with, at most `most_cuts_`, to one level.
    void level(circle& cut, const slots& next, std::uint32_t self) const;
    /// Hands over, or throws `invalid_amount` if `from`, which owns `owned`, cannot.
    void hand_over(circle& cut, const uint128& owned, std::uint32_t from, std::uint32_t to,
                   const uint128& amount) const;
    /// What `step` of a plan comes to in positions, where its giver owns `owned` and holds `whole`
    /// in the plan's unit. Throws `invalid_amount` if that is less than it gives.
    template <class Step>
    [[nodiscard]] static uint128 positions_of(const Step& step, const uint128& owned,
                                              std::uint64_t whole);

    /// The points of `entries`, which are counted in `next`.
    [[nodiscard]] static points_type points_of(slots& next,
                                               const std::vector<entry<position_type>>& entries) {
        const auto fresh = grouped(std::span<const entry<position_type>>(entries), next.size());
        for (auto& s : next) {
            s.vnodes = 0;
        }
        for (const auto& run : fresh.runs) {
            next[run.owner].vnodes = run.count;
        }
        return points_type(fresh);
    }
    /// Becomes the ring of `nodes`, in the order of their names, with the points of `entries`.
    void become(std::vector<node_spec>& nodes, const std::vector<entry<position_type>>& entries) {
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
        diff_type moved =
            compare(scheme_, side{this->nodes_view(), state_.points}, side{after, points});
        state_.become(next, std::move(points));
        return moved;
    }

    std::uint32_t most_cuts_;
};

template <placement_scheme Scheme>
template <class Ring>
void exact_changes<Scheme>::take_over(const Ring& hashed) {
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
    become(
        nodes,
        circle(points_seen<Ring>{hashed}, identity(hashed.size()), Scheme::last_position).points());
}

template <placement_scheme Scheme>
template <class Then>
decltype(auto) exact_changes<Scheme>::joined(node_spec node, Then then) {
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

template <placement_scheme Scheme>
void exact_changes<Scheme>::level(circle& cut, const slots& next, std::uint32_t self) const {
    std::vector<holding> nodes;
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
    leveller leveller(nodes, self, most_cuts_);
    if (nodes[self].weight > 0) {
        const handover taken = leveller.taken();
        if (taken.needs[self] > 0) {
            cut.hand_over(taken);
            return;
        }
    }
    cut.hand_over(leveller.given());
}

template <placement_scheme Scheme>
void exact_changes<Scheme>::hand_over(circle& cut, const uint128& owned, std::uint32_t from,
                                      std::uint32_t to, const uint128& amount) const {
    if (from == to) {
        throw invalid_amount(concat("'", this->node(from).name(), "' cannot hand over to itself"));
    }
    if (this->node(to).weight().thousandths() == 0) {
        throw invalid_amount(concat("'", this->node(to).name(), "' has a weight of 0"));
    }
    if (owned < amount) {
        throw invalid_amount(
            concat("'", this->node(from).name(), "' owns less than it should give"));
    }
    handover h(this->size());
    h.gives[from] = amount;
    h.needs[to] = amount;
    cut.hand_over(std::move(h));
}

template <placement_scheme Scheme>
template <class Step>
uint128 exact_changes<Scheme>::positions_of(const Step& step, const uint128& owned,
                                            std::uint64_t whole) {
    if (step.amount > whole) {
        throw invalid_amount(concat("'", step.from, "' holds less than it should give"));
    }
    return whole == 0 ? uint128{} : divide(multiply(owned, step.amount), whole).quotient;
}

} // namespace hashring::detail
