// SPDX-License-Identifier: MIT
#include "hdfs/read.hpp"
#include "support/catch.hpp"
#include "support/hdfs_samples.hpp"
#include "support/mismatches.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring::test;
using hdfs::record;
using hdfs::report;

namespace {

// The report of the first bytes of a text, or nothing if that is refused.
std::optional<report> read_head(std::string_view text, std::size_t bytes) {
    try {
        return hdfs::read_report(text.substr(0, bytes));
    } catch (const hdfs::bad_report&) {
        return std::nullopt;
    }
}

template <class T>
bool same_or_absent(const std::optional<T>& got, const std::optional<T>& want) {
    return !got || got == want;
}

// Everything that the partial record says is what the whole one says.
bool says_nothing_else(const record& got, const record& want) {
    return got.line == want.line && got.section == want.section && got.listed == want.listed &&
           got.name == want.name && got.ip == want.ip && got.port == want.port &&
           got.lookup_host == want.lookup_host && same_or_absent(got.hostname, want.hostname) &&
           same_or_absent(got.rack, want.rack) &&
           same_or_absent(got.upgrade_domain, want.upgrade_domain) &&
           same_or_absent(got.status, want.status) &&
           same_or_absent(got.configured_capacity, want.configured_capacity) &&
           same_or_absent(got.dfs_used, want.dfs_used) &&
           same_or_absent(got.non_dfs_used, want.non_dfs_used) &&
           same_or_absent(got.dfs_remaining, want.dfs_remaining) &&
           same_or_absent(got.dfs_used_percent, want.dfs_used_percent) &&
           same_or_absent(got.dfs_remaining_percent, want.dfs_remaining_percent) &&
           same_or_absent(got.cache_capacity, want.cache_capacity) &&
           same_or_absent(got.cache_used, want.cache_used) &&
           same_or_absent(got.cache_remaining, want.cache_remaining) &&
           same_or_absent(got.xceivers, want.xceivers) &&
           same_or_absent(got.num_blocks, want.num_blocks) &&
           same_or_absent(got.last_contact, want.last_contact) &&
           same_or_absent(got.last_block_report, want.last_block_report);
}

void check_values(const report& got, const report& whole, std::string_view name, std::size_t cut,
                  mismatches& wrong) {
    wrong.expect(same_or_absent(got.configured_capacity, whole.configured_capacity) &&
                     same_or_absent(got.present_capacity, whole.present_capacity) &&
                     same_or_absent(got.dfs_remaining, whole.dfs_remaining) &&
                     same_or_absent(got.dfs_used, whole.dfs_used) &&
                     same_or_absent(got.dfs_used_percent, whole.dfs_used_percent),
                 "summary", name, cut);
    wrong.expect(got.records.size() <= whole.records.size() &&
                     got.sections.size() <= whole.sections.size(),
                 "invented", name, cut);
    for (std::size_t i = 0; i < got.sections.size(); ++i) {
        wrong.expect(got.sections[i].name == whole.sections[i].name &&
                         got.sections[i].declared == whole.sections[i].declared,
                     "section", i, name, cut);
    }
    for (std::size_t i = 0; i < got.records.size(); ++i) {
        wrong.expect(got.records[i].partial ? says_nothing_else(got.records[i], whole.records[i])
                                            : got.records[i] == whole.records[i],
                     "record", i, name, cut);
    }
}

// Where the lines of a text that say something begin and end, found apart from the reader.
struct span_of_line {
    std::size_t begin = 0;
    std::size_t end = 0; // past the LF
    std::string_view text;
};

std::vector<span_of_line> lines_that_say(std::string_view text) {
    std::vector<span_of_line> all;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string_view line = text.substr(at, end - at);
        if (line.find_first_not_of("\r\n") != line.npos) {
            all.push_back({at, end, line});
        }
        at = end;
    }
    return all;
}

bool opens_section(std::string_view line) {
    return line.find(" datanodes (") != line.npos || line.starts_with("Datanodes available");
}

// The stretches that are whole or cut: the summary up to its line of dashes, and each section from
// its heading to the last line of its last record.
std::vector<span_of_line> stretches(std::string_view text) {
    std::vector<span_of_line> all;
    bool dashes = false;
    for (const span_of_line& line : lines_that_say(text)) {
        if (all.empty() || (dashes && opens_section(line.text))) {
            all.push_back(line);
        }
        all.back().end = line.end;
        dashes = dashes || line.text.starts_with("-----");
    }
    return all;
}

// A cut at byte `cut` shows: it is inside of a stretch.
bool shows(const std::vector<span_of_line>& all, std::size_t cut) {
    return std::any_of(all.begin(), all.end(), [&](const span_of_line& stretch) {
        return stretch.begin < cut && cut < stretch.end;
    });
}

void check_cuts(std::string_view name, mismatches& wrong) {
    const std::string text = sample(concat(name, ".txt"));
    const report whole = hdfs::read_report(text);
    const std::vector<span_of_line> all = stretches(text);
    for (std::size_t cut = 0; cut < text.size(); ++cut) {
        const auto got = read_head(text, cut);
        if (!got) {
            wrong.expect(cut < all.front().end, "refused", name, cut);
            continue;
        }
        check_values(*got, whole, name, cut, wrong);
        if (shows(all, cut)) {
            wrong.expect(!got->complete, "unseen", name, cut);
        }
        // Between sections it cannot be seen, and all that is there is whole. Without any section
        // the summary tells whether there must be one.
        const bool sections_due = cut < all[1].end && whole.configured_capacity.value_or(0) > 0;
        if (!shows(all, cut) && cut >= all[0].end && !sections_due) {
            wrong.expect(got->complete, "seen", name, cut);
        }
    }
}

} // namespace

TEST_CASE("hdfs: a report cut at any byte says nothing wrong, and says that it is cut",
          "[hdfs][law]") {
    mismatches wrong;
    for (const std::string_view name : dfsadmin_samples) {
        if (name != "08_truncated") { // nothing in it is whole
            check_cuts(name, wrong);
        }
    }
    check_cuts("12_hadoop1_legacy", wrong);
    CHECK_NO_MISMATCHES(wrong);
}

TEST_CASE("hdfs: a cut report that is cut again says nothing wrong", "[hdfs][law]") {
    mismatches wrong;
    const std::string text = sample("08_truncated.txt");
    const report whole = hdfs::read_report(sample("03_hadoop33_maintenance.txt"));
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
        if (const auto got = read_head(text, cut)) {
            check_values(*got, whole, "08_truncated", cut, wrong);
            wrong.expect(!got->complete, "unseen", cut);
        }
    }
    CHECK_NO_MISMATCHES(wrong);
}

TEST_CASE("hdfs: JMX and an error line cut at any byte are refused", "[hdfs][law]") {
    mismatches wrong;
    for (const std::string_view name :
         {"20_jmx_namenodeinfo_3x.json", "22_jmx_no_bean.json", "13_error_output.txt"}) {
        const std::string text = sample(name);
        const std::size_t last = text.find_last_not_of("\r\n \t");
        for (std::size_t cut = 0; cut <= last; ++cut) {
            wrong.expect(!read_head(text, cut), name, cut);
        }
    }
    CHECK_NO_MISMATCHES(wrong);
}

TEST_CASE("hdfs: a report without one byte, or with another in its place, does not crash",
          "[hdfs][law]") {
    const std::string text = sample("02_hadoop210_dead_decommissioning.txt");
    std::size_t read = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::string other = text;
        read += read_head(other.erase(at, 1), other.size()) ? 1U : 0U;
        other = text;
        other[at] = static_cast<char>(at * 151U);
        read += read_head(other, other.size()) ? 1U : 0U;
    }
    CHECK(read == 2 * text.size()); // what is left is a report, if a damaged one
}
