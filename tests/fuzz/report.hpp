// SPDX-License-Identifier: MIT
#pragma once

#include "fuzz/fuzz.hpp"
#include "hdfs/dfsadmin.hpp"
#include "hdfs/jmx.hpp"
#include "hdfs/read.hpp"
#include "hdfs/report.hpp"
#include "hdfs/tsv.hpp"
#include "tool/failure.hpp"
#include "tool/plan_input.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz {

namespace detail {

inline std::size_t lines_of(std::string_view text) {
    return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// What holds for every report that was read of `lines` lines.
inline void expect_sound(const hdfs::report& r, std::size_t lines) {
    for (const hdfs::section& here : r.sections) {
        expect(here.line <= lines, "a section is in the text");
    }
    for (const hdfs::record& node : r.records) {
        expect(node.section < r.sections.size(), "a record has its section");
        expect(node.line <= lines, "a record is in the text");
        const std::int64_t capacity = node.configured_capacity.value_or(0);
        expect(hdfs::occupied(node) + hdfs::available(node) ==
                   static_cast<std::uint64_t>(std::max<std::int64_t>(capacity, 0)),
               "occupied and available are the capacity");
    }
    for (const hdfs::warning& each : r.warnings) {
        expect(each.line <= lines && !each.text.empty(), "a warning is of a line, and says what");
    }
    expect(r.complete || !r.warnings.empty(), "who says not complete says why");
    std::size_t found = 0;
    for (const hdfs::distinct_node& node : hdfs::distinct_nodes(r)) {
        found += node.records.size();
    }
    expect(found == r.records.size(), "each record is of one node");
    for (const std::size_t i : hdfs::placeable(r)) {
        expect(!r.records[i].partial && r.records[i].configured_capacity.value_or(0) > 0,
               "who can be given data is whole and has room");
    }
}

/// A plan is made of it, or refused as the tool refuses.
inline void plan(const hdfs::report& r) {
    try {
        tool::check_report(r, "report");
    } catch (const tool::input_failure&) {
        return;
    }
    const tool::plan_input input = tool::make_input(r);
    expect(!input.nodes.empty(), "a plan has nodes");
    for (const tool::planned_node& node : input.nodes) {
        expect(node.stats.used <= node.stats.total, "no more is used than there is");
        expect(!node.stats.takes_part() || node.is_counted || node.stats.vnodes >= 1,
               "who takes part has virtual nodes");
    }
}

/// Reads `text` by `read`; false if it is refused.
template <class Read>
bool read_into(hdfs::report& r, std::string_view text, Read read) {
    try {
        r = read(text);
    } catch (const hdfs::bad_report& reason) {
        expect(reason.line() <= lines_of(text) && *reason.what() != '\0',
               "an error is of a line, and says what");
        return false;
    }
    expect_sound(r, lines_of(text));
    plan(r);
    return true;
}

inline std::string with_crlf(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += c == '\n' ? "\r\n" : std::string(1, c);
    }
    return result;
}

inline std::string as_tsv(const hdfs::report& r) {
    std::string text;
    for (const hdfs::record& node : r.records) {
        text += node.name + "\t" + std::to_string(node.configured_capacity.value_or(0)) + "\t" +
                std::to_string(node.dfs_remaining.value_or(0));
        text += node.vnodes ? "\t" + std::to_string(*node.vnodes) + "\n" : "\n";
    }
    return text;
}

} // namespace detail

namespace detail {

inline hdfs::report as_dfsadmin(std::string_view text) {
    return hdfs::read_dfsadmin(text);
}
inline hdfs::report as_jmx(std::string_view text) {
    return hdfs::read_jmx(text);
}
inline hdfs::report as_any(std::string_view text) {
    return hdfs::read_report(text);
}
inline hdfs::report from_tsv(std::string_view text) {
    return hdfs::read_tsv(text);
}

} // namespace detail

/// `dfsadmin -report`: the same with every kind of line end.
inline void dfsadmin(std::string_view text) {
    hdfs::report r;
    hdfs::report other;
    const bool is_read = detail::read_into(r, text, detail::as_dfsadmin);
    expect(detail::read_into(other, detail::with_crlf(text), detail::as_dfsadmin) == is_read,
           "line ends do not decide");
    expect(!is_read || (r.records == other.records && r.sections == other.sections &&
                        r.warnings == other.warnings && r.complete == other.complete),
           "line ends change nothing");
    expect(!is_read || r.sections.empty() || hdfs::looks_like_dfsadmin(text),
           "a report looks like one");
}

/// The JSON of a NameNode's /jmx.
inline void jmx(std::string_view text) {
    hdfs::report r;
    if (detail::read_into(r, text, detail::as_jmx)) {
        hdfs::report other;
        const std::string padded = " " + std::string(text) + "\n";
        expect(detail::read_into(other, padded, detail::as_jmx) && r.records == other.records,
               "blanks around JSON change nothing");
    }
}

/// The TAB-separated form: what is read, written and read again is the same.
inline void tsv(std::string_view text) {
    hdfs::report r;
    if (!detail::read_into(r, text, detail::from_tsv)) {
        return;
    }
    hdfs::report again;
    const std::string written = detail::as_tsv(r);
    expect(detail::read_into(again, written, detail::from_tsv) && detail::as_tsv(again) == written,
           "what is written reads as the same");
}

/// Whatever kind the text is of.
inline void report(std::string_view text) {
    hdfs::report r;
    static_cast<void>(detail::read_into(r, text, detail::as_any));
}

} // namespace fuzz
