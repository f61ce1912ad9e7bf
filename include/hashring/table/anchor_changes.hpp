// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/ring/build.hpp>
#include <hashring/ring/node_ref.hpp>
#include <hashring/table/anchor.hpp>
#include <hashring/table/payloads.hpp>
#include <hashring/table/state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// \file
/// How the nodes and buckets of an anchor table become others.

namespace hashring::detail {

/// What `anchor_table` does its changes with: what can throw is had before the first of them.
template <class Scheme, class Payload>
class anchor_changes : public table_payloads<Scheme, Payload> {
    using reader = table_payloads<Scheme, Payload>;

public:
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

protected:
    using reader::scheme_;
    using reader::state_;
    using members = std::vector<member<Payload>>;

    anchor_changes() = default;
    explicit anchor_changes(Scheme scheme) : reader(std::move(scheme)) {}

    [[nodiscard]] static member<Payload> member_of(node_spec& node, Payload payload) {
        return {std::move(node.name), std::move(node.address), node.weight, 1,
                std::nullopt,         std::move(payload)};
    }

    static void check(std::span<const node_spec> nodes) {
        check_names(nodes);
        for (const node_spec& node : nodes) {
            check_table_node<Scheme>(node.name, node.weight, node.vnodes.has_value());
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
    void become(std::span<member<Payload>> fresh, std::span<const std::uint32_t> gone,
                members room) noexcept;
    /// The buckets of those whom `stays` says nothing of, the last one first.
    [[nodiscard]] std::vector<std::uint32_t> left_by(const std::vector<node_spec*>& stays) const;
};

template <class Scheme, class Payload>
auto anchor_changes<Scheme, Payload>::prepare(std::size_t joining, std::size_t leaving) -> members {
    members room;
    room.reserve(this->size() - leaving + joining);
    if (state_.built.buckets.capacity() == 0 && joining > 0) {
        state_.built = scheme_.empty();
    }
    return room;
}

template <class Scheme, class Payload>
void anchor_changes<Scheme, Payload>::become(std::span<member<Payload>> fresh,
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
anchor_changes<Scheme, Payload>::left_by(const std::vector<node_spec*>& stays) const {
    std::vector<std::uint32_t> gone;
    for (std::uint32_t bucket = buckets().capacity(); bucket-- > 0;) {
        if (buckets().works(bucket) && stays[state_.built.node_of[bucket]] == nullptr) {
            gone.push_back(bucket);
        }
    }
    return gone;
}

} // namespace hashring::detail
