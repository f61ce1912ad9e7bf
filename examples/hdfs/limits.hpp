// SPDX-License-Identifier: MIT
#pragma once

#include "hdfs/report.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

/// \file
/// How much a report may hold: far more than one of a cluster does, and little enough that one that
/// somebody made up is refused before it takes the machine.

namespace hdfs {

struct report_limits {
    std::size_t line_bytes = std::size_t{64} << 10U; ///< of a line of dfsadmin or TSV
    std::size_t name_bytes = 320;                    ///< of a node of dfsadmin: host, port
    std::size_t sections = 64;                       ///< of dfsadmin
    std::size_t records = std::size_t{1} << 20U;     ///< nodes, each as often as it is listed
    std::size_t nesting = 32;                        ///< lists and objects of JSON in each other
};

/// Throws `bad_report` for a line that is too long.
inline void check_line(std::string_view line, std::size_t number, const report_limits& limits) {
    if (line.size() > limits.line_bytes) {
        throw bad_report(number,
                         concat("the line is longer than ", decimal(limits.line_bytes), " bytes"));
    }
}

/// Throws `bad_report` if the record of line `number` is one too many where there are `records`.
inline void check_room(std::size_t records, std::size_t number, const report_limits& limits) {
    if (records >= limits.records) {
        throw bad_report(number, concat("more than ", decimal(limits.records), " nodes"));
    }
}

/// Whether more than `most` lists and objects of the JSON `text` stand in each other, or would if
/// it were JSON. O(length), and without a stack: to be asked before it is parsed.
[[nodiscard]] inline bool is_nested_deeper(std::string_view text, std::size_t most) noexcept {
    std::size_t depth = 0;
    bool is_text = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (is_text) {
            i += c == '\\' ? 1U : 0U;
            is_text = c != '"';
        } else if (c == '"') {
            is_text = true;
        } else if (c == '[' || c == '{') {
            if (++depth > most) {
                return true;
            }
        } else if (c == ']' || c == '}') {
            depth -= std::min<std::size_t>(depth, 1);
        }
    }
    return false;
}

} // namespace hdfs
