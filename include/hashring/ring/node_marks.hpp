// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/next_on_ring.hpp>
#include <hashring/ring/point_list.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// \file
/// Nodes that are down for a while: marked, with their points left where they are.

namespace hashring {

/// What a look-up does whose node is down.
enum class when_down : std::uint8_t {
    fail, ///< nobody owns the key: for stores, whose other nodes do not have its value
    next  ///< the next node clockwise that is up answers: for caches
};

/// For each node of a ring, by its index, whether it is up, and how often it came back.
///
/// Marks are no part of a ring: marking moves no point, and `mark_up` undoes `mark_down`. When the
/// ring's nodes change, so do their indices: `carried_over`. Who leaves is forgotten: if it comes
/// again, it is up for the first time. A node that the marks do not know, with an index of `size()`
/// or more, is up. A regular value; any number of threads may ask while none marks.
class node_marks {
public:
    node_marks() = default;
    /// All of `nodes` are up, for the first time.
    explicit node_marks(std::size_t nodes) : generations_(nodes), down_(nodes) {}

    /// How many nodes there are, and how many of them are down.
    [[nodiscard]] std::size_t size() const noexcept { return down_.size(); }
    [[nodiscard]] std::size_t down_count() const noexcept { return down_count_; }

    /// Whether node `i` is up.
    [[nodiscard]] bool is_up(std::uint32_t i) const noexcept {
        return i >= size() || down_[i] == 0;
    }
    /// How often node `i` has come back. What was read from it, or written elsewhere meanwhile, in
    /// another generation may be out of date.
    [[nodiscard]] std::uint32_t generation(std::uint32_t i) const noexcept {
        return i < size() ? generations_[i] : 0;
    }

    /// Marks node `i` as down. Returns whether it was up, and is known.
    bool mark_down(std::uint32_t i) noexcept {
        if (i >= size() || !is_up(i)) {
            return false;
        }
        down_[i] = 1;
        ++down_count_;
        return true;
    }
    /// Marks node `i` as up, one generation on. Returns whether it was down; else its generation
    /// stays.
    bool mark_up(std::uint32_t i) noexcept {
        if (is_up(i)) {
            return false;
        }
        down_[i] = 0;
        --down_count_;
        ++generations_[i];
        return true;
    }

    /// The marks of the nodes of `to`, where those that `from` has too keep theirs; new ones are
    /// up. `from` is the ring that these are marks of. O(nodes · log nodes).
    template <class Ring>
    [[nodiscard]] node_marks carried_over(const Ring& from, const Ring& to) const {
        node_marks marks(to.size());
        for (std::uint32_t i = 0; i < to.size(); ++i) {
            const std::uint32_t old = from.index_of(to.node(i).name());
            if (old != no_node) {
                marks.generations_[i] = generation(old);
                marks.down_[i] = is_up(old) ? 0U : 1U;
                marks.down_count_ += marks.down_[i];
            }
        }
        return marks;
    }

    friend bool operator==(const node_marks&, const node_marks&) = default;

private:
    std::vector<std::uint32_t> generations_;
    std::vector<std::uint8_t> down_;
    std::size_t down_count_ = 0;
};

/// The index of the node that answers for what stands at `position` of `ring`, whose nodes `marks`
/// are of: its owner if that is up, and else what `policy` says; `no_node` if nobody does.
///
/// Law: with `next` it is the owner on a ring in which those that are down have no points, unless
/// the scheme's points depend on the whole list (`S::points_depend_on_list`), which these marks do
/// not make anew. As `owner_at`, and one step for each point of nodes that are down on the way;
/// allocates nothing.
template <class Ring>
[[nodiscard]] std::uint32_t owner_that_is_up(const Ring& ring,
                                             typename Ring::position_type position,
                                             const node_marks& marks, when_down policy) noexcept {
    const std::uint32_t owner = ring.owner_index_at(position);
    if (owner == no_node || marks.is_up(owner)) {
        return owner;
    }
    if (policy == when_down::fail || marks.down_count() >= ring.size()) {
        return no_node;
    }
    return next_on_ring(ring, ring.point_index(position),
                        [&](std::uint32_t node) { return marks.is_up(node); });
}

/// Fills `out` with the first nodes clockwise that are up, each once, and returns how many there
/// are: fewer than asked for where fewer are up. As `replicas_at`, and it never searches a point
/// twice.
template <class Ring>
std::size_t replicas_that_are_up(const Ring& ring, typename Ring::position_type position,
                                 const node_marks& marks, std::span<std::uint32_t> out) {
    std::size_t found = 0;
    for (auto walk = ring.walk_at(position); found < out.size() && walk.current() != no_node;
         walk.advance()) {
        if (marks.is_up(walk.current())) {
            out[found++] = walk.current();
        }
    }
    return found;
}

} // namespace hashring
