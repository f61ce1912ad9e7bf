// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/weight.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/entry.hpp>
#include <hashring/ring/saved_lines.hpp>
#include <hashring/ring/saved_nodes.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The saved form of an exact ring, which depends on its history.
///
/// ```
/// hashring exact ring 1
/// scheme xxh3
/// option vnodes 160
/// cuts 128
/// node cache-a 1
/// node cache%20b 2.5 10.0.0.1:11211
/// point 9223372036854775807 0
/// point 18446744073709551615 1
/// end 1f0c66d2a8b35e97
/// ```

namespace hashring::detail {

inline constexpr std::string_view exact_title = "hashring exact ring";

/// What a saved ring says, before it is known whether that is a ring.
template <std::unsigned_integral Position>
struct exact_state {
    std::uint32_t most_cuts = 0;
    std::vector<node_spec> nodes;
    std::vector<entry<Position>> points;
    std::size_t nodes_line = 0;  ///< where the nodes begin
    std::size_t points_line = 0; ///< where the points begin
};

/// The text of an exact ring.
template <class Scheme, class Members, class Points>
[[nodiscard]] std::string write_exact(const Scheme& scheme, std::uint32_t most_cuts,
                                      const Members& members, const Points& points) {
    line_writer out;
    write_scheme(out, exact_title, scheme);
    out.line("cuts", decimal(most_cuts));
    for (const auto& m : members) {
        write_node(out, m.name, m.weight, m.address);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        out.line("point", decimal(points.position(i)), decimal(points.owner(i)));
    }
    return std::move(out).finish();
}

/// Reads a saved ring, setting the options of `scheme`. The checksum holds; whether nodes and
/// points fit together is not looked at. Throws `invalid_state`, also for more than `most` nodes or
/// points.
template <class Scheme>
[[nodiscard]] exact_state<typename Scheme::position_type>
read_exact(std::string_view text, Scheme& scheme, std::size_t most = max_points) {
    using position = typename Scheme::position_type;
    exact_state<position> state;
    line_reader lines(text);
    read_scheme(lines, exact_title, scheme);
    lines.expect("cuts");
    state.most_cuts = lines.number_word<std::uint32_t>();
    lines.end_of_line();
    state.nodes_line = lines.number() + 1;
    while (lines.begin("node")) {
        check_room(lines, state.nodes.size(), most, "nodes");
        state.nodes.push_back(read_node(lines));
    }
    state.points_line = lines.number() + 1;
    while (lines.begin("point")) {
        check_room(lines, state.points.size(), most, "points");
        const auto where = lines.template number_word<position>();
        state.points.push_back({where, lines.template number_word<std::uint32_t>()});
        lines.end_of_line();
    }
    lines.finish();
    return state;
}

/// Throws `invalid_state` unless nodes and points are such as an exact ring can have: names rise,
/// positions rise, neighbours differ, and exactly who has a weight can own.
template <class Scheme>
void check_exact(const exact_state<typename Scheme::position_type>& state) {
    const auto& nodes = state.nodes;
    bool weighted = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].name.empty() || (i > 0 && nodes[i].name <= nodes[i - 1].name)) {
            throw invalid_state(state.nodes_line + i, "the names do not rise");
        }
        weighted = weighted || nodes[i].weight.thousandths() > 0;
    }
    const auto& points = state.points;
    if (state.most_cuts == 0) {
        throw invalid_state(state.nodes_line - 1, "an exact ring trades with at least one node");
    }
    if (points.empty() == weighted) {
        throw invalid_state(state.points_line, weighted
                                                   ? "a node has a weight and there are no points"
                                                   : "no node has a weight and there are points");
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto fail = [&](const char* why) {
            throw invalid_state(state.points_line + i, why);
        };
        if (points[i].position > Scheme::last_position ||
            (i > 0 && points[i].position <= points[i - 1].position)) {
            fail("the positions do not rise, or leave the circle");
        }
        if (points[i].owner >= nodes.size() || nodes[points[i].owner].weight.thousandths() == 0) {
            fail("the point's owner is not a node with a weight");
        }
        if (points.size() > 1 && points[i].owner == points[(i + 1) % points.size()].owner) {
            fail("the point and the one after it have one owner");
        }
    }
}

} // namespace hashring::detail
