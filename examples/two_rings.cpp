// SPDX-License-Identifier: MIT

// A store grows while it is read: arc by arc its values go to the new node, whoever moves them is
// restarted in the middle, and no read misses.

#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <set>

namespace {

using server = std::set<std::uint64_t>; // the keys that it has
using cluster = hashring::ring<hashring::schemes::xxh3, std::shared_ptr<server>>;
using change = hashring::transition<cluster>;

/// Asks the new owner, then the old one if the value may still be there.
bool can_read(const change& growth, std::uint64_t key) {
    const auto [to, from] = growth.route(key);
    return growth.after().node(to).payload()->contains(key) ||
           (from != hashring::no_node && growth.before().node(from).payload()->contains(key));
}

/// Copies all values on arc `i`, and says so when they have arrived.
void move_arc(change& growth, std::size_t i) {
    const auto [to, from] = growth.route_of(i);
    for (const std::uint64_t key : *growth.before().node(from).payload()) {
        if (growth.moved().arcs()[i].where.contains(growth.after().position(key))) {
            growth.after().node(to).payload()->insert(key);
        }
    }
    growth.mark_done(i);
}

} // namespace

int main() {
    cluster before;
    before.add("db-1", std::make_shared<server>());
    before.add("db-2", std::make_shared<server>());
    for (std::uint64_t key = 0; key < 1'000; ++key) {
        before.node(before.owner_index_at(before.position(key))).payload()->insert(key);
    }
    cluster after = before;
    after.add("db-3", std::make_shared<server>());

    change growth(before, after);
    int missed = 0;
    for (std::size_t i = 0; i < growth.moved().arcs().size(); ++i) {
        move_arc(growth, i);
        growth = change(before, after, growth.save()); // a restart: a text is all that is needed
        missed += can_read(growth, i) ? 0 : 1;
    }
    std::cout << missed << " reads missed while " << growth.done_count() << " arcs moved\n";
    return missed == 0 && growth.is_finished() ? 0 : 1;
}
