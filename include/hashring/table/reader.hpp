// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/key.hpp>
#include <hashring/core/node.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/ring/fingerprint.hpp>
#include <hashring/ring/node_ref.hpp>
#include <hashring/table/scheme.hpp>
#include <hashring/table/state.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// All that can be asked of a table without changing it.

namespace hashring {

/// The part of `table` that looks up: see there. It is not used by itself.
template <table_scheme Scheme, class Payload>
class table_reader {
    static_assert(std::is_nothrow_move_constructible_v<Payload>,
                  "a payload must move without throwing");

public:
    using scheme_type = Scheme;
    using payload_type = Payload;
    using position_type = typename Scheme::position_type;
    using node_type = node_ref<Payload>;

    // --- looking up ----------------------------------------------------------------------------

    /// The hash of a key.
    template <key Key>
    [[nodiscard]] position_type position(const Key& k) const noexcept {
        return with_key_bytes(
            k, [&](std::string_view bytes) noexcept { return scheme_.position(bytes); });
    }
    /// The node that owns a key; nothing if no node can own keys.
    template <key Key>
    [[nodiscard]] std::optional<node_type> owner(const Key& k) const noexcept {
        return owner_at(position(k));
    }
    /// The node that owns what hashes to `p`.
    [[nodiscard]] std::optional<node_type> owner_at(position_type p) const noexcept {
        const std::uint32_t index = owner_index_at(p);
        return index == no_node ? std::nullopt : std::optional(node(index));
    }
    /// The index of that node among `node(0) … node(size() − 1)`, or `no_node`.
    [[nodiscard]] std::uint32_t owner_index_at(position_type p) const noexcept {
        return scheme_.owner_of(state_.built, p);
    }

    // --- looking inside ------------------------------------------------------------------------

    /// The scheme with its options.
    [[nodiscard]] const Scheme& scheme() const noexcept { return scheme_; }
    /// The number of nodes, those that own nothing among them.
    [[nodiscard]] std::size_t size() const noexcept { return state_.members.size(); }
    /// Whether the table has no nodes.
    [[nodiscard]] bool empty() const noexcept { return state_.members.empty(); }
    /// The number of nodes that can own keys.
    [[nodiscard]] std::size_t placed_count() const noexcept { return state_.placed; }
    /// Node `i` in [0, size()), by name, or in the order of the list where that matters, or
    /// in an order of the scheme.
    [[nodiscard]] node_type node(std::uint32_t i) const noexcept {
        return node_type(state_.members[i]);
    }
    /// The index of the node called `name`, or `no_node`. O(log nodes), or O(nodes) where nodes
    /// are not in the order of their names.
    [[nodiscard]] std::uint32_t index_of(std::string_view name) const noexcept {
        return state_.find(name);
    }
    /// Whether a node is called `name`. As `index_of`.
    [[nodiscard]] bool contains(std::string_view name) const noexcept {
        return index_of(name) != no_node;
    }
    /// The node called `name`, or nothing. As `index_of`.
    [[nodiscard]] std::optional<node_type> find(std::string_view name) const noexcept {
        const std::uint32_t index = index_of(name);
        return index == no_node ? std::nullopt : std::optional(node(index));
    }

    /// The number of slots, and the index of the node that owns slot `i` in [0, slot_count()).
    [[nodiscard]] std::size_t slot_count() const noexcept
        requires slotted_scheme<Scheme>
    {
        return state_.built.size();
    }
    [[nodiscard]] std::uint32_t slot_owner(std::size_t i) const noexcept
        requires slotted_scheme<Scheme>
    {
        return state_.built.owner(i);
    }

    /// Bytes of memory that the table takes, which is what a look-up reads; 0 where it computes a
    /// node from the hash alone. Names, payloads and the nodes themselves are not counted.
    [[nodiscard]] std::size_t memory_bytes() const noexcept {
        if constexpr (requires { state_.built.bytes(); }) {
            return state_.built.bytes();
        } else {
            return 0;
        }
    }

    /// By node, the part of all hashes that it owns: its slots; where the scheme works them out
    /// (`s.shares(built, nodes)`), that; and else its part of the weights, which is its share in
    /// expectation. The sum is 1, or 0 if no node can own keys. O(slots) or O(nodes), or as the
    /// scheme says.
    [[nodiscard]] std::vector<double> shares() const;

    /// A number over the scheme, its options and the slots with their owners' names, or without
    /// slots the nodes with their weights; as `ring::fingerprint`. O(slots).
    [[nodiscard]] std::uint64_t fingerprint() const;

    /// Whether options and nodes (names, weights, and their order where it matters) are equal, and
    /// with them the tables; payloads and addresses do not count.
    friend bool operator==(const table_reader& a, const table_reader& b) {
        return a.scheme_ == b.scheme_ &&
               std::equal(a.state_.members.begin(), a.state_.members.end(),
                          b.state_.members.begin(), b.state_.members.end(),
                          [](const auto& m, const auto& n) {
                              return m.name == n.name && m.weight == n.weight;
                          });
    }

protected:
    using state_type = detail::table_state<Scheme, Payload>;

    table_reader() = default;
    explicit table_reader(Scheme scheme) : scheme_(std::move(scheme)) {}
    // Protected, so that no part of a table is copied off.
    table_reader(const table_reader&) = default;
    table_reader(table_reader&&) = default;
    table_reader& operator=(const table_reader& other)
        requires std::copy_constructible<Payload>
    {
        if (this != &other) {
            Scheme scheme(other.scheme_);
            state_ = other.state_; // throws or changes nothing
            scheme_ = std::move(scheme);
        }
        return *this;
    }
    table_reader& operator=(table_reader&&) = default;
    ~table_reader() = default;

    Scheme scheme_{};
    state_type state_;
};

template <table_scheme Scheme, class Payload>
std::vector<double> table_reader<Scheme, Payload>::shares() const {
    if constexpr (requires { scheme_.shares(state_.built, size()); }) {
        return scheme_.shares(state_.built, size());
    }
    const auto parts_of = [](const auto& m) -> std::uint64_t {
        return slotted_scheme<Scheme> ? m.vnodes : m.weight.thousandths();
    };
    std::uint64_t total = 0;
    for (const auto& m : state_.members) {
        total += parts_of(m);
    }
    std::vector<double> result;
    for (const auto& m : state_.members) {
        result.push_back(
            total == 0 ? 0.0 : static_cast<double>(parts_of(m)) / static_cast<double>(total));
    }
    return result;
}

template <table_scheme Scheme, class Payload>
std::uint64_t table_reader<Scheme, Payload>::fingerprint() const {
    detail::digester digest;
    digest.add(std::string_view(Scheme::name));
    for (const scheme_option& option : Scheme::options()) {
        digest.add(option.name);
        digest.add(std::string_view(scheme_.get(option.name)));
    }
    if constexpr (slotted_scheme<Scheme>) {
        std::vector<std::uint64_t> names;
        for (const auto& m : state_.members) {
            names.push_back(hash::murmur64a{}(m.name));
        }
        for (std::size_t i = 0; i < slot_count(); ++i) {
            digest.add(names[slot_owner(i)]);
        }
    } else {
        for (const auto& m : state_.members) {
            digest.add(m.name);
            digest.add(m.weight.thousandths());
        }
    }
    return digest.value();
}

} // namespace hashring
