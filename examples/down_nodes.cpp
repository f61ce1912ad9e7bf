// SPDX-License-Identifier: MIT

// A node of a cache that fails: after three failures it is left alone for a while, and the next
// node answers for it; when its pause is over it is asked again, and after two answers taken back.

#include <hashring/hashring.hpp>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <vector>

namespace {

using time_point = hashring::node_health::time_point;

/// What a client of the cache knows: the nodes, and how they have fared with it.
struct client {
    hashring::ring<> ring{"cache-a", "cache-b", "cache-c"};
    hashring::node_marks marks{ring.size()};
    std::vector<hashring::node_health> health = std::vector<hashring::node_health>(ring.size());
    hashring::ejection_rules rules{}; // the first pause is 1 s, the next one twice as long

    /// Who is asked: real requests try an ejected node again, so no health check is needed. A store
    /// says `when_down::fail`: its next node does not have the value.
    [[nodiscard]] std::uint32_t pick(std::uint64_t user, time_point now) const {
        const std::uint64_t position = ring.position(user);
        const std::uint32_t owner = ring.owner_index_at(position);
        return hashring::may_be_asked(health[owner], now)
                   ? owner
                   : owner_that_is_up(ring, position, marks, hashring::when_down::next);
    }

    void observe(std::uint32_t node, bool has_answered, time_point now) {
        const bool may = hashring::may_eject(rules, marks.down_count(), marks.size());
        const auto change = hashring::observe(health[node], has_answered, now, rules, may);
        if (change == hashring::health_change::ejected) {
            marks.mark_down(node);
        } else if (change == hashring::health_change::taken_back) {
            marks.mark_up(node); // one generation on: what it has from before may be out of date
        }
    }
};

} // namespace

int main() {
    client cache;
    const std::uint32_t broken = cache.pick(42, {});
    for (int second = 0; second < 8; ++second) { // a request each; the owner is broken for 5 s
        const time_point now{std::chrono::seconds(second)};
        const std::uint32_t node = cache.pick(42, now);
        const bool answers = node != broken || second >= 5;
        cache.observe(node, answers, now);
        std::cout << second << " s: " << cache.ring.node(node).name()
                  << (answers ? " answers\n" : " fails\n");
    }
    return cache.marks.down_count() == 0 && cache.marks.generation(broken) == 1 ? 0 : 1;
}
