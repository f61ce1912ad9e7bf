// SPDX-License-Identifier: MIT
#include "hdfs/tsv.hpp"

#include "hdfs/text.hpp"

#include <hashring/placement/per_weight.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace hdfs {

namespace {

using fields = std::vector<std::string_view>;

bool says_something(std::string_view line) {
    const std::string_view words = trimmed(line);
    return !words.empty() && !words.starts_with('#');
}

fields split(std::string_view line) {
    const char separator = line.find('\t') == std::string_view::npos ? ' ' : '\t';
    fields found;
    std::size_t at = 0;
    while (at <= line.size()) {
        const std::size_t end = std::min(line.find(separator, at), line.size());
        const std::string_view field = trimmed(line.substr(at, end - at));
        if (separator == '\t' || !field.empty()) {
            found.push_back(field);
        }
        at = end + 1;
    }
    return found;
}

bool is_heading(const fields& words) {
    return words.size() >= 3 && words[0] == "name" && words[1] == "total" && words[2] == "free";
}

bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A whole number of bytes, from 0 to 2^63 − 1.
std::int64_t size_of(std::string_view text, std::string_view what, std::size_t line) {
    const auto value = hashring::parse_decimal<std::int64_t>(text);
    if (!value || *value < 0) {
        throw bad_report(line, concat(what, " '", text.substr(0, 40),
                                      "' is not a number of bytes from 0 to 2^63-1"));
    }
    return *value;
}

record read_line(const fields& words, std::size_t line) {
    if (words.size() < 3 || words.size() > 4 || words[0].empty()) {
        throw bad_report(line, "a line is not `name total free [vnodes]`, separated by TABs");
    }
    record node;
    node.line = line;
    node.listed = listing::live;
    node.state = admin_state::normal;
    node.name = std::string(words[0]);
    if (const auto where = parse_endpoint(node.name)) {
        node.ip = std::string(where->ip);
        node.port = where->port;
    }
    node.configured_capacity = size_of(words[1], "total", line);
    node.dfs_remaining = size_of(words[2], "free", line);
    if (*node.dfs_remaining > *node.configured_capacity) {
        throw bad_report(line, concat("free ", words[2], " is above total ", words[1]));
    }
    if (words.size() == 4) {
        node.vnodes = hashring::parse_decimal<std::uint32_t>(words[3]);
        if (!node.vnodes || *node.vnodes > hashring::max_points) {
            throw bad_report(line, concat("vnodes '", words[3].substr(0, 40),
                                          "' is not a whole number from 0 to ",
                                          decimal(hashring::max_points)));
        }
    }
    return node;
}

} // namespace

report read_tsv(std::string_view text, const report_limits& limits) {
    report r;
    r.from = format::tsv;
    r.sections.push_back({"Live", listing::live, 1, {}, {}, {}, 0});
    line_cursor lines(text);
    std::string_view line;
    bool first = true;
    while (lines.next(line)) {
        if (!says_something(line)) {
            continue;
        }
        check_line(line, lines.number(), limits);
        const fields words = split(line);
        if (!std::exchange(first, false) || !is_heading(words)) {
            check_room(r.records.size(), lines.number(), limits);
            r.records.push_back(read_line(words, lines.number()));
            ++r.sections.front().whole;
        }
    }
    if (r.records.empty()) {
        throw bad_report(0, "no nodes");
    }
    check_whole(r);
    return r;
}

bool looks_like_tsv(std::string_view text) {
    line_cursor lines(text);
    std::string_view line;
    while (lines.next(line)) {
        if (says_something(line)) {
            const fields words = split(line);
            return line.find('\t') != std::string_view::npos || is_heading(words) ||
                   (words.size() >= 3 && words.size() <= 4 &&
                    std::any_of(words.begin() + 1, words.end(), is_digits));
        }
    }
    return false;
}

} // namespace hdfs
