// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/ring/compare.hpp>
#include <hashring/ring/diff.hpp>
#include <hashring/ring/name_index.hpp>
#include <hashring/ring/node_plan.hpp>
#include <hashring/ring/node_ref.hpp>
#include <hashring/ring/reader.hpp>
#include <hashring/ring/state.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The ring: position → owner.

namespace hashring {

namespace schemes {
struct xxh3; // the default; `placement/xxh3.hpp` (or `hashring.hpp`) defines it
}

/// A range whose elements convert to `node_spec`: names, or nodes with weights.
template <class R>
concept node_range = std::ranges::input_range<R> &&
                     std::convertible_to<std::ranges::range_reference_t<R>, node_spec> &&
                     !std::convertible_to<R, node_spec>;

/// A consistent-hash ring: the nodes of a cluster and their points on the circle of `Scheme`.
///
/// A regular value: copies are independent, and two rings are equal if their options, nodes (names,
/// weights, counts) and points are. The same nodes give the same ring whatever the order in which
/// they came and whatever was there before, unless the scheme says that order matters.
///
/// **Building** (the constructors, copies, `add`, `remove`, `assign`, `set_…`) checks first and
/// throws an error derived from `std::invalid_argument`, or `std::bad_alloc`; then nothing has
/// changed. A change sorts the names and the new points and passes once over all points: O(points +
/// new · log new + nodes · log nodes). Where `Scheme::points_depend_on_list` all points are new at
/// every change. A collision of points is no error and drops none.
///
/// **Looking up** is `const` and may be done by any number of threads while none changes the ring.
/// `owner` and `replicas` into a span are `noexcept` and allocate nothing; an empty ring is an
/// answer. O(1) where positions spread, O(log points) for any.
///
/// `Payload` is kept beside each name (an address, a connection); placement never depends on it. It
/// moves without throwing; it need not be copyable unless the ring is copied.
template <class Scheme = schemes::xxh3, class Payload = no_payload>
class ring : public ring_reader<Scheme, Payload> {
    using reader = ring_reader<Scheme, Payload>;
    using reader::scheme_;
    using reader::state_;
    using typename reader::state_type;
    using slots = typename state_type::slots;

public:
    using diff_type = ring_diff<Scheme>;

    /// An empty ring, with the scheme's own options or with others.
    ring() = default;
    explicit ring(Scheme scheme) : reader(std::move(scheme)) {}
    /// The ring of `nodes`; throws `invalid_node` for an empty name or one that comes twice, and
    /// `invalid_point_count` for more points than `max_points`.
    ring(std::initializer_list<node_spec> nodes, Scheme scheme = {}) : reader(std::move(scheme)) {
        add(nodes);
    }
    template <node_range Nodes>
    explicit ring(Nodes&& nodes, Scheme scheme = {}) : reader(std::move(scheme)) {
        add(std::forward<Nodes>(nodes));
    }

    // --- changing ------------------------------------------------------------------------------

    /// Adds a node, at the end of the list where its order matters. Returns whether it is new; a
    /// name that is a member stays as it is. Throws `invalid_node` for an empty name and
    /// `invalid_point_count` for more points than `max_points`.
    bool add(node_spec node, Payload payload) {
        arrival fresh{std::move(node), std::move(payload)};
        return insert({&fresh, 1}) == 1;
    }
    bool add(node_spec node)
        requires std::default_initializable<Payload>
    {
        return add(std::move(node), Payload{});
    }
    bool add(std::string_view name, hashring::weight weight)
        requires std::default_initializable<Payload>
    {
        return add(node_spec(std::string(name), weight), Payload{});
    }

    /// Adds many nodes with one sort, in their order. Returns how many are new; names that are
    /// members stay as they are. Throws `invalid_node` if `nodes` names one twice.
    template <node_range Nodes>
        requires std::default_initializable<Payload>
    std::size_t add(Nodes&& nodes) {
        std::vector<arrival> fresh;
        for (auto&& node : nodes) {
            fresh.push_back({node_spec(node), Payload{}});
        }
        return insert(fresh);
    }
    std::size_t add(std::initializer_list<node_spec> nodes)
        requires std::default_initializable<Payload>
    {
        return add(std::span<const node_spec>(nodes.begin(), nodes.size()));
    }

    /// Removes a node with all its points and none of another's. Returns whether it was a member.
    bool remove(std::string_view name) {
        const std::uint32_t gone = this->index_of(name);
        if (gone == no_node) {
            return false;
        }
        slots next = state_.current();
        next.erase(next.begin() + gone);
        replace(next);
        return true;
    }

    /// Gives a node another weight, and the number of virtual nodes that the scheme gives it for
    /// that. Returns whether the name is a member.
    bool set_weight(std::string_view name, hashring::weight weight) {
        return change(name, [&](auto& s) {
            s.weight = weight;
            s.count_by_hand.reset();
        });
    }

    /// Gives a node `count` virtual nodes whatever its weight; 0 drains it. Returns whether the
    /// name is a member. Throws `invalid_point_count` above `max_points`.
    bool set_vnodes(std::string_view name, std::uint32_t count) {
        return change(name, [&](auto& s) { s.count_by_hand = count; });
    }

    /// Becomes exactly the ring of `nodes`, with one sort, and returns the arcs that changed owner.
    ///
    /// Who stays keeps its payload; `make_payload` is called with each new node's `node_spec`, in
    /// the order of the list, once all names are good. Throws `invalid_node` if `nodes` names one
    /// twice, and what `make_payload` throws. Law: the ring then equals `ring(nodes)`.
    template <node_range Nodes, class MakePayload>
    diff_type assign(Nodes&& nodes, MakePayload make_payload) {
        std::vector<node_spec> specs;
        for (auto&& listed : nodes) {
            specs.emplace_back(listed);
        }
        detail::check_names(std::span<const node_spec>(specs));
        std::vector<std::optional<Payload>> made(specs.size()); // a slot points at each
        slots next;
        const detail::name_index<Scheme, Payload> known(state_.members, specs.size());
        for (std::size_t i = 0; i < specs.size(); ++i) {
            const std::uint32_t old = known.find(specs[i].name);
            Payload& payload = old == no_node
                                   ? made[i].emplace(make_payload(std::as_const(specs[i])))
                                   : state_.members[old].payload;
            next.push_back(slot_of(specs[i], payload));
        }
        state_type::arrange(next);
        return replace_and_compare(next);
    }
    template <node_range Nodes>
        requires std::default_initializable<Payload>
    diff_type assign(Nodes&& nodes) {
        return assign(std::forward<Nodes>(nodes), [](const node_spec&) { return Payload{}; });
    }
    diff_type assign(std::initializer_list<node_spec> nodes)
        requires std::default_initializable<Payload>
    {
        return assign(std::span<const node_spec>(nodes.begin(), nodes.size()));
    }

    /// Carries out a plan, new counts or weights of members, in one pass and returns the arcs that
    /// changed owner: `ring.apply(plan_weights(…))`. Throws `unknown_node` for who is no member,
    /// `invalid_node` for who is named twice, and `invalid_point_count`.
    ///
    /// Law: the ring is then what `set_vnodes` and `set_weight` one by one make of it.
    template <node_plan Plan>
    diff_type apply(const Plan& plan) {
        slots next = state_.current();
        const detail::name_index<Scheme, Payload> known(state_.members, this->size());
        for (const auto& change : detail::changes_of(plan)) {
            const std::uint32_t index = known.find(change.name);
            if (index == no_node) {
                throw unknown_node(std::string(std::string_view(change.name)));
            }
            if (next[index].keeps_points_of == no_node) {
                throw invalid_node(concat("the plan names the node '", change.name, "' twice"));
            }
            next[index].keeps_points_of = no_node;
            detail::make_change(next[index], change);
        }
        return replace_and_compare(next);
    }

    /// Puts `payload` in place of a member's and returns the old one; no point moves. Throws
    /// `unknown_node`.
    Payload exchange_payload(std::string_view name, Payload payload) {
        const std::uint32_t index = this->index_of(name);
        if (index == no_node) {
            throw unknown_node(std::string(name));
        }
        return std::exchange(state_.members[index].payload, std::move(payload));
    }

    /// A member's payload to change in place, or null. It points into the ring until that changes.
    [[nodiscard]] Payload* payload(std::string_view name) noexcept {
        const std::uint32_t index = this->index_of(name);
        return index == no_node ? nullptr : &state_.members[index].payload;
    }

    /// What changes owner from this ring to another of the same scheme. Throws `invalid_option` if
    /// the two place keys differently (two seeds of one hash). O(points of both). Law: `find(k)` of
    /// the result names the owners of key k on both rings if they differ, and nothing if they do
    /// not.
    [[nodiscard]] diff_type changes_to(const ring& after) const {
        if constexpr (requires { scheme_.places_keys_as(scheme_); }) {
            if (!scheme_.places_keys_as(after.scheme_)) {
                throw invalid_option("two rings that hash keys differently do not compare");
            }
        }
        return detail::compare(after.scheme_, detail::side{this->nodes_view(), state_.points},
                               detail::side{after.nodes_view(), after.state_.points});
    }

private:
    struct arrival {
        node_spec spec;
        Payload payload;
    };

    [[nodiscard]] static typename state_type::slot_type slot_of(node_spec& spec, Payload& payload) {
        return {&spec.name, &spec.address, &payload, spec.weight, spec.vnodes, 0, no_node};
    }

    std::size_t insert(std::span<arrival> fresh);
    template <class Change>
    bool change(std::string_view name, Change apply);

    diff_type replace_and_compare(slots& next);
    void replace(slots& next) { state_.become(next, state_.plan(scheme_, next)); }
};

template <class Scheme, class Payload>
std::size_t ring<Scheme, Payload>::insert(std::span<arrival> fresh) {
    slots arriving;
    for (arrival& a : fresh) {
        arriving.push_back(slot_of(a.spec, a.payload));
    }
    state_type::arrange(arriving); // sorted once, they pass all that follows quickly
    const std::vector<placed_node> named = state_type::view(arriving);
    detail::check_names(std::span<const placed_node>(named));
    slots next = state_.current();
    const detail::name_index<Scheme, Payload> known(state_.members, arriving.size());
    for (const auto& s : arriving) {
        if (known.find(*s.name) == no_node) {
            next.push_back(s);
        }
    }
    const std::size_t added = next.size() - this->size();
    if (added > 0) {
        state_type::arrange(next);
        replace(next);
    }
    return added;
}

template <class Scheme, class Payload>
template <class Change>
bool ring<Scheme, Payload>::change(std::string_view name, Change apply) {
    const std::uint32_t index = this->index_of(name);
    if (index == no_node) {
        return false;
    }
    slots next = state_.current();
    next[index].keeps_points_of = no_node;
    apply(next[index]);
    replace(next);
    return true;
}

template <class Scheme, class Payload>
ring_diff<Scheme> ring<Scheme, Payload>::replace_and_compare(slots& next) {
    const auto plan = state_.plan(scheme_, next);
    typename state_type::points_type points = state_.points;
    points.rewrite(plan.renamed, plan.fresh);
    const auto after = state_type::view(next);
    diff_type moved = detail::compare(scheme_, detail::side{this->nodes_view(), state_.points},
                                      detail::side{after, points});
    state_.become(next, std::move(points));
    return moved;
}

/// What changes owner from `before` to `after`: `before.changes_to(after)`.
template <class Scheme, class Payload>
[[nodiscard]] ring_diff<Scheme> diff(const ring<Scheme, Payload>& before,
                                     const ring<Scheme, Payload>& after) {
    return before.changes_to(after);
}

} // namespace hashring
