// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/point_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

/// \file
/// Slots with owners, and how nodes take them in turns.

namespace hashring {

/// Who owns each slot of a table: indices of nodes, in 2 bytes each where that is enough and else
/// in
/// 4. A regular value; by default there are no slots.
class slot_list {
public:
    slot_list() = default;
    explicit slot_list(std::vector<std::uint32_t> owners) {
        constexpr std::uint32_t most = std::numeric_limits<std::uint16_t>::max();
        if (std::all_of(owners.begin(), owners.end(), [](std::uint32_t o) { return o <= most; })) {
            narrow_.reserve(owners.size());
            for (const std::uint32_t o : owners) {
                narrow_.push_back(static_cast<std::uint16_t>(o));
            }
        } else {
            wide_ = std::move(owners);
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return narrow_.size() + wide_.size(); }
    /// The owner of slot `i` in [0, size()).
    [[nodiscard]] std::uint32_t owner(std::size_t i) const noexcept {
        return wide_.empty() ? narrow_[i] : wide_[i];
    }

    /// Bytes of memory that the slots take.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return narrow_.capacity() * sizeof(std::uint16_t) +
               wide_.capacity() * sizeof(std::uint32_t);
    }

    friend bool operator==(const slot_list&, const slot_list&) = default;

private:
    std::vector<std::uint16_t> narrow_;
    std::vector<std::uint32_t> wide_;
};

/// The order in which a node wants the slots of a table of prime size M: slot
/// (offset + j · skip) mod M for j = 0, 1, …; each slot comes once.
struct slot_preference {
    std::uint32_t offset = 0; ///< in [0, M)
    std::uint32_t skip = 1;   ///< in [1, M)
};

/// Fills `size` slots, `size` prime: again and again the node `next_turn()`, an index into
/// `wishes`, takes the first slot of its preference that is still free. Returns the owners.
///
/// Expected O(size · log size) where turns are equal, as in collecting coupons.
///
/// Source: Eisenbud et al., "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI
/// 2016, section 3.4, pseudocode 1, whose turns go round and round.
template <class NextTurn>
[[nodiscard]] std::vector<std::uint32_t> fill_slots(std::span<const slot_preference> wishes,
                                                    std::uint32_t size, NextTurn next_turn) {
    std::vector<std::uint32_t> owners(size, no_node);
    std::vector<std::uint32_t> at;
    for (const slot_preference& wish : wishes) {
        at.push_back(wish.offset);
    }
    for (std::uint32_t filled = 0; filled < size; ++filled) {
        const std::uint32_t node = next_turn();
        while (owners[at[node]] != no_node) {
            const std::uint64_t next = std::uint64_t{at[node]} + wishes[node].skip;
            at[node] = static_cast<std::uint32_t>(next < size ? next : next - size);
        }
        owners[at[node]] = node;
    }
    return owners;
}

/// Turns in which node i comes `counts[i]` times (at least once), spread evenly, the first time in
/// the first round: turn k, from 0, of a node falls into round ⌊k · most / count⌋ of `most` rounds,
/// the largest count, and in a round the nodes come in order. Equal counts go round and round.
[[nodiscard]] inline std::vector<std::uint32_t> even_turns(std::span<const std::uint32_t> counts) {
    const std::uint64_t most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
    const auto round = [&](std::uint64_t k, std::uint32_t count) {
        return static_cast<std::size_t>(k * most / count); // below 2^64, as k < count
    };
    std::vector<std::uint32_t> start(static_cast<std::size_t>(most) + 1, 0);
    for (const std::uint32_t count : counts) {
        for (std::uint32_t k = 0; k < count; ++k) {
            ++start[round(k, count) + 1];
        }
    }
    for (std::size_t r = 1; r < start.size(); ++r) {
        start[r] += start[r - 1];
    }
    std::vector<std::uint32_t> turns(start.back());
    for (std::uint32_t node = 0; node < counts.size(); ++node) {
        for (std::uint32_t k = 0; k < counts[node]; ++k) {
            turns[start[round(k, counts[node])]++] = node;
        }
    }
    return turns;
}

} // namespace hashring
