// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// What an HDFS cluster says of its DataNodes, whichever way it says it. Pure values: reading takes
/// text and returns a report; nothing here opens a file.

namespace hdfs {

using hashring::concat;
using hashring::decimal;

/// Text that is no report at all, such as the error line of a program that found no NameNode.
class bad_report : public std::runtime_error {
public:
    /// `line` counts from 1; 0 stands for the whole text.
    bad_report(std::size_t line, const std::string& reason)
        : std::runtime_error(reason), line_(line) {}

    [[nodiscard]] std::size_t line() const noexcept { return line_; }

private:
    std::size_t line_;
};

enum class format {
    dfsadmin, ///< `hdfs dfsadmin -report`
    jmx,      ///< the NameNode's `/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo`
    tsv       ///< `name total free [vnodes]`
};

/// Under which heading a node stands. A node that is leaving stands under two: live or dead, and
/// what it is on its way to.
enum class listing {
    live,
    dead,
    decommissioning,
    entering_maintenance,
    in_maintenance,
    slow,
    other ///< a heading that is not known
};

/// What the administrator wants of a node.
enum class admin_state {
    normal,
    decommissioning,
    decommissioned,
    entering_maintenance,
    in_maintenance,
    other ///< none said, or one that is not known
};

/// A part of a report: a heading and the number of nodes that it declares.
struct section {
    std::string name;
    listing listed = listing::other;
    std::size_t line = 0;
    std::optional<std::uint64_t> declared;
    /// Hadoop 1 has one heading for both kinds.
    std::optional<std::uint64_t> declared_live;
    std::optional<std::uint64_t> declared_dead;
    std::uint64_t whole = 0; ///< records found that are not partial

    friend bool operator==(const section&, const section&) = default;
};

/// One node in one section. Sizes are bytes as the cluster says them, exact, up to 2^63 − 1; some
/// may be negative, and used + remaining may exceed the capacity. What was not said is absent.
struct record {
    std::size_t line = 0;    ///< its first line
    std::size_t section = 0; ///< place in `report::sections`
    listing listed = listing::other;
    std::string name; ///< `ip:port`, by which a node is known; in TSV the first field
    std::string ip;   ///< of `name`, up to its last colon; an IPv6 address has no brackets
    std::uint16_t port = 0;
    std::string key; ///< JMX: the node's key, `host:port`
    std::optional<std::string> lookup_host;
    std::optional<std::string> hostname; ///< not unique: whole clusters say localhost
    std::optional<std::string> rack;
    std::optional<std::string> upgrade_domain;
    std::optional<std::string> status; ///< as spelled
    admin_state state = admin_state::other;
    std::optional<std::int64_t> configured_capacity;
    std::optional<std::int64_t> dfs_used;
    std::optional<std::int64_t> non_dfs_used;
    std::optional<std::int64_t> dfs_remaining;
    std::optional<std::int64_t> dfs_used_percent;      ///< in hundredths of a percent
    std::optional<std::int64_t> dfs_remaining_percent; ///< in hundredths of a percent
    std::optional<std::int64_t> cache_capacity;
    std::optional<std::int64_t> cache_used;
    std::optional<std::int64_t> cache_remaining;
    std::optional<std::int64_t> xceivers;
    std::optional<std::int64_t> num_blocks;
    std::optional<std::string> last_contact;
    std::optional<std::string> last_block_report;
    std::optional<std::uint32_t> vnodes; ///< TSV
    bool partial = false;                ///< cut or damaged; what is present is right

    friend bool operator==(const record&, const record&) = default;
};

/// Something that a reader of the report should know; `line` counts from 1.
struct warning {
    std::size_t line = 0;
    std::string text;

    friend bool operator==(const warning&, const warning&) = default;
};

struct report {
    format from = format::dfsadmin;
    std::string version; ///< of Hadoop, as far as it shows: `1`, `2` or `3`, or `3.3.6`
    bool safe_mode = false;
    std::optional<std::int64_t> configured_capacity;
    std::optional<std::int64_t> present_capacity;
    std::optional<std::int64_t> dfs_remaining;
    std::optional<std::int64_t> dfs_used;
    std::optional<std::int64_t> dfs_used_percent; ///< in hundredths; absent where it says NaN
    std::vector<section> sections;
    std::vector<record> records; ///< in the order of the text
    /// False if the text is cut inside a record, below a section's count or before the nodes, or is
    /// damaged. A cut between two sections cannot be seen.
    bool complete = true;
    std::vector<warning> warnings;
};

/// A node and all its records, in their order.
struct distinct_node {
    std::string name;
    std::vector<std::size_t> records; ///< places in `report::records`
};

/// The nodes by name, in the order of their first records.
[[nodiscard]] std::vector<distinct_node> distinct_nodes(const report& r);

/// Two records of one node under one heading, as places in `report::records`.
struct repetition {
    std::size_t earlier = 0;
    std::size_t later = 0;
    std::size_t times = 2;   ///< how many there are up to the later one
    bool same_values = true; ///< the two say the same, lines aside
};

/// The records whose node stood under the same heading before.
[[nodiscard]] std::vector<repetition> repetitions(const report& r);

/// Records of nodes that can be given data: whole, live, in normal service, with capacity, and
/// under no heading that says that they leave. A node that is repeated comes as often.
[[nodiscard]] std::vector<std::size_t> placeable(const report& r);

/// Bytes that are not free, (capacity − remaining) clamped to [0, capacity]: the numerator of the
/// postal paper's load factor, formula (4) read as (total − free) / total. For records of
/// `placeable`.
[[nodiscard]] std::uint64_t occupied(const record& node);

/// Capacity less `occupied`.
[[nodiscard]] std::uint64_t available(const record& node);

/// Warns of nodes that are repeated and of capacities whose sum passes 2^63 − 1.
void check_whole(report& r);

} // namespace hdfs
