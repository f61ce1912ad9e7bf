// SPDX-License-Identifier: MIT

// The shortest useful program: a ring, a key's owner, its copies, and a change of the cluster.

#include <hashring/hashring.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

void show(std::string_view what, std::string_view node) {
    std::printf("%.*s %.*s\n", static_cast<int>(what.size()), what.data(),
                static_cast<int>(node.size()), node.data());
}

} // namespace

int main() {
    // [quick start]
    hashring::ring<> ring; // XXH3, 64-bit positions, 160 virtual nodes a unit of weight
    ring.add("cache-a");
    ring.add("cache-b", hashring::weight{2}); // twice the share
    ring.add("cache-c");

    if (auto owner = ring.owner("user:42")) {
        show("owner", *owner);
    }
    for (auto node : ring.replicas("user:42", 3)) { // 3 different nodes, the owner first
        show("copy on", node);
    }

    const std::vector<std::string> discovered = {"cache-a", "cache-b", "cache-d"};
    auto moved = ring.assign(discovered); // the whole list at once, and the arcs that changed hands
    std::printf("%.1f %% of all keys moved, %.1f %% had to\n", 100 * moved.moved_fraction(),
                100 * moved.least_fraction());
    // [quick start]
    return 0;
}
