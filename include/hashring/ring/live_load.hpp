// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/ring/next_on_ring.hpp>
#include <hashring/ring/node_marks.hpp>
#include <hashring/ring/point_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Bounded load, the live kind: what is in flight decides who takes the next request.

namespace hashring {

/// Counts what each node of a ring has in flight, and gives a request to the first node clockwise
/// from its key that has room. Where a key goes depends on the moment; for a deterministic bound
/// see `partition_owners`.
///
/// A node may have ceil(c · (total + 1) · weight ÷ weights) requests, where `total` are those in
/// flight on all nodes that are up and `weights` is the sum of theirs. As c > 1, these add up to
/// more than `total`: somebody always has room, unless nobody is up.
///
/// Counts go by names: a node that leaves keeps its count until its requests end, and has it again
/// if it comes back. Not for two threads at once.
///
/// Source: V. Mirrokni, M. Thorup, M. Zadimoghaddam, "Consistent Hashing with Bounded Loads", 2018,
/// whose bound is for equal nodes.
class live_load {
public:
    /// A request that was taken, to be given back once, to who gave it: it moves, and is not
    /// copied. Its count stays if it is lost. One that was moved from is empty, as is a fresh one.
    class ticket {
    public:
        ticket() = default;
        ticket(ticket&& other) noexcept
            : node_(std::exchange(other.node_, no_node)), place_(other.place_) {}
        ticket& operator=(ticket&& other) noexcept {
            node_ = std::exchange(other.node_, no_node);
            place_ = other.place_;
            return *this;
        }
        ticket(const ticket&) = delete;
        ticket& operator=(const ticket&) = delete;
        ~ticket() = default;

        /// The index of the node that took it, on the ring as it was then; `no_node` if it is
        /// empty.
        [[nodiscard]] std::uint32_t node() const noexcept { return node_; }

    private:
        friend class live_load;
        ticket(std::uint32_t node, std::size_t place) noexcept : node_(node), place_(place) {}
        std::uint32_t node_ = no_node;
        std::size_t place_ = 0;
    };

    /// For the nodes of `ring`, of which each may have `percent` hundredths of its part: above 100.
    /// Throws `invalid_option`.
    template <class Ring>
    explicit live_load(const Ring& ring, std::uint32_t percent = 125) : percent_(percent) {
        if (percent <= 100) {
            throw invalid_option(concat("a bound of ", decimal(percent),
                                        " % is none that all nodes can keep: it is above 100"));
        }
        follow(ring);
    }

    /// To be called when the ring's nodes or weights have changed. Names that have left are
    /// forgotten once nothing of theirs is in flight. It does all or, if memory runs out, nothing.
    /// O(n · log n) in the nodes, those before and those that have left with requests.
    template <class Ring>
    void follow(const Ring& ring) {
        place_map known = names_in_flight();
        std::vector<std::size_t> places;
        std::vector<std::uint64_t> weights;
        std::size_t next = next_free(0);
        for (std::uint32_t i = 0; i < ring.size(); ++i) {
            const auto [at, is_new] = known.try_emplace(std::string(ring.node(i).name()), next);
            next = is_new ? next_free(next + 1) : next;
            places.push_back(at->second);
            const std::uint64_t weight = ring.node(i).weight().thousandths();
            weights.push_back(ring.node(i).vnodes() == 0 ? 0 : std::max<std::uint64_t>(weight, 1));
        }
        counts_.resize(std::max(counts_.size(), next)); // the last that may throw
        known_.swap(known);
        places_.swap(places);
        weights_.swap(weights);
    }

    /// Takes a request for what stands at `position` of `ring`: its ticket. It is empty if no node
    /// that is up has points; no node takes one whose index is unknown here (see `follow`) or to
    /// `marks`. O(nodes), and O(1) for each point that is asked.
    template <class Ring>
    [[nodiscard]] ticket acquire(const Ring& ring, typename Ring::position_type position,
                                 const node_marks& marks) {
        if (ring.point_count() == 0) {
            return {};
        }
        const std::size_t known = std::min(places_.size(), marks.size());
        std::uint64_t total = 1; // with the one that comes
        std::uint64_t weights = 0;
        for (std::uint32_t i = 0; i < known; ++i) {
            total += marks.is_up(i) ? counts_[places_[i]] : 0;
            weights += marks.is_up(i) ? weights_[i] : 0;
        }
        const std::uint32_t node =
            next_on_ring(ring, ring.point_index(position), [&](std::uint32_t i) {
                return i < known && marks.is_up(i) && has_room(i, total, weights);
            });
        if (node == no_node) {
            return {};
        }
        ++counts_[places_[node]];
        return {node, places_[node]};
    }

    /// Gives a request back, `std::move` of its ticket; an empty one does nothing.
    void release(ticket t) noexcept {
        if (t.node_ != no_node && t.place_ < counts_.size() && counts_[t.place_] > 0) {
            --counts_[t.place_];
        }
    }

    /// What node `i` has in flight; 0 for an index that is unknown here.
    [[nodiscard]] std::uint64_t in_flight(std::uint32_t i) const noexcept {
        return i < places_.size() ? counts_[places_[i]] : 0;
    }

private:
    using place_map = std::map<std::string, std::size_t, std::less<>>;

    /// The names whose places must stay, as tickets are out for them.
    [[nodiscard]] place_map names_in_flight() const {
        place_map names;
        for (const auto& [name, place] : known_) {
            if (counts_[place] > 0) {
                names.emplace_hint(names.end(), name, place);
            }
        }
        return names;
    }

    /// The first place from `place` on for which no ticket is out; behind the last all are free.
    [[nodiscard]] std::size_t next_free(std::size_t place) const noexcept {
        while (place < counts_.size() && counts_[place] > 0) {
            ++place;
        }
        return place;
    }

    /// Whether node `i` has less than its part of `total`, if those that are up weigh `weights`. To
    /// be below a quotient rounded up is to be below the quotient, so that nothing is divided.
    ///
    /// The products of both sides fit: a weight is at most 10^9 thousandths, below 2^30, so that
    /// it times 32 bits is below 2^62; a ring has at most 2^24 points, and no more nodes that weigh
    /// anything here, so that `weights` · 100 is below 2^61.
    [[nodiscard]] bool has_room(std::uint32_t i, std::uint64_t total,
                                std::uint64_t weights) const noexcept {
        return multiply(counts_[places_[i]], weights * 100) <
               multiply(weights_[i] * percent_, total);
    }

    std::uint32_t percent_;
    place_map known_; ///< the place of a name's count
    std::vector<std::uint64_t> counts_;
    std::vector<std::size_t> places_;    ///< by node, of its count
    std::vector<std::uint64_t> weights_; ///< by node, 0 without points
};

} // namespace hashring
