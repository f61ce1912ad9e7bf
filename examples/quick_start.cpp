// SPDX-License-Identifier: MIT

// The shortest useful program: a ring, a key's owner, its copies, and a change of the cluster.

#include <hashring/hashring.hpp>

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

void connect(std::string_view node) {
    std::printf("owner: %.*s\n", static_cast<int>(node.size()), node.data());
}

void write_to(std::string_view node) {
    std::printf("copy on %.*s\n", static_cast<int>(node.size()), node.data());
}

} // namespace

int main() {
    const std::vector<std::string> discovered = {"cache-a", "cache-b", "cache-d"};

    hashring::ring<> ring; // XXH3, 64-bit positions, 160 virtual nodes a unit of weight
    ring.add("cache-a");
    ring.add("cache-b", hashring::weight{2}); // twice the share
    ring.add("cache-c");

    if (auto owner = ring.owner("user:42")) {
        connect(*owner);
    }
    for (auto node : ring.replicas("user:42", 3)) { // 3 different nodes, the owner first
        write_to(node);
    }

    auto moved = ring.assign(discovered); // the whole list at once, and the arcs that changed hands
    std::printf("%.1f %% of all keys moved, and %.1f %% had to\n", 100 * moved.moved_fraction(),
                100 * moved.least_fraction());

    const std::vector<std::string> keys = {"user:1", "user:2", "user:3"};
    std::vector<std::uint32_t> owners(keys.size()); // indices of nodes
    ring.owners(keys, std::span(owners));           // faster from some hundred nodes on
    for (const std::uint32_t index : owners) {
        connect(ring.node(index));
    }
    return 0;
}
