// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/ring/next_on_ring.hpp>
#include <hashring/ring/point_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// \file
/// Bounded load, the static kind: a fixed number of partitions, none of whose owners has too many.

namespace hashring {

/// The owner, an index of `ring`'s nodes, of each of `partitions` partitions, of which node i has
/// at most `caps[i]`: partition p, in their order, goes to the first node clockwise from the key p
/// (its number) that has room. The same ring and caps give the same owners.
///
/// Law: it succeeds exactly if the caps of the nodes with points sum up to `partitions` or more; or
/// else throws `invalid_amount`, which names both, as it does if there is not one cap for each
/// node. O(partitions), and O(1) for each point that is asked.
///
/// Source: V. Mirrokni, M. Thorup, M. Zadimoghaddam, "Consistent Hashing with Bounded Loads", 2018.
template <class Ring>
[[nodiscard]] std::vector<std::uint32_t> partition_owners(const Ring& ring, std::size_t partitions,
                                                          std::span<const std::size_t> caps) {
    if (caps.size() != ring.size()) {
        throw invalid_amount(concat("there are ", decimal(caps.size()), " caps and ",
                                    decimal(ring.size()), " nodes"));
    }
    std::size_t room = 0;
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        room += ring.node(i).vnodes() > 0 ? std::min(caps[i], partitions) : 0;
    }
    if (room < partitions) {
        throw invalid_amount(concat("nodes that may have ", decimal(room),
                                    " partitions cannot take ", decimal(partitions)));
    }
    std::vector<std::size_t> loads(ring.size());
    std::vector<std::uint32_t> owners;
    owners.reserve(partitions);
    for (std::uint64_t p = 0; p < partitions; ++p) {
        const std::uint32_t owner =
            next_on_ring(ring, ring.point_index(ring.position(p)),
                         [&](std::uint32_t i) { return loads[i] < caps[i]; });
        ++loads[owner];
        owners.push_back(owner);
    }
    return owners;
}

/// The same where each node may have as many: ⌈c · partitions ÷ nodes⌉ makes the fullest have c
/// times the mean. Law: it succeeds exactly if nodes (with points) · cap ≥ partitions.
template <class Ring>
[[nodiscard]] std::vector<std::uint32_t> partition_owners(const Ring& ring, std::size_t partitions,
                                                          std::size_t cap) {
    return partition_owners(ring, partitions, std::vector<std::size_t>(ring.size(), cap));
}

} // namespace hashring
