// SPDX-License-Identifier: MIT

// A fixed number of partitions on the nodes of a store: keys belong to partitions for ever, and
// each node has at most 1.1 times its part of them.

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <vector>

namespace {

constexpr std::size_t partitions = 1024;

using owners = std::vector<std::uint32_t>; // by partition, an index of the ring's nodes

/// The least whole number that is 1.1 times the mean or more.
std::size_t cap(std::size_t nodes) {
    return (partitions * 110 + nodes * 100 - 1) / (nodes * 100);
}

owners place(const hashring::ring<>& nodes) {
    return partition_owners(nodes, partitions, cap(nodes.size()));
}

std::size_t fullest(const owners& placed, std::size_t nodes) {
    std::vector<std::size_t> counts(nodes);
    for (const std::uint32_t owner : placed) {
        ++counts[owner];
    }
    return *std::max_element(counts.begin(), counts.end());
}

} // namespace

int main() {
    hashring::ring<> nodes{"db-1", "db-2", "db-3", "db-4", "db-5", "db-6", "db-7", "db-8"};
    const owners before = place(nodes);
    const std::size_t of_fullest = fullest(before, nodes.size());
    std::cout << "the fullest of 8 nodes has " << of_fullest << " of 1024 partitions\n";

    nodes.remove("db-8"); // the last by name, so that the indices of the others stay
    const owners after = place(nodes);
    std::size_t moved = 0;
    for (std::size_t p = 0; p < partitions; ++p) {
        moved += before[p] != after[p] ? 1U : 0U;
    }
    std::cout << "db-8 leaves: " << moved << " move, the fullest has " << fullest(after, 7) << '\n';
    return of_fullest <= cap(8) && fullest(after, 7) <= cap(7) ? 0 : 1;
}
