// SPDX-License-Identifier: MIT
#pragma once

#include "laws/answer_laws.hpp"
#include "laws/hold.hpp"
#include "laws/operations.hpp"
#include "laws/reference.hpp"
#include "laws/subject.hpp"

#include <hashring/core/uint128.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

// What the difference of two rings must say, found piece by piece: between two neighbours of all
// points of both, everything has one owner before and one after.
namespace laws {

struct piece {
    uint128 end;
    std::string from;
    std::string to;

    bool moves() const { return from != to; }
    bool continues_as(const piece& next) const { return from == next.from && to == next.to; }
};

inline std::vector<piece> pieces_of(const placement& before, const placement& after) {
    std::vector<uint128> ends;
    for (const auto* points : {&before.points, &after.points}) {
        for (const point& p : *points) {
            ends.push_back(p.position);
        }
    }
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    // By search, as there are thousands of them.
    const auto owner = [](const placement& on, const uint128& p) -> std::string {
        if (on.points.empty()) {
            return {};
        }
        const auto found = std::ranges::lower_bound(on.points, p, {}, &point::position);
        const point& next = found == on.points.end() ? on.points.front() : *found;
        return on.nodes[next.owner].name;
    };
    std::vector<piece> pieces;
    for (const uint128& end : ends) {
        pieces.push_back({end, owner(before, end), owner(after, end)});
    }
    return pieces;
}

// All that moves: arcs as long as can be, in the order of their ends, and how much it is.
inline difference expected_difference(const placement& before, const placement& after) {
    const std::vector<piece> pieces = pieces_of(before, after);
    const std::size_t count = pieces.size();
    const auto next = [&](const uint128& p) {
        return p == before.last_position ? uint128(0) : p + 1;
    };
    difference result;
    for (std::size_t i = 0; i < count; ++i) {
        const piece& last = pieces[i];
        if (last.moves()) {
            result.width += before.width(pieces[(i + count - 1) % count].end, last.end);
        }
        std::size_t length = 1;
        while (length < count && last.continues_as(pieces[(i + count - length) % count])) {
            ++length;
        }
        const bool all_around = length == count && i + 1 == count;
        if (!last.moves() || (last.continues_as(pieces[(i + 1) % count]) && !all_around)) {
            continue;
        }
        result.arcs.push_back(
            {next(pieces[(i + count - length) % count].end), last.end, last.from, last.to});
    }
    result.transferred = result.width;
    return result;
}

// Laws of `diff(before, after)`. Returns the arcs that move.
inline std::vector<moved> check_difference(const subject& before, const placement& was,
                                           const subject& after, const placement& is,
                                           dice& random) {
    std::vector<uint128> positions = positions_about(was, random);
    for (const uint128& p : positions_about(is, random)) {
        positions.push_back(p);
    }
    const difference got = before.changes_to(after, positions);
    difference want = expected_difference(was, is);
    hold(got.arcs == want.arcs, "a difference names exactly the arcs whose owners differ");
    hold(got.width == want.width, "what moved is as wide as its arcs");
    hold(got.transferred == want.width, "transfers sum to what moved");
    for (std::size_t i = 0; i < positions.size(); ++i) {
        std::pair<std::string, std::string> owners(was.owner_name(positions[i]),
                                                   is.owner_name(positions[i]));
        if (owners.first == owners.second) {
            owners = {};
        }
        hold(got.found.at(i) == owners, "an arc is found where the owners differ");
    }
    for (moved& arc : want.arcs) {
        std::swap(arc.from, arc.to);
    }
    hold(after.changes_to(before, {}).arcs == want.arcs, "the way back is the way there, turned");
    hold(after.changes_to(after, {}).arcs.empty(), "nothing moves from a ring to itself");
    return got.arcs;
}

// Only the keys of the node that an operation names may move, where a scheme says so.
inline void check_movement(const operation& op, const promises& promised, const placement& before,
                           const placement& after, const std::vector<moved>& arcs) {
    if (!promised.own_points || is_list(op.what) || has_no_node(op.what)) {
        return;
    }
    const auto count = [&](const placement& in) -> std::size_t {
        const auto place = std::ranges::find(in.nodes, op.name(), &node_spec::name);
        return place == in.nodes.end()
                   ? 0
                   : in.counts[static_cast<std::size_t>(place - in.nodes.begin())];
    };
    const std::size_t old_count = count(before);
    const std::size_t new_count = count(after);
    const bool may_give = !promised.first_ones_stay ? old_count > 0 : new_count < old_count;
    const bool may_take = !promised.first_ones_stay ? new_count > 0 : new_count > old_count;
    for (const moved& arc : arcs) {
        hold((may_give && arc.from == op.name()) || (may_take && arc.to == op.name()),
             "only what its node takes or gives moves");
    }
}

} // namespace laws
