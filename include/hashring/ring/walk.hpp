// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/point_list.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

/// \file
/// Clockwise from a position: every node once.

namespace hashring {

namespace detail {

/// A set of node indices. Up to 256 of them it allocates nothing.
class node_set {
public:
    explicit node_set(std::size_t nodes) : overflow_(nodes > inline_bits ? (nodes + 63) / 64 : 0) {}

    /// Adds `node`; whether it was not in the set before.
    bool insert(std::uint32_t node) noexcept {
        std::uint64_t& word = overflow_.empty() ? inline_[node / 64] : overflow_[node / 64];
        const std::uint64_t bit = std::uint64_t{1} << (node % 64U);
        const bool fresh = (word & bit) == 0;
        word |= bit;
        return fresh;
    }

private:
    static constexpr std::size_t inline_bits = 256;

    std::array<std::uint64_t, inline_bits / 64> inline_{};
    std::vector<std::uint64_t> overflow_;
};

} // namespace detail

/// The nodes of a ring in clockwise order from a position, each once: first the owner, then who
/// would own the position if that one left, and so on. Nodes without points do not come.
///
/// A lazy input range: points are searched as far as the walk is followed, each at most once, so
/// that it always ends. It refers to its ring, which must outlive it unchanged, and can be followed
/// once. It allocates only on a ring of more than 256 nodes. `Ring` is the reading part of a ring.
template <class Ring>
class walk {
public:
    class iterator {
    public:
        using value_type = typename Ring::node_type;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        iterator() noexcept = default;
        explicit iterator(walk& w) noexcept : walk_(&w) {}

        [[nodiscard]] value_type operator*() const noexcept {
            return walk_->ring_->node(walk_->current_);
        }
        iterator& operator++() noexcept {
            walk_->advance();
            return *this;
        }
        void operator++(int) noexcept { ++*this; }
        friend bool operator==(const iterator& it, std::default_sentinel_t) noexcept {
            return it.walk_->current() == no_node;
        }

    private:
        walk* walk_ = nullptr;
    };

    walk(const Ring& ring, typename Ring::position_type from)
        : ring_(&ring),
          seen_(ring.size()),
          points_left_(ring.point_count()),
          at_(points_left_ > 0 ? ring.point_index(from) : 0),
          nodes_left_(ring.placed_count()) {
        advance();
    }

    [[nodiscard]] iterator begin() noexcept { return iterator(*this); }
    [[nodiscard]] static std::default_sentinel_t end() noexcept { return {}; }

    /// The index of the node that the walk stands on, or `no_node` at its end.
    [[nodiscard]] std::uint32_t current() const noexcept { return current_; }

    /// One node further.
    void advance() noexcept {
        current_ = no_node;
        while (nodes_left_ > 0 && points_left_ > 0 && current_ == no_node) {
            const std::uint32_t owner = ring_->point_owner(at_);
            at_ = at_ + 1 == ring_->point_count() ? 0 : at_ + 1;
            --points_left_;
            if (seen_.insert(owner)) {
                --nodes_left_;
                current_ = owner;
            }
        }
    }

private:
    const Ring* ring_;
    detail::node_set seen_;
    std::size_t points_left_;
    std::size_t at_;
    std::size_t nodes_left_;
    std::uint32_t current_ = no_node;
};

} // namespace hashring
