// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/key.hpp>
#include <hashring/ring/arc.hpp>
#include <hashring/ring/batch.hpp>
#include <hashring/ring/fingerprint.hpp>
#include <hashring/ring/node_ref.hpp>
#include <hashring/ring/point_range.hpp>
#include <hashring/ring/state.hpp>
#include <hashring/ring/walk.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// All that can be asked of a ring without changing it.

namespace hashring {

/// The part of `ring` that looks up: see there. It is not used by itself.
template <class Scheme, class Payload>
class ring_reader {
    static_assert(placement_scheme<Scheme>, "the scheme lacks a member: see placement/scheme.hpp");
    static_assert(std::is_nothrow_move_constructible_v<Payload>,
                  "a payload must move without throwing");

public:
    using scheme_type = Scheme;
    using payload_type = Payload;
    using position_type = typename Scheme::position_type;
    using node_type = node_ref<Payload>;

    // --- looking up ----------------------------------------------------------------------------

    /// Where a key stands, in [0, Scheme::last_position].
    template <key Key>
    [[nodiscard]] position_type position(const Key& k) const noexcept {
        return with_key_bytes(
            k, [&](std::string_view bytes) noexcept { return scheme_.position(bytes); });
    }

    /// The node of the first point at or after the key, after the last point of the first one;
    /// nothing if no node has a point.
    template <key Key>
    [[nodiscard]] std::optional<node_type> owner(const Key& k) const noexcept {
        return owner_at(position(k));
    }
    /// The owner of position `p`.
    [[nodiscard]] std::optional<node_type> owner_at(position_type p) const noexcept {
        const std::uint32_t index = owner_index_at(p);
        return index == no_node ? std::nullopt : std::optional(node(index));
    }
    /// The index of the owner of position `p` among `node(0) … node(size() − 1)`, or `no_node`.
    [[nodiscard]] std::uint32_t owner_index_at(position_type p) const noexcept {
        return state_.points.empty() ? no_node : state_.points.owner_of(p);
    }

    /// Writes the index of the owner of each of `keys` to `out`, or `no_node` if no node has a
    /// point, and returns how many: as many as there are keys and room for. Allocates nothing.
    ///
    /// Law: what `owner` gives one by one. It pays on rings that do not fit the second-level cache,
    /// from some hundred nodes on, as what later keys read is fetched meanwhile.
    template <key_range Keys>
    std::size_t owners(const Keys& keys, std::span<std::uint32_t> out) const noexcept {
        return detail::in_batches<position_type>(
            keys, out.size(), [&](const auto& k) noexcept { return position(k); },
            [&](std::size_t first, std::span<const position_type> positions) noexcept {
                owners_at(positions, out.subspan(first));
            });
    }
    /// The same for nodes. Returns 0 and writes nothing if no node has a point.
    template <key_range Keys>
    std::size_t owners(const Keys& keys, std::span<node_type> out) const noexcept {
        return detail::in_batches<position_type>(
            keys, point_count() == 0 ? 0 : out.size(),
            [&](const auto& k) noexcept { return position(k); },
            [&](std::size_t first, std::span<const position_type> positions) noexcept {
                owners_at(positions, out.subspan(first));
            });
    }
    /// The owners of positions, as `owners` writes those of keys.
    std::size_t owners_at(std::span<const position_type> positions,
                          std::span<std::uint32_t> out) const noexcept {
        const std::size_t count = std::min(positions.size(), out.size());
        if (point_count() == 0) {
            std::fill_n(out.begin(), count, no_node);
        } else {
            state_.points.owners_of(positions.first(count), out.data());
        }
        return count;
    }
    std::size_t owners_at(std::span<const position_type> positions,
                          std::span<node_type> out) const noexcept;

    /// The nodes from the owner of a key on, clockwise, each once. See `walk`.
    template <key Key>
    [[nodiscard]] walk<ring_reader> walk_from(const Key& k) const {
        return walk_at(position(k));
    }
    /// The nodes from the owner of position `p` on. As `walk_from`.
    [[nodiscard]] walk<ring_reader> walk_at(position_type p) const { return {*this, p}; }

    /// Fills `out` with the first nodes of the walk from key `k` and returns how many there are:
    /// `min(out.size(), placed_count())`, all different, the owner first. Allocates nothing; each
    /// point that is passed is compared with the nodes found so far.
    template <key Key>
    std::size_t replicas(const Key& k, std::span<node_type> out) const noexcept {
        return replicas_at(position(k), out);
    }
    /// The copies of what stands at position `p`. As `replicas` into a span.
    std::size_t replicas_at(position_type p, std::span<node_type> out) const noexcept;

    /// The same as a vector of `min(count, placed_count())` nodes.
    template <key Key>
    [[nodiscard]] std::vector<node_type> replicas(const Key& k, std::size_t count) const {
        std::vector<node_type> result;
        result.reserve(std::min(count, placed_count()));
        for (walk<ring_reader> w = walk_from(k); result.size() < count && w.current() != no_node;
             w.advance()) {
            result.push_back(node(w.current()));
        }
        return result;
    }

    // --- looking inside ------------------------------------------------------------------------

    /// The scheme with its options.
    [[nodiscard]] const Scheme& scheme() const noexcept { return scheme_; }
    /// The number of nodes, those without points among them.
    [[nodiscard]] std::size_t size() const noexcept { return state_.members.size(); }
    /// Whether the ring has no nodes.
    [[nodiscard]] bool empty() const noexcept { return state_.members.empty(); }
    /// The number of nodes that have points and so can own something.
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

    /// The number of points: the sum of all nodes' virtual nodes.
    [[nodiscard]] std::size_t point_count() const noexcept { return state_.points.size(); }
    /// The position and the owner's index of point `i` in [0, point_count()), in order.
    [[nodiscard]] position_type point_position(std::size_t i) const noexcept {
        return state_.points.position(i);
    }
    [[nodiscard]] std::uint32_t point_owner(std::size_t i) const noexcept {
        return state_.points.owner(i);
    }
    /// The number of positions that point `i` owns: those after the point before it up to its own;
    /// 0 if it stands on that one's position.
    [[nodiscard]] uint128 point_width(std::size_t i) const noexcept {
        return state_.points.width_of(i, Scheme::last_position);
    }
    /// The index of the first point at or after `p`, after the last one 0; the ring has points.
    /// O(1) where positions spread, O(log points) for any.
    [[nodiscard]] std::size_t point_index(position_type p) const noexcept {
        return state_.points.locate(p);
    }
    /// All points in order, as a forward range of `{position, node}`.
    [[nodiscard]] point_range<ring_reader> points() const noexcept {
        return point_range<ring_reader>(*this);
    }

    /// Bytes of memory that the points and their index take: what a look-up reads. Names, payloads
    /// and the nodes themselves are not counted.
    [[nodiscard]] std::size_t memory_bytes() const noexcept { return state_.points.bytes(); }

    /// The number of positions that each node owns, by index; the sum is exactly the whole circle,
    /// `circle_width(Scheme::last_position)`, or 0 on a ring without points. O(points).
    [[nodiscard]] std::vector<uint128> widths() const {
        return state_.points.widths(size(), Scheme::last_position);
    }
    /// The fraction of the circle that each node owns, by index. O(points).
    [[nodiscard]] std::vector<double> shares() const {
        std::vector<double> result;
        for (const uint128& w : widths()) {
            result.push_back(fraction(w, circle_width(position_type{Scheme::last_position})));
        }
        return result;
    }

    /// A number over the scheme, its options and the points with their owners' names (and the list
    /// of names where its order matters), not over payloads: equal rings have equal ones, on every
    /// platform. 64 bits: meant to notice that two processes differ, not to withstand an attacker.
    /// O(points).
    [[nodiscard]] std::uint64_t fingerprint() const {
        return detail::fingerprint(scheme_, nodes_view(), state_.points);
    }

    /// Whether options, nodes (names, weights, counts) and points are equal; payloads and addresses
    /// do not count. Law: equal rings have equal fingerprints and give every key the same owners.
    friend bool operator==(const ring_reader& a, const ring_reader& b) {
        const auto same = [](const auto& m, const auto& n) {
            return m.name == n.name && m.weight == n.weight && m.vnodes == n.vnodes;
        };
        return a.scheme_ == b.scheme_ &&
               std::ranges::equal(a.state_.members, b.state_.members, same) &&
               a.state_.points == b.state_.points;
    }

protected:
    using state_type = detail::ring_state<Scheme, Payload>;

    ring_reader() = default;
    explicit ring_reader(Scheme scheme) : scheme_(std::move(scheme)) {}
    // Protected, so that no part of a ring is copied off.
    ring_reader(const ring_reader&) = default;
    ring_reader(ring_reader&&) = default;
    ring_reader& operator=(const ring_reader& other)
        requires std::copy_constructible<Payload>
    {
        if (this != &other) {
            Scheme scheme(other.scheme_);
            state_ = other.state_; // throws or changes nothing
            scheme_ = std::move(scheme);
        }
        return *this;
    }
    ring_reader& operator=(ring_reader&&) = default;
    ~ring_reader() = default;

    /// The nodes as the scheme sees them.
    [[nodiscard]] std::vector<placed_node> nodes_view() const {
        std::vector<placed_node> nodes;
        nodes.reserve(size());
        for (const auto& m : state_.members) {
            nodes.push_back(
                {m.name, m.address, m.weight, static_cast<std::uint32_t>(nodes.size())});
        }
        return nodes;
    }

    Scheme scheme_{};
    state_type state_;
};

template <class Scheme, class Payload>
std::size_t ring_reader<Scheme, Payload>::owners_at(std::span<const position_type> positions,
                                                    std::span<node_type> out) const noexcept {
    if (point_count() == 0) {
        return 0;
    }
    std::array<std::uint32_t, 256> indices; // filled as far as it is read
    std::size_t done = 0;
    while (done < std::min(positions.size(), out.size())) {
        const std::size_t some =
            owners_at(positions.subspan(done).first(
                          std::min({positions.size() - done, out.size() - done, indices.size()})),
                      std::span<std::uint32_t>(indices));
        for (std::size_t i = 0; i < some; ++i) {
            out[done + i] = node(indices[i]);
        }
        done += some;
    }
    return done;
}

template <class Scheme, class Payload>
std::size_t ring_reader<Scheme, Payload>::replicas_at(position_type p,
                                                      std::span<node_type> out) const noexcept {
    const std::size_t wanted = std::min(out.size(), placed_count());
    std::size_t at = wanted > 0 ? point_index(p) : 0;
    std::size_t found = 0;
    for (std::size_t left = point_count(); found < wanted && left > 0; --left) {
        const node_type candidate = node(point_owner(at));
        const auto known = out.first(found);
        if (std::none_of(known.begin(), known.end(),
                         [&](const node_type& n) { return n.is_same_member(candidate); })) {
            out[found++] = candidate;
        }
        at = at + 1 == point_count() ? 0 : at + 1;
    }
    return found;
}

} // namespace hashring
