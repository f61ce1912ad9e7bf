// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/ring/fingerprint.hpp>
#include <hashring/ring/name_index.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/anchor.hpp>
#include <hashring/table/anchor_changes.hpp>
#include <hashring/table/anchor_state.hpp>
#include <hashring/table/lookup.hpp>
#include <hashring/table/reader.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The table of AnchorHash, from which any node can leave.

namespace hashring {

/// The nodes of a cluster, each a bucket of AnchorHash: equal shares, up to `capacity` nodes, and
/// only what must move moves, whoever leaves.
///
/// It meets `node_lookup`, looks up as a `table` does and has its nodes in the order of their
/// buckets. **The order of removals is state**: who joins gets the bucket that was left last. Two
/// processes agree if they see the same events in the same order, or if one loads what the other
/// saved; as long as nobody has left it equals, in what it answers, `table<Scheme>` of the same
/// list.
///
/// Laws: a node that leaves gives its keys to all others evenly and no other key moves; a node that
/// joins only takes keys, its fair share from each of the others, and after a removal exactly those
/// of the bucket that was left last.
///
/// Building throws an error derived from `std::invalid_argument`, or `std::bad_alloc`, and then
/// nothing has changed: `invalid_node` for an empty name or one that comes twice, `invalid_weight`
/// for a weight other than 1, `invalid_point_count` for a count of virtual nodes and for more nodes
/// than the capacity. A change is O(capacity + nodes · log nodes), a look-up as `anchor_buckets`
/// says. `Payload` moves without throwing; it need not be assignable.
template <class Scheme = schemes::anchor, class Payload = no_payload>
class anchor_table : public detail::anchor_changes<Scheme, Payload> {
    using reader = table_reader<Scheme, Payload>;
    using changes = detail::anchor_changes<Scheme, Payload>;
    using changes::scheme_;
    using changes::state_;
    using typename changes::members;

public:
    /// Any node can leave, other than from `table<Scheme>`.
    static constexpr bool removes_any = true;

    /// An empty table, with a capacity of 1,024 nodes or that of `scheme`.
    anchor_table() = default;
    explicit anchor_table(Scheme scheme) : changes(std::move(scheme)) {}
    /// The table of `nodes`, as they join one after the other.
    anchor_table(std::initializer_list<node_spec> nodes, Scheme scheme = {})
        : anchor_table(std::move(scheme)) {
        add(nodes);
    }
    template <node_range Nodes>
    explicit anchor_table(Nodes&& nodes, Scheme scheme = {}) : anchor_table(std::move(scheme)) {
        add(std::forward<Nodes>(nodes));
    }

    /// Adds a node. Returns whether it is new; a name that is a member stays as it is.
    bool add(node_spec node, Payload payload) {
        return insert({&node, 1}, [&](const node_spec&) { return std::move(payload); }) == 1;
    }
    bool add(node_spec node)
        requires std::default_initializable<Payload>
    {
        return add(std::move(node), Payload{});
    }
    /// Adds many nodes, in their order. Returns how many are new.
    template <node_range Nodes>
        requires std::default_initializable<Payload>
    std::size_t add(Nodes&& nodes) {
        std::vector<node_spec> fresh;
        for (auto&& node : nodes) {
            fresh.emplace_back(node);
        }
        return insert(fresh, [](const node_spec&) { return Payload{}; });
    }
    std::size_t add(std::initializer_list<node_spec> nodes)
        requires std::default_initializable<Payload>
    {
        return add(std::span<const node_spec>(nodes.begin(), nodes.size()));
    }

    /// Removes a node. Returns whether it was a member.
    bool remove(std::string_view name) {
        const std::uint32_t gone = this->index_of(name);
        if (gone == no_node) {
            return false;
        }
        const std::uint32_t bucket = this->bucket_of(gone);
        members room = this->prepare(0, 1);
        this->become({}, {&bucket, 1}, std::move(room));
        return true;
    }

    /// Puts another node in a node's place: it takes over exactly the keys of the old one. Returns
    /// whether `name` is a member. Throws `invalid_node` if another member has the new name.
    bool replace(std::string_view name, node_spec by, Payload payload) {
        const std::uint32_t index = this->index_of(name);
        if (index == no_node) {
            return false;
        }
        if (by.name != name && this->contains(by.name)) {
            throw invalid_node(concat("the node '", by.name, "' is a member already"));
        }
        changes::check({&by, 1});
        members fresh;
        fresh.push_back(changes::member_of(by, std::move(payload)));
        const std::uint32_t bucket = this->bucket_of(index);
        members room = this->prepare(1, 1);
        this->become(fresh, {&bucket, 1}, std::move(room)); // who joins gets the bucket left last
        return true;
    }
    bool replace(std::string_view name, node_spec by)
        requires std::default_initializable<Payload>
    {
        return replace(name, std::move(by), Payload{});
    }

    /// Becomes a table of `nodes`: who is not among them leaves, the last bucket first, and then
    /// who is new joins, in the order of the list. Who stays keeps its bucket and its payload;
    /// `make_payload` is called with each new node's `node_spec`. Throws also what that throws.
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

    /// A number over the scheme, its options, the order of removals and the names by bucket.
    [[nodiscard]] std::uint64_t fingerprint() const {
        detail::digester digest;
        digest.add(reader::fingerprint());
        for (const std::uint32_t bucket : this->buckets().stopped()) {
            digest.add(bucket);
        }
        return digest.value();
    }

    /// The whole value as text but for payloads, for `load`, here or in another process. O(nodes),
    /// and the runs of buckets that were left one after the other.
    [[nodiscard]] std::string save() const { return detail::write_anchor(*this); }
    /// What was saved; `make_payload` is called with each node's `node_spec`. Throws
    /// `invalid_state`, which names the line, for a text that is damaged or of something else, and
    /// what `make_payload` throws.
    ///
    /// Law: it equals what was saved, and goes on as that does.
    template <class MakePayload>
    [[nodiscard]] static anchor_table load(std::string_view text, MakePayload make_payload,
                                           Scheme scheme = {}) {
        anchor_table loaded(std::move(scheme));
        detail::anchor_state saved = detail::read_anchor(text, loaded.scheme_);
        for (node_spec& node : saved.nodes) {
            auto payload = make_payload(std::as_const(node));
            loaded.state_.members.push_back(changes::member_of(node, std::move(payload)));
        }
        if (!saved.nodes.empty() || !saved.left.empty()) {
            loaded.state_.built = loaded.scheme_.after(saved.left);
        }
        loaded.number();
        loaded.settle();
        return loaded;
    }
    [[nodiscard]] static anchor_table load(std::string_view text)
        requires std::default_initializable<Payload>
    {
        return load(text, [](const node_spec&) { return Payload{}; });
    }

    /// Whether options, names by bucket and the order of removals are equal. A table that nobody
    /// joined equals one that all have left, the last bucket first.
    friend bool operator==(const anchor_table& a, const anchor_table& b) {
        return static_cast<const reader&>(a) == static_cast<const reader&>(b) &&
               a.state_.built == b.state_.built;
    }

private:
    template <class MakePayload>
    std::size_t insert(std::span<node_spec> nodes, MakePayload make_payload);
};

template <class Scheme, class Payload>
template <class MakePayload>
std::size_t anchor_table<Scheme, Payload>::insert(std::span<node_spec> nodes,
                                                  MakePayload make_payload) {
    changes::check(nodes);
    const detail::name_index<Scheme, Payload> known(state_.members, nodes.size());
    members fresh;
    for (node_spec& node : nodes) {
        if (known.find(node.name) == no_node) {
            fresh.push_back(changes::member_of(node, make_payload(std::as_const(node))));
        }
    }
    scheme_.check_room(this->size() + fresh.size());
    members room = this->prepare(fresh.size(), 0);
    this->become(fresh, {}, std::move(room));
    return fresh.size();
}

template <class Scheme, class Payload>
template <node_range Nodes, class MakePayload>
void anchor_table<Scheme, Payload>::assign(Nodes&& nodes, MakePayload make_payload) {
    std::vector<node_spec> listed;
    for (auto&& node : nodes) {
        listed.emplace_back(node);
    }
    changes::check(listed);
    scheme_.check_room(listed.size());
    const detail::name_index<Scheme, Payload> known(state_.members, listed.size());
    members fresh;
    std::vector<node_spec*> stays(this->size());
    for (node_spec& node : listed) {
        const std::uint32_t old = known.find(node.name);
        if (old == no_node) {
            fresh.push_back(changes::member_of(node, make_payload(std::as_const(node))));
        } else {
            stays[old] = &node;
        }
    }
    const std::vector<std::uint32_t> gone = this->left_by(stays);
    members room = this->prepare(fresh.size(), gone.size()); // the last thing that can throw
    for (std::size_t i = 0; i < stays.size(); ++i) {
        if (stays[i] != nullptr) {
            state_.members[i].address.swap(stays[i]->address);
        }
    }
    this->become(fresh, gone, std::move(room));
}

static_assert(node_lookup<anchor_table<>>);

} // namespace hashring
