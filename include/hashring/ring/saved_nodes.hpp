// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/weight.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/saved_lines.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

/// \file
/// The lines of saved placements that say for what scheme they were saved, and the lines of nodes.

namespace hashring::detail {

/// The first lines: what was saved, in the first version of its form, the scheme and its options.
template <class Scheme>
void write_scheme(line_writer& out, std::string_view title, const Scheme& scheme) {
    out.line(title, "1");
    out.line("scheme", Scheme::name);
    for (const scheme_option& option : Scheme::options()) {
        out.line("option", option.name, escaped(scheme.get(option.name)));
    }
}

/// Reads those lines, and sets the options of `scheme`.
template <class Scheme>
void read_scheme(line_reader& lines, std::string_view title, Scheme& scheme) {
    lines.expect(title);
    if (lines.word() != "1") {
        lines.fail("another version's form");
    }
    lines.end_of_line();
    lines.expect("scheme");
    if (const std::string_view name = lines.word(); name != Scheme::name) {
        lines.fail(concat("the scheme is ", quoted(name), " and not '", Scheme::name, "'"));
    }
    lines.end_of_line();
    while (lines.begin("option")) {
        const std::string_view option = lines.word();
        const std::string value = lines.text_word();
        try {
            scheme.set(option, value);
        } catch (const std::invalid_argument& error) {
            lines.fail(error.what());
        }
        lines.end_of_line();
    }
}

/// Fails at the line that was begun if it is one too many where there are `count`.
inline void check_room(const line_reader& lines, std::size_t count, std::size_t most,
                       std::string_view what) {
    if (count >= most) {
        lines.fail(concat("more than ", decimal(most), " ", what));
    }
}

/// A node: its name, its weight, and its address if it has one.
inline void write_node(line_writer& out, std::string_view name, weight wished,
                       std::string_view address) {
    if (address.empty()) {
        out.line("node", escaped(name), wished.text());
    } else {
        out.line("node", escaped(name), wished.text(), escaped(address));
    }
}

[[nodiscard]] inline weight weight_word(line_reader& lines) {
    const std::string_view text = lines.word();
    std::optional<weight> value;
    try {
        value = weight::parse(text);
    } catch (const invalid_weight& error) {
        lines.fail(error.what());
    }
    if (value->text() != text) {
        lines.fail(concat(quoted(text), " is not a weight as it is saved"));
    }
    return *value;
}

/// Reads the rest of such a line.
[[nodiscard]] inline node_spec read_node(line_reader& lines) {
    node_spec node;
    node.name = lines.text_word();
    node.weight = weight_word(lines);
    if (lines.has_word()) {
        node.address = lines.text_word();
    }
    lines.end_of_line();
    return node;
}

} // namespace hashring::detail
