// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/ring/build.hpp>
#include <hashring/ring/fingerprint.hpp>
#include <hashring/ring/name_index.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/anchor.hpp>
#include <hashring/table/anchor_state.hpp>
#include <hashring/table/lookup.hpp>
#include <hashring/table/reader.hpp>
#include <hashring/table/state.hpp>

#include <algorithm>
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
class anchor_table : public table_reader<Scheme, Payload> {
    using reader = table_reader<Scheme, Payload>;
    using reader::scheme_;
    using reader::state_;
    using members = std::vector<detail::member<Payload>>;

public:
    /// Any node can leave, other than from `table<Scheme>`.
    static constexpr bool removes_any = true;

    /// An empty table, with a capacity of 1,024 nodes or that of `scheme`.
    anchor_table() = default;
    explicit anchor_table(Scheme scheme) : reader(std::move(scheme)) {}
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
        const std::uint32_t bucket = bucket_of(gone);
        members room = prepare(0, 1);
        become({}, {&bucket, 1}, std::move(room));
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
        check({&by, 1});
        members fresh;
        fresh.push_back(member_of(by, std::move(payload)));
        const std::uint32_t bucket = bucket_of(index);
        members room = prepare(1, 1);
        become(fresh, {&bucket, 1}, std::move(room)); // who joins gets the bucket left last
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

    /// Puts `payload` in place of a member's and returns the old one. Throws `unknown_node`.
    Payload exchange_payload(std::string_view name, Payload payload) {
        const std::uint32_t index = this->index_of(name);
        if (index == no_node) {
            throw unknown_node(std::string(name));
        }
        return std::exchange(state_.members[index].payload, std::move(payload));
    }
    /// A member's payload to change in place, or null. It points into the table until that changes.
    [[nodiscard]] Payload* payload(std::string_view name) noexcept {
        const std::uint32_t index = this->index_of(name);
        return index == no_node ? nullptr : &state_.members[index].payload;
    }

    /// The bucket of node `i` in [0, size()), in [0, capacity). O(capacity).
    [[nodiscard]] std::uint32_t bucket_of(std::uint32_t i) const noexcept {
        const auto& node_of = state_.built.node_of;
        std::uint32_t bucket = i;
        while (!state_.built.buckets.works(bucket) || node_of[bucket] != i) {
            ++bucket;
        }
        return bucket;
    }
    /// The buckets, and the order in which they were left; none until the first node joins, and
    /// again once none is left and they are as they were then.
    [[nodiscard]] const anchor_buckets& buckets() const noexcept { return state_.built.buckets; }

    /// A number over the scheme, its options, the order of removals and the names by bucket.
    [[nodiscard]] std::uint64_t fingerprint() const {
        detail::digester digest;
        digest.add(reader::fingerprint());
        for (const std::uint32_t bucket : buckets().stopped()) {
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
            loaded.state_.members.push_back(member_of(node, std::move(payload)));
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
    [[nodiscard]] static detail::member<Payload> member_of(node_spec& node, Payload payload) {
        return {std::move(node.name), std::move(node.address), node.weight, 1,
                std::nullopt,         std::move(payload)};
    }

    static void check(std::span<const node_spec> nodes) {
        detail::check_names(nodes);
        for (const node_spec& node : nodes) {
            detail::check_table_node<Scheme>(node.name, node.weight, node.vnodes.has_value());
        }
    }

    /// Says of each bucket that works which node it is.
    void number() noexcept {
        std::uint32_t next = 0;
        for (std::uint32_t bucket = 0; next < state_.members.size(); ++bucket) {
            if (state_.built.buckets.works(bucket)) {
                state_.built.node_of[bucket] = next;
                ++next;
            }
        }
        state_.placed = state_.members.size();
    }

    /// An unused table has no buckets, so that it equals itself before the first node joined.
    void settle() noexcept {
        const auto stopped = state_.built.buckets.stopped();
        if (this->empty() && std::is_sorted(stopped.rbegin(), stopped.rend())) {
            state_.built = {};
        }
    }

    /// What `become` needs where so many join and leave. Throws or changes nothing that shows.
    [[nodiscard]] members prepare(std::size_t joining, std::size_t leaving);
    /// Leaves the buckets `gone`, in this order, and then lets `fresh` join; who is in neither
    /// stays. `room` is of `prepare`.
    void become(std::span<detail::member<Payload>> fresh, std::span<const std::uint32_t> gone,
                members room) noexcept;
    /// The buckets of those whom `stays` says nothing of, the last one first.
    [[nodiscard]] std::vector<std::uint32_t> left_by(const std::vector<node_spec*>& stays) const;

    template <class MakePayload>
    std::size_t insert(std::span<node_spec> nodes, MakePayload make_payload);
};

template <class Scheme, class Payload>
auto anchor_table<Scheme, Payload>::prepare(std::size_t joining, std::size_t leaving) -> members {
    members room;
    room.reserve(this->size() - leaving + joining);
    if (state_.built.buckets.capacity() == 0 && joining > 0) {
        state_.built = scheme_.empty();
    }
    return room;
}

template <class Scheme, class Payload>
void anchor_table<Scheme, Payload>::become(std::span<detail::member<Payload>> fresh,
                                           std::span<const std::uint32_t> gone,
                                           members room) noexcept {
    auto& [buckets, node_of] = state_.built;
    const std::size_t old = this->size();
    for (const std::uint32_t bucket : gone) {
        buckets.stop(bucket);
    }
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        node_of[buckets.start()] = static_cast<std::uint32_t>(old + i);
    }
    for (std::uint32_t bucket = 0; room.size() < buckets.size(); ++bucket) {
        if (buckets.works(bucket)) {
            const std::size_t from = node_of[bucket];
            room.push_back(std::move(from < old ? state_.members[from] : fresh[from - old]));
        }
    }
    state_.members.swap(room);
    number();
    settle();
}

template <class Scheme, class Payload>
std::vector<std::uint32_t>
anchor_table<Scheme, Payload>::left_by(const std::vector<node_spec*>& stays) const {
    std::vector<std::uint32_t> gone;
    for (std::uint32_t bucket = buckets().capacity(); bucket-- > 0;) {
        if (buckets().works(bucket) && stays[state_.built.node_of[bucket]] == nullptr) {
            gone.push_back(bucket);
        }
    }
    return gone;
}

template <class Scheme, class Payload>
template <class MakePayload>
std::size_t anchor_table<Scheme, Payload>::insert(std::span<node_spec> nodes,
                                                  MakePayload make_payload) {
    check(nodes);
    const detail::name_index<Scheme, Payload> known(state_.members, nodes.size());
    members fresh;
    for (node_spec& node : nodes) {
        if (known.find(node.name) == no_node) {
            fresh.push_back(member_of(node, make_payload(std::as_const(node))));
        }
    }
    scheme_.check_room(this->size() + fresh.size());
    members room = prepare(fresh.size(), 0);
    become(fresh, {}, std::move(room));
    return fresh.size();
}

template <class Scheme, class Payload>
template <node_range Nodes, class MakePayload>
void anchor_table<Scheme, Payload>::assign(Nodes&& nodes, MakePayload make_payload) {
    std::vector<node_spec> listed;
    for (auto&& node : nodes) {
        listed.emplace_back(node);
    }
    check(listed);
    scheme_.check_room(listed.size());
    const detail::name_index<Scheme, Payload> known(state_.members, listed.size());
    members fresh;
    std::vector<node_spec*> stays(this->size());
    for (node_spec& node : listed) {
        const std::uint32_t old = known.find(node.name);
        if (old == no_node) {
            fresh.push_back(member_of(node, make_payload(std::as_const(node))));
        } else {
            stays[old] = &node;
        }
    }
    const std::vector<std::uint32_t> gone = left_by(stays);
    members room = prepare(fresh.size(), gone.size()); // the last thing that can throw
    for (std::size_t i = 0; i < stays.size(); ++i) {
        if (stays[i] != nullptr) {
            state_.members[i].address.swap(stays[i]->address);
        }
    }
    become(fresh, gone, std::move(room));
}

static_assert(node_lookup<anchor_table<>>);

} // namespace hashring
