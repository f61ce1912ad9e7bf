// SPDX-License-Identifier: MIT
#pragma once

#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/core/node.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hashring::test {

/// Sees that, of 5,000 hashes, a node that joins only takes, one that leaves only gives, and a new
/// weight moves to or from its node only, which more than `least` of them do. The first of `nodes`
/// changes.
template <class Table>
void check_moves_its_own_only(const std::vector<node_spec>& nodes, dice& random,
                              std::size_t least) {
    const Table before(nodes);
    Table more = before;
    more.add("new", weight{3});
    Table less = before;
    less.remove(nodes[0].name);
    Table heavier = before;
    heavier.set_weight(nodes[0].name, weight{7});
    mismatches found;
    std::size_t moved = 0;
    for (int i = 0; i < 5000; ++i) {
        const std::uint64_t at = random.next();
        const std::string_view old = *before.owner_at(at);
        found.expect(*more.owner_at(at) == old || *more.owner_at(at) == "new", at);
        found.expect((*less.owner_at(at) == old) == (old != nodes[0].name), at);
        found.expect(*heavier.owner_at(at) == old || *heavier.owner_at(at) == nodes[0].name, at);
        moved += *heavier.owner_at(at) != old ? 1U : 0U;
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(moved > least);
}

} // namespace hashring::test
