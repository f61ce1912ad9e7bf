// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/weight.hpp>
#include <hashring/ring/saved_lines.hpp>
#include <hashring/ring/saved_nodes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The saved form of an anchor table, which depends on its history.
///
/// ```
/// hashring anchor table 1
/// scheme anchor
/// option capacity 1024
/// left 1023 3
/// left 1 1
/// node cache-a 1
/// node cache-c 1 10.0.0.3:11211
/// end 6123498712346234
/// ```
///
/// Nodes are in the order of their buckets; `left` says which buckets were left, in this order,
/// each run from its first down to its last.

namespace hashring::detail {

inline constexpr std::string_view anchor_title = "hashring anchor table";

/// What a saved anchor table says.
struct anchor_state {
    std::vector<std::uint32_t> left;
    std::vector<node_spec> nodes;
};

inline void write_left(line_writer& out, std::span<const std::uint32_t> left) {
    for (std::size_t i = 0; i < left.size(); ++i) {
        const std::uint32_t first = left[i];
        while (i + 1 < left.size() && left[i + 1] + 1 == left[i]) {
            ++i;
        }
        out.line("left", decimal(first), decimal(left[i]));
    }
}

/// The text of an anchor table.
template <class Table>
[[nodiscard]] std::string write_anchor(const Table& table) {
    line_writer out;
    write_scheme(out, anchor_title, table.scheme());
    write_left(out, table.buckets().stopped());
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        write_node(out, table.node(i).name(), table.node(i).weight(), table.node(i).address());
    }
    return std::move(out).finish();
}

/// Reads a run of buckets that were left; none may have been before.
inline void read_left(line_reader& lines, std::vector<bool>& is_left,
                      std::vector<std::uint32_t>& left) {
    const auto first = lines.number_word<std::uint32_t>();
    const auto last = lines.number_word<std::uint32_t>();
    lines.end_of_line();
    if (first >= is_left.size() || last > first) {
        lines.fail("no buckets that there are, from the first down to the last");
    }
    for (std::uint32_t bucket = first + 1; bucket-- > last;) {
        if (is_left[bucket]) {
            lines.fail(concat("bucket ", decimal(bucket), " was left twice"));
        }
        is_left[bucket] = true;
        left.push_back(bucket);
    }
}

/// Reads the nodes of a table from which `left` buckets of `capacity` were left.
inline void read_anchored(line_reader& lines, std::size_t capacity, anchor_state& state) {
    std::vector<std::string> names;
    while (lines.begin("node")) {
        check_room(lines, state.nodes.size(), capacity, "nodes");
        const node_spec& node = state.nodes.emplace_back(read_node(lines));
        if (node.name.empty() || node.weight != weight{1}) {
            lines.fail("a node of an anchor table has a name and a weight of 1");
        }
        names.push_back(node.name);
    }
    std::sort(names.begin(), names.end());
    if (std::adjacent_find(names.begin(), names.end()) != names.end()) {
        lines.fail("a node is listed twice");
    }
    const bool is_unused = state.nodes.empty() && state.left.empty();
    if (!is_unused && state.nodes.size() + state.left.size() != capacity) {
        lines.fail("not every bucket is left or has a node");
    }
}

/// Reads a saved anchor table, setting the options of `scheme`. Throws `invalid_state`.
template <class Scheme>
[[nodiscard]] anchor_state read_anchor(std::string_view text, Scheme& scheme) {
    anchor_state state;
    line_reader lines(text);
    read_scheme(lines, anchor_title, scheme);
    std::vector<bool> is_left(scheme.capacity());
    while (lines.begin("left")) {
        read_left(lines, is_left, state.left);
    }
    read_anchored(lines, scheme.capacity(), state);
    lines.finish();
    return state;
}

} // namespace hashring::detail
