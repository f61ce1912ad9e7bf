// SPDX-License-Identifier: MIT
#include "hdfs/dfsadmin.hpp"

#include "hdfs/headings.hpp"
#include "hdfs/record_fields.hpp"
#include "hdfs/text.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace hdfs {

namespace {

constexpr std::string_view name_field = "Name: ";
constexpr std::string_view error_prefix = "report: ";

std::string in_quotes(std::string_view text) {
    constexpr std::size_t most = 120;
    return concat("'", text.substr(0, most), text.size() > most ? "...'" : "'");
}

/// The line of dashes between the summary and the nodes.
bool is_rule(std::string_view line) {
    return line.size() > 10 && line.find_first_not_of('-') == std::string_view::npos;
}

struct summary_field {
    std::string_view key;
    std::optional<std::int64_t> report::* member;
};

constexpr std::array<summary_field, 5> summary_fields = {{
    {"Configured Capacity", &report::configured_capacity},
    {"Present Capacity", &report::present_capacity},
    {"DFS Remaining", &report::dfs_remaining},
    {"DFS Used", &report::dfs_used},
    {"DFS Used%", &report::dfs_used_percent},
}};

class dfsadmin_reader {
public:
    explicit dfsadmin_reader(const report_limits& limits) : limits_(limits) {}

    report read(std::string_view text) {
        line_cursor lines(text);
        std::string_view line;
        while (lines.next(line)) {
            line_ = lines.number();
            check_line(line, line_, limits_);
            if (!lines.terminated() && !trimmed(line).empty()) {
                cut_ = true;
                break;
            }
            take(line);
        }
        finish(text);
        return std::move(report_);
    }

private:
    void take(std::string_view line) {
        if (trimmed(line).empty()) {
            close_record(true);
        } else if (is_rule(line)) {
            ruled_ = true;
        } else if (line.starts_with("Safe mode is ON")) {
            report_.safe_mode = known_ = true;
        } else if (line.starts_with(error_prefix)) {
            take_error(line);
        } else if (auto opened = parse_heading(line)) {
            open_section(std::move(*opened));
        } else if (line.starts_with(name_field)) {
            open_record(trimmed(line.substr(name_field.size())));
        } else if (open_) {
            take_record_field(*open_, line);
        } else if (report_.sections.empty()) {
            take_summary_field(line);
        } else {
            take_stray(line);
        }
    }

    void warn(std::size_t line, std::string text) {
        report_.warnings.push_back({line, std::move(text)});
    }
    /// Something of the report is lost: what is there stays right.
    void warn_of_loss(std::size_t line, std::string text) {
        warn(line, std::move(text));
        report_.complete = false;
    }

    /// The program's own words for what went wrong.
    void take_error(std::string_view line) {
        close_record(false);
        if (error_line_ == 0) {
            error_line_ = line_;
            error_ = line;
        }
    }

    void open_section(section opened) {
        close_record(true);
        known_ = true;
        opened.line = line_;
        if (!opened.declared) { // the numbers stand in the heading above
            legacy_ = opened.listed;
            if (!report_.sections.empty() && report_.sections.back().declared_live) {
                return;
            }
        } else {
            legacy_.reset();
        }
        for (const section& earlier : report_.sections) {
            if (earlier.name == opened.name) {
                warn_of_loss(line_, concat("section ", opened.name, " stands on line ",
                                           decimal(earlier.line),
                                           " already: is this more than one report?"));
            }
        }
        if (opened.listed == listing::other && !opened.declared_live) {
            warn(line_, concat("section ", opened.name, " is not known: its nodes are left out"));
        }
        if (report_.sections.size() >= limits_.sections) {
            throw bad_report(line_, concat("more than ", decimal(limits_.sections), " sections"));
        }
        records_here_ = 0;
        report_.sections.push_back(std::move(opened));
    }

    void open_record(std::string_view name) {
        close_record(true);
        if (report_.sections.empty()) {
            warn_of_loss(line_, concat("the node ", name, " stands before any section"));
            return;
        }
        check_room(report_.records.size(), line_, limits_);
        record node;
        node.line = line_;
        node.section = report_.sections.size() - 1;
        node.listed = listing_here();
        if (name.size() > limits_.name_bytes || !read_name(node, name)) {
            warn_of_loss(line_, concat(in_quotes(name), " is not an address and a port"));
            return;
        }
        open_ = std::move(node);
        last_key_ = "Name";
    }

    /// Hadoop 1 lists the live nodes before the dead ones, under one heading.
    [[nodiscard]] listing listing_here() const {
        const section& here = report_.sections.back();
        if (!here.declared_live) {
            return here.listed;
        }
        if (legacy_) {
            return *legacy_;
        }
        return records_here_ < *here.declared_live ? listing::live : listing::dead;
    }

    void take_record_field(record& node, std::string_view line) {
        const auto [key, value] = split_field(line);
        switch (read_field(node, key, value)) {
        case field_result::read:
            last_key_ = key;
            break;
        case field_result::repeated:
            node.partial = true;
            warn_of_loss(line_, concat("the record of ", node.name, " has ", key, " twice"));
            break;
        case field_result::bad:
            node.partial = true;
            warn_of_loss(line_, concat(key, " of ", node.name, " is ", in_quotes(value),
                                       ", which cannot be read exactly"));
            break;
        case field_result::unknown:
            if (key == "Cache Used%" || key == "Cache Remaining%") {
                last_key_ = key;
            }
            break;
        }
    }

    void take_summary_field(std::string_view line) {
        const auto [key, value] = split_field(line);
        if (line.starts_with("Replicated Blocks:")) {
            report_.version = decimal(3);
        }
        for (const auto& [name, member] : summary_fields) {
            if (key != name) {
                continue;
            }
            known_ = true;
            if ((report_.*member).has_value()) {
                warn_of_loss(line_, concat("the summary has ", key, " twice"));
                return;
            }
            report_.*member = key.ends_with('%') ? parse_percent(value) : parse_size(value);
            if (!(report_.*member).has_value() && !key.ends_with('%')) {
                warn_of_loss(
                    line_, concat(key, " is ", in_quotes(value), ", which cannot be read exactly"));
            }
        }
    }

    /// A line that belongs to a record whose beginning is missing.
    void take_stray(std::string_view line) {
        record nobody;
        const auto [key, value] = split_field(line);
        if (!stray_ && read_field(nobody, key, value) != field_result::unknown) {
            stray_ = true;
            warn_of_loss(line_, concat("'", key, "' stands outside of a node record"));
        }
    }

    void close_record(bool closed) {
        if (!open_) {
            return;
        }
        record node = std::move(*open_);
        open_.reset();
        const std::string_view lacks = lacking(node);
        if (closed && !lacks.empty()) {
            warn_of_loss(node.line, concat("the record of ", node.name, " has no ", lacks));
        }
        node.partial = node.partial || !closed || !lacks.empty();
        if (!node.partial) {
            ++report_.sections[node.section].whole;
            closing_key_ = last_key_;
        }
        ++records_here_;
        report_.records.push_back(std::move(node));
    }

    void finish(std::string_view text) {
        bool inside = open_.has_value();
        if (inside && !cut_ && last_key_ == closing_key_) {
            close_record(true); // only the empty line after it is missing
            inside = false;
        }
        close_record(false);
        if (!known_) {
            refuse(text);
        }
        find_version();
        check_counts();
        check_end(inside);
        check_whole(report_);
    }

    [[noreturn]] void refuse(std::string_view text) const {
        if (error_line_ != 0) {
            throw bad_report(error_line_, concat("no report, but an error: ", in_quotes(error_)));
        }
        const std::string_view first = trimmed(text.substr(0, text.find('\n')));
        throw bad_report(1, concat("no report of HDFS: it begins with ", in_quotes(first)));
    }

    void find_version() {
        if (!report_.version.empty() || report_.sections.empty()) {
            return;
        }
        const bool one_heading = report_.sections.front().declared_live.has_value();
        report_.version = decimal(one_heading && !legacy_ ? 1 : 2);
    }

    void check_counts() {
        for (const section& s : report_.sections) {
            if (s.declared && *s.declared != s.whole) {
                warn_of_loss(s.line, concat("section ", s.name, " declares ", decimal(*s.declared),
                                            " nodes, ", decimal(s.whole), " complete ones found"));
                below_count_ = below_count_ || s.whole < *s.declared;
            }
        }
    }

    void check_end(bool inside) {
        if (inside || (cut_ && below_count_)) {
            warn_of_loss(line_, "file ends inside a node record");
        } else if (cut_) {
            warn_of_loss(line_, "file ends inside a line");
        } else if (!ruled_ && report_.sections.empty()) {
            warn_of_loss(line_, "file ends inside the summary");
        } else if (report_.sections.empty() && report_.configured_capacity.value_or(0) > 0) {
            warn_of_loss(line_, "no nodes follow the summary: the file is cut, or was not made by "
                                "HDFS's superuser");
        }
        if (error_line_ != 0) {
            warn_of_loss(error_line_, concat("the program reported an error: ", in_quotes(error_)));
        }
    }

    report_limits limits_;
    report report_;
    std::optional<record> open_;
    std::size_t line_ = 0;
    bool known_ = false; ///< some line was one of a report
    bool ruled_ = false;
    bool cut_ = false; ///< the last line has no end
    bool stray_ = false;
    bool below_count_ = false;
    std::string last_key_;           ///< the last field of the open record
    std::string closing_key_;        ///< the last field of whole records
    std::optional<listing> legacy_;  ///< below a bare heading
    std::uint64_t records_here_ = 0; ///< in the last section
    std::size_t error_line_ = 0;
    std::string_view error_;
};

} // namespace

report read_dfsadmin(std::string_view text, const report_limits& limits) {
    return dfsadmin_reader(limits).read(text);
}

bool looks_like_dfsadmin(std::string_view text) {
    line_cursor lines(text);
    std::string_view line;
    while (lines.next(line)) {
        const std::string_view key = split_field(line).first;
        if (key == "Configured Capacity" || line.starts_with("Safe mode is ON") ||
            line.starts_with(error_prefix) || line.starts_with(name_field) || parse_heading(line)) {
            return true;
        }
    }
    return false;
}

} // namespace hdfs
