// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/ring/build.hpp>
#include <hashring/ring/name_index.hpp>
#include <hashring/ring/node_ref.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/payloads.hpp>
#include <hashring/table/scheme.hpp>
#include <hashring/table/state.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The table: hash → owner, without a circle.

namespace hashring {

/// The nodes of a cluster and the table of `Scheme` that says which of them owns a key.
///
/// A regular value that meets `node_lookup`, as `ring` does. The same nodes give the same table
/// whatever the order in which they came and whatever was there before, unless the scheme says that
/// order matters; then they are in the order of the list.
///
/// **Building** checks first and throws an error derived from `std::invalid_argument`, or
/// `std::bad_alloc`; then nothing has changed. Every change builds the scheme's table anew: add
/// many nodes in one call. **Looking up** is `const noexcept`, allocates nothing and may be done by
/// any number of threads while none changes the table; an empty table is an answer. There is no
/// walk and there are no replicas: a table knows one node a key.
///
/// `node(i).vnodes()` is the number of slots of a node, or 1 where the scheme has no slots.
/// `Payload` is kept beside each name and moves without throwing; placement never depends on it.
template <table_scheme Scheme, class Payload = no_payload>
class table : public table_payloads<Scheme, Payload> {
    using reader = table_payloads<Scheme, Payload>;
    using reader::scheme_;
    using reader::state_;
    using typename reader::state_type;
    using slots = typename state_type::slots;

public:
    /// An empty table, with the scheme's own options or with others.
    table() = default;
    explicit table(Scheme scheme) : reader(std::move(scheme)) {}
    /// The table of `nodes`; throws as `add` of many does.
    table(std::initializer_list<node_spec> nodes, Scheme scheme = {}) : reader(std::move(scheme)) {
        add(nodes);
    }
    template <node_range Nodes>
    explicit table(Nodes&& nodes, Scheme scheme = {}) : reader(std::move(scheme)) {
        add(std::forward<Nodes>(nodes));
    }

    // --- changing ------------------------------------------------------------------------------

    /// Adds a node, at the end of the list where its order matters. Returns whether it is new; a
    /// name that is a member stays as it is. Throws `invalid_node` for an empty name,
    /// `invalid_weight` for a weight that the scheme does not take, `invalid_point_count` for a
    /// count of virtual nodes by hand and for more nodes than the table has room for.
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

    /// Adds many nodes at once, in their order. Returns how many are new; names that are members
    /// stay as they are. Throws as `add` of one, and `invalid_node` if `nodes` names one twice.
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

    /// Removes a node. Returns whether it was a member. Throws `invalid_removal` if the scheme
    /// would have to move the keys of nodes that stay, that is, unless `Scheme::removes_any`, for
    /// all but the last of the list: `replace` it, or build a new table.
    bool remove(std::string_view name) {
        const std::uint32_t gone = this->index_of(name);
        if (gone == no_node) {
            return false;
        }
        if (!Scheme::removes_any && gone + 1 != this->size()) {
            throw invalid_removal(concat("the node '", name, "' is not the last of the list, and ",
                                         std::string_view(Scheme::name),
                                         " can only remove that: replace it by another, or build "
                                         "a new table, which moves most keys"));
        }
        slots next = state_.current();
        next.erase(next.begin() + gone);
        state_.become(scheme_, next);
        return true;
    }

    /// Puts another node in a node's place in the list: of the same weight it takes over exactly
    /// the keys of the old one, unless the scheme places by names too, as `envoy-maglev-1.26` does.
    /// Returns whether `name` is a member. Throws `invalid_node` if another member has the
    /// new name already, and as `add` does.
    bool replace(std::string_view name, node_spec by, Payload payload)
        requires(Scheme::order_matters)
    {
        const std::uint32_t index = this->index_of(name);
        if (index == no_node) {
            return false;
        }
        if (by.name != name && this->contains(by.name)) {
            throw invalid_node(concat("the node '", by.name, "' is a member already"));
        }
        detail::check_names(std::span<const node_spec>(&by, 1));
        slots next = state_.current();
        next[index] = slot_of(by, payload);
        state_.become(scheme_, next);
        return true;
    }
    bool replace(std::string_view name, node_spec by)
        requires(Scheme::order_matters && std::default_initializable<Payload>)
    {
        return replace(name, std::move(by), Payload{});
    }

    /// Gives a node another weight. Returns whether the name is a member. Throws
    /// `invalid_point_count` if the table has no room for one more node above 0.
    bool set_weight(std::string_view name, hashring::weight weight)
        requires(Scheme::takes_weights)
    {
        const std::uint32_t index = this->index_of(name);
        if (index == no_node) {
            return false;
        }
        slots next = state_.current();
        next[index].weight = weight;
        state_.become(scheme_, next);
        return true;
    }

    /// Becomes exactly the table of `nodes`, built once; where the order of the list matters, keys
    /// of nodes that change their place move with it. Who stays keeps its payload; `make_payload`
    /// is called with each new node's `node_spec`, in the order of the list, once all names are
    /// good. Throws as `add` of many does, and what `make_payload` throws. Law: the table then
    /// equals `table(nodes)`.
    template <node_range Nodes, class MakePayload>
    void assign(Nodes&& nodes, MakePayload make_payload);
    template <node_range Nodes>
        requires std::default_initializable<Payload>
    void assign(Nodes&& nodes) {
        assign(std::forward<Nodes>(nodes), [](const node_spec&) { return Payload{}; });
    }
    void assign(std::initializer_list<node_spec> nodes)
        requires std::default_initializable<Payload>
    {
        assign(std::span<const node_spec>(nodes.begin(), nodes.size()));
    }

private:
    struct arrival {
        node_spec spec;
        Payload payload;
    };

    [[nodiscard]] static detail::slot<Payload> slot_of(node_spec& spec, Payload& payload) {
        return {&spec.name, &spec.address, &payload, spec.weight, spec.vnodes, 0, no_node};
    }

    std::size_t insert(std::span<arrival> fresh);
};

template <table_scheme Scheme, class Payload>
template <node_range Nodes, class MakePayload>
void table<Scheme, Payload>::assign(Nodes&& nodes, MakePayload make_payload) {
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
        Payload& payload = old == no_node ? made[i].emplace(make_payload(std::as_const(specs[i])))
                                          : state_.members[old].payload;
        next.push_back(slot_of(specs[i], payload));
    }
    state_.become(scheme_, next);
}

template <table_scheme Scheme, class Payload>
std::size_t table<Scheme, Payload>::insert(std::span<arrival> fresh) {
    slots arriving;
    for (arrival& a : fresh) {
        arriving.push_back(slot_of(a.spec, a.payload));
    }
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
        state_.become(scheme_, next);
    }
    return added;
}

} // namespace hashring
