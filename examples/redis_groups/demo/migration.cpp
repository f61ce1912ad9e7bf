// SPDX-License-Identifier: MIT

#include "../store/mover.hpp"
#include "acts.hpp"

#include <hashring/core/text.hpp>
#include <hashring/ring/diff.hpp>

#include <algorithm>
#include <stdexcept>

namespace redis_groups::demo {

using hashring::concat;
using hashring::decimal;

namespace {

group_ring ring_of(const placement& groups) {
    return placement::use(groups).ring();
}

/// Moves to what `groups` says, and checks that exactly the keys on moved arcs have moved.
void move_to(stage& on, const std::vector<group_spec>& groups,
             const std::vector<std::string>& keys) {
    const group_ring before = ring_of(*on.ring);
    mover moves(on.ring, on.chosen);
    moves.begin(groups);
    const mover::report done = moves.run();
    on.moved_keys += done.moved;
    const auto changes = diff(before, ring_of(*on.ring));
    const auto meant = static_cast<std::uint64_t>(std::count_if(
        keys.begin(), keys.end(), [&](const std::string& key) { return changes.moves(key); }));
    on.say(concat(decimal(done.moved), " keys have moved, ",
                  percent_of(changes.moved_fraction(), 1.0), " % of the ring"));
    if (done.moved < meant) {
        throw std::runtime_error(concat(decimal(meant), " keys should have moved"));
    }
}

std::uint64_t keys_left(const group_spec& group, const settings& how) {
    return client({group}, how).key_counts().front();
}

void check(const traffic& others, client& reader) {
    const traffic_counts counts = others.counts();
    if (counts.wrong_reads > 0 || others.lost(reader) > 0) {
        throw std::runtime_error(others.wrong().empty() ? "writes are lost" : others.wrong()[0]);
    }
}

} // namespace

void show_migration(stage& on, const std::vector<std::string>& keys) {
    on.title("A group joins, another leaves, while writes and reads go on");
    traffic_options how;
    how.writers = 1;
    how.readers = 1;
    how.first_write = 2; // the first one was to load them
    traffic others(on.ring, on.chosen, keys, how);

    const group_servers& added = on.servers.add_group();
    on.say(concat(added.name(), " joins"));
    move_to(on, on.servers.specs(), keys);

    const std::string leaving = on.servers[0].name();
    std::vector<group_spec> rest = on.servers.specs();
    rest.erase(rest.begin());
    on.say(concat(leaving, " leaves"));
    move_to(on, rest, keys);

    const std::uint64_t left = keys_left(on.servers[0].spec(), on.chosen);
    on.say(concat("keys left behind on ", leaving, ": ", decimal(left)));
    if (left > 0) {
        throw std::runtime_error("they should have moved");
    }

    others.stop();
    on.take_in(others.by_group());
    const traffic_counts counts = others.counts();
    on.say(concat("meanwhile ", decimal(counts.done), " writes were done and ",
                  decimal(counts.reads),
                  " values read, each the last that was acknowledged or a later one"));
    check(others, on.own);
    on.servers.remove_group(leaving);
}

} // namespace redis_groups::demo
