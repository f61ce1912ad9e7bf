// SPDX-License-Identifier: MIT
#pragma once

#include "fuzz/fuzz.hpp"
#include "fuzz/memory_file.hpp"
#include "tool/failure.hpp"
#include "tool/nodes_file.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

namespace detail {

inline std::string escaped_name(std::string_view name) {
    std::string text;
    for (const char c : name) {
        text += c == '%' ? "%25" : c == ' ' ? "%20" : std::string(1, c);
    }
    return text;
}

/// The nodes as a nodes file says them. A byte order mark is none behind a comment, and the CR that
/// is dropped from a line is the last one.
inline std::string written(const std::vector<tool::listed_node>& nodes) {
    std::string text = "#\r\n";
    for (const tool::listed_node& node : nodes) {
        text += escaped_name(node.name) + " " + node.weight.text();
        const auto say = [&](const char* key, const std::string& value) {
            text += value.empty() ? "" : std::string(" ") + key + "=" + value;
        };
        say("zone", node.zone);
        say("rack", node.rack);
        say("host", node.host);
        say("addr", node.addr);
        say("guid", node.guid);
        say("id", node.id ? std::to_string(*node.id) : "");
        say("down", node.down ? "1" : "");
        text += "\r\n";
    }
    return text;
}

inline void expect_sound(const std::vector<tool::listed_node>& nodes, std::string_view text) {
    expect(!nodes.empty(), "a file without nodes is refused");
    std::set<std::string> names;
    std::size_t line = 0;
    for (const tool::listed_node& node : nodes) {
        expect(names.insert(node.name).second, "a name comes once");
        expect(!node.name.empty() && node.name != "-", "a name is a name");
        expect(node.line > line, "lines rise");
        line = node.line;
    }
    std::size_t lines = 1;
    for (const char c : text) {
        lines += c == '\n' ? 1U : 0U;
    }
    expect(line <= lines, "a line is in the file");
}

} // namespace detail

/// A nodes file is read or refused with its name and a line; what was read, written and read again
/// is the same.
inline void nodes_file(std::string_view text) {
    const memory_file file(text);
    std::vector<tool::listed_node> nodes;
    try {
        nodes = tool::read_nodes_file(file.name());
    } catch (const tool::input_failure& reason) {
        const std::string_view what = reason.what();
        const std::string head = file.name() + ":";
        expect(what.starts_with(head), "an error names the file");
        const char after = what.substr(head.size()).empty() ? '\0' : what[head.size()];
        expect((after >= '1' && after <= '9') || what.ends_with(": no nodes"),
               "an error names the line");
        return;
    }
    detail::expect_sound(nodes, text);
    const std::string again = detail::written(nodes);
    const memory_file second(again);
    expect(detail::written(tool::read_nodes_file(second.name())) == again,
           "a nodes file that is written reads as the same");
}

} // namespace fuzz
