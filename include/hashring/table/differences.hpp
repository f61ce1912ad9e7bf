// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/point_list.hpp>
#include <hashring/table/lookup.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Why two processes do not place alike, in words.

namespace hashring {

namespace detail {

/// Appends `what: a and b` where the two differ.
inline void append_difference(std::vector<std::string>& out, std::string_view what,
                              std::string_view a, std::string_view b) {
    if (a != b) {
        out.push_back(concat(what, ": ", a, " and ", b));
    }
}

template <class Scheme>
void append_options(std::vector<std::string>& out, const Scheme& a, const Scheme& b) {
    for (const scheme_option& option : Scheme::options()) {
        append_difference(out, concat("option ", option.name), a.get(option.name),
                          b.get(option.name));
    }
}

template <class Placed>
void append_node(std::vector<std::string>& out, const Placed& a, std::uint32_t i, const Placed& b,
                 std::uint32_t j) {
    const auto first = a.node(i);
    const auto second = b.node(j);
    const auto of = [&](std::string_view what) {
        return concat(what, " of '", first.name(), "'");
    };
    append_difference(out, of("weight"), first.weight().text(), second.weight().text());
    append_difference(out, of("virtual nodes"), decimal(first.vnodes()), decimal(second.vnodes()));
    if (Placed::scheme_type::order_matters) {
        append_difference(out, of("place in the list"), decimal(i), decimal(j));
    }
}

/// Appends addresses that differ, which only some schemes place by.
template <class Placed>
void append_addresses(std::vector<std::string>& out, const Placed& a, const Placed& b) {
    for (std::uint32_t i = 0; i < a.size(); ++i) {
        if (const auto node = b.find(a.node(i).name())) {
            append_difference(out, concat("address of '", node->name(), "'"),
                              concat("'", a.node(i).address(), "'"),
                              concat("'", node->address(), "'"));
        }
    }
}

template <class Placed>
void append_nodes(std::vector<std::string>& out, const Placed& a, const Placed& b) {
    for (std::uint32_t i = 0; i < a.size(); ++i) {
        const std::uint32_t j = b.index_of(a.node(i).name());
        if (j == no_node) {
            out.push_back(concat("only the first has '", a.node(i).name(), "'"));
        } else {
            append_node(out, a, i, b, j);
        }
    }
    for (std::uint32_t j = 0; j < b.size(); ++j) {
        if (!a.contains(b.node(j).name())) {
            out.push_back(concat("only the second has '", b.node(j).name(), "'"));
        }
    }
}

} // namespace detail

/// Why two rings, or two tables, do not place alike, a line each: options, nodes, weights, counts
/// of virtual nodes, places in a list whose order matters, addresses. Two of different schemes are
/// different types. O(nodes · log nodes), or O(nodes²) where nodes are in the order of the list.
///
/// Law: nothing for equal ones; something where the fingerprints differ.
template <node_lookup Placed>
[[nodiscard]] std::vector<std::string> differences(const Placed& a, const Placed& b) {
    std::vector<std::string> result;
    detail::append_options(result, a.scheme(), b.scheme());
    if (result.empty() && !(a.scheme() == b.scheme())) {
        result.emplace_back("the schemes differ in what no option tells");
    }
    detail::append_nodes(result, a, b);
    if (a.fingerprint() != b.fingerprint() && result.empty()) {
        detail::append_addresses(result, a, b);
    }
    if (a.fingerprint() != b.fingerprint() && result.empty()) {
        result.emplace_back("the same nodes, with another history");
    }
    return result;
}

} // namespace hashring
