// SPDX-License-Identifier: MIT
#pragma once

#include "laws/hold.hpp"
#include "laws/operations.hpp"
#include "laws/reference.hpp"
#include "laws/subject.hpp"
#include "support/dice.hpp"

#include <hashring/core/uint128.hpp>
#include <hashring/ring/node_marks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What a ring must answer at any time, by what its nodes and points are to be.
namespace laws {

using indices = std::vector<std::uint32_t>;

// Either end of the circle, some points with the positions beside them, and any others.
inline std::vector<uint128> positions_about(const placement& want, dice& random) {
    std::vector<uint128> result{0, want.last_position};
    const auto add_with_neighbours = [&](const uint128& p) {
        result.push_back(p);
        result.push_back(p == 0 ? want.last_position : p - 1);
        result.push_back(p == want.last_position ? uint128(0) : p + 1);
    };
    if (!want.points.empty()) {
        add_with_neighbours(want.points.front().position);
        add_with_neighbours(want.points.back().position);
        for (int i = 0; i < 5; ++i) {
            add_with_neighbours(random.pick(want.points).position);
        }
    }
    for (int i = 0; i < 5; ++i) {
        uint128 p(random.next(), random.next());
        if (want.last_position.high == 0) {
            p = want.last_position.low + 1 == 0 ? p.low : p.low % (want.last_position.low + 1);
        }
        result.push_back(p);
    }
    return result;
}

inline void check_nodes(const subject& ring, const placement& want) {
    hold(ring.nodes() == want.nodes, "the nodes are those of the list");
    hold(ring.counts() == want.counts, "counts are as the scheme and the list say");
    for (const std::string_view name : names) {
        const auto place = std::ranges::find(want.nodes, name, &node_spec::name);
        const auto index = place == want.nodes.end()
                               ? hashring::no_node
                               : static_cast<std::uint32_t>(place - want.nodes.begin());
        hold(ring.index_of(name) == index, "a member is found and nobody else", name);
    }
    const auto placed = std::ranges::count_if(want.counts, [](auto count) { return count > 0; });
    hold(ring.placed_count() == static_cast<std::size_t>(placed), "who has points is placed");
}

inline void check_shares(const subject& ring, const placement& want) {
    const std::vector<uint128> owned = ring.widths();
    hold(owned == want.widths(), "widths are those of the arcs before the points");
    uint128 sum;
    for (const uint128& width : owned) {
        sum += width;
    }
    hold(sum == (want.points.empty() ? uint128(0) : want.circle()),
         "widths sum to exactly the circle");
    const std::vector<double> shares = ring.shares();
    hold(shares.size() == owned.size(), "every node has a share");
    for (std::size_t i = 0; i < owned.size(); ++i) {
        hold(shares[i] == owned[i].to_double() / want.circle().to_double(), "shares are widths");
    }
}

inline void check_look_up(const subject& ring, const placement& want,
                          const std::vector<uint128>& positions) {
    const indices together = ring.owners_at(positions);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const uint128& p = positions[i];
        const indices order = want.clockwise(p);
        const std::uint32_t owner = order.empty() ? hashring::no_node : order.front();
        hold(ring.owner_index_at(p) == owner, "the owner is that of the next point");
        hold(together.at(i) == owner, "owners together are the owners one by one");
        hold(ring.walk_at(p) == order, "a walk passes each node once, clockwise from the owner");
        for (const std::size_t count : {std::size_t{2}, want.nodes.size() + 1}) {
            const indices first(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(
                                                                   std::min(count, order.size())));
            hold(ring.replicas_at(p, count) == first, "replicas are the first of the walk", count);
        }
    }
}

inline void check_keys(const subject& ring, const placement& want, dice& random) {
    for (int i = 0; i < 4; ++i) {
        const std::string key = hashring::concat("key-", hashring::decimal(random.below(1000)));
        const uint128 p = ring.position(key);
        hold(p <= want.last_position, "a key stands on the circle", key);
        hold(ring.owner(key) == want.owner_name(p), "a key's owner is that of its position", key);
        std::vector<std::string> first;
        for (const std::uint32_t node : want.clockwise(p)) {
            first.push_back(want.nodes[node].name);
        }
        first.resize(std::min<std::size_t>(first.size(), 3));
        hold(ring.replicas(key, 3) == first, "a key's replicas are those of its position", key);
    }
}

inline void check_marks(const subject& ring, const placement& want, const reference& model,
                        const hashring::node_marks& marks, const std::vector<uint128>& positions) {
    hold(marks.size() == want.nodes.size(), "every node has a mark");
    hold(marks.down_count() == model.down.size(), "as many are down as were marked");
    for (std::uint32_t i = 0; i < want.nodes.size(); ++i) {
        const std::string& name = want.nodes[i].name;
        hold(marks.is_up(i) != model.down.contains(name), "a mark stays with its node", name);
        const auto back = model.came_back.find(name);
        hold(marks.generation(i) == (back == model.came_back.end() ? 0 : back->second),
             "a node knows how often it came back", name);
    }
    for (const uint128& p : positions) {
        indices up = want.clockwise(p);
        const std::uint32_t owner = up.empty() ? hashring::no_node : up.front();
        std::erase_if(up, [&](std::uint32_t i) { return model.down.contains(want.nodes[i].name); });
        const std::uint32_t next = up.empty() ? hashring::no_node : up.front();
        hold(ring.owner_that_is_up(p, marks, hashring::when_down::next) == next,
             "the next node that is up answers");
        hold(ring.owner_that_is_up(p, marks, hashring::when_down::fail) ==
                 (owner == next ? owner : hashring::no_node),
             "without a substitute the owner answers or nobody");
        hold(ring.replicas_that_are_up(p, marks, want.nodes.size()) == up,
             "replicas that are up are those of the walk");
    }
}

// Requests come one by one; each goes to the first point whose node has room, and no node ever has
// more than its share of the slots, which sum to what all may have.
inline void check_load(const subject& ring, const placement& want, std::uint32_t percent,
                       const std::vector<uint128>& positions) {
    const std::vector<std::uint64_t> weights(want.counts.begin(), want.counts.end());
    std::vector<std::uint64_t> loads(weights.size());
    std::uint64_t in_flight = 0;
    for (std::size_t i = 0; i < 2 * positions.size() && !want.points.empty(); ++i) {
        const std::uint64_t slots = ((in_flight + 1) * percent + 99) / 100;
        std::vector<std::uint64_t> caps;
        std::uint64_t before = 0;
        for (const std::uint64_t weight : weights) {
            const std::uint64_t all = want.points.size();
            caps.push_back(
                std::max<std::uint64_t>((before + weight) * slots / all - before * slots / all, 1));
            before += weight;
        }
        const uint128& p = positions[i % positions.size()];
        const indices order = want.clockwise(p);
        const auto with_room = std::ranges::find_if(
            order, [&](std::uint32_t node) { return loads[node] < caps[node]; });
        hold(with_room != order.end(), "somebody has room");
        hold(ring.owner_with_room(p, weights, loads, percent) == *with_room,
             "the first with room takes a request", percent);
        ++loads[*with_room];
        ++in_flight;
    }
}

inline void check_answers(const subject& ring, const placement& want, dice& random) {
    check_nodes(ring, want);
    hold(ring.points() == want.points, "the points are those of the scheme, sorted");
    check_shares(ring, want);
    const std::vector<uint128> positions = positions_about(want, random);
    check_look_up(ring, want, positions);
    check_keys(ring, want, random);
    check_load(ring, want, 100 + static_cast<std::uint32_t>(random.below(3)) * 15, positions);
}

} // namespace laws
