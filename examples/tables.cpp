// SPDX-License-Identifier: MIT

// What does not need a circle takes a ring's place in one line: the same program with six ways to
// place keys, and what each of them moves when a node leaves.

#include <hashring/hashring.hpp>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

namespace {

constexpr std::uint64_t keys = 100'000;

template <hashring::node_lookup Placed>
std::string_view owner_of(const Placed& nodes, std::uint64_t key) {
    const std::optional<typename Placed::node_type> owner = nodes.owner(key);
    return owner ? owner->name() : "nobody";
}

/// Of ten nodes the last one leaves: a tenth of the keys has to move.
template <hashring::node_lookup Placed>
void show(const char* name) {
    Placed nodes{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    const Placed before = nodes;
    nodes.remove("j");
    std::uint64_t moved = 0;
    std::uint64_t of_a = 0;
    for (std::uint64_t key = 0; key < keys; ++key) {
        const std::string_view was = owner_of(before, key);
        moved += was != owner_of(nodes, key) ? 1U : 0U;
        of_a += was == "a" ? 1U : 0U;
    }
    std::printf("%-12s a owns %5.2f %%, %5.2f %% move, %s, %s\n", name,
                100.0 * static_cast<double>(of_a) / keys, 100.0 * static_cast<double>(moved) / keys,
                hashring::takes_weights<Placed> ? "takes weights" : "equal shares only",
                hashring::removes_any<Placed> ? "any node may leave" : "only the last may leave");
}

} // namespace

int main() {
    namespace schemes = hashring::schemes;
    show<hashring::ring<>>("ring");
    show<hashring::table<schemes::maglev>>("maglev");
    show<hashring::table<schemes::jump>>("jump");
    show<hashring::table<schemes::rendezvous>>("rendezvous");
    show<hashring::table<schemes::multi_probe>>("multi-probe");
    show<hashring::anchor_table<>>("anchor");
    return 0;
}
