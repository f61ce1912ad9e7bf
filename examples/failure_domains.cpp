// SPDX-License-Identifier: MIT

// Copies that do not fail together: in different zones, where these run out in different racks.

#include <hashring/hashring.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <string>
#include <string_view>

namespace {

struct place { // stands beside each node's name; the ring never looks at it
    std::string zone;
    std::string rack;
};
using cluster = hashring::ring<hashring::schemes::xxh3, place>;

/// Zones hold racks: rack `r1` of `east` is not rack `r1` of `west`.
hashring::domain_ladder ladder_of(const cluster& nodes) {
    return {nodes, 2, [](const auto& node, std::size_t level) -> std::string_view {
                return level == 0 ? node.payload().zone : node.payload().rack;
            }};
}

hashring::domain_spread show(const cluster& nodes, const char* title, hashring::domain_rule rule) {
    std::array<std::uint32_t, 3> copies{};
    const hashring::domain_spread spread = replicas_over_domains(
        nodes, nodes.position("user:42"), ladder_of(nodes), rule, std::span(copies));
    std::cout << title << ": " << spread.found << " of " << copies.size() << " copies";
    for (const std::uint32_t copy : std::span(copies).first(spread.found)) {
        const auto node = nodes.node(copy);
        std::cout << ", " << node.name() << " in " << node.payload().zone << '/'
                  << node.payload().rack;
    }
    std::cout << '\n';
    return spread;
}

} // namespace

int main() {
    cluster nodes;
    for (const char* zone : {"east", "west"}) {
        for (const char* rack : {"r1", "r1", "r2", "r2"}) {
            nodes.add("db-" + std::to_string(nodes.size() + 1), place{zone, rack});
        }
    }
    // Three copies over two zones: two of them, or a third one that shares a zone but no rack.
    const auto strict = show(nodes, "strict", hashring::domain_rule::strict);
    const auto best = show(nodes, "best effort", hashring::domain_rule::best_effort);
    return strict.found == 2 && best.found == 3 && best.apart_at == 1 ? 0 : 1;
}
