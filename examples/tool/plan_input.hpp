// SPDX-License-Identifier: MIT
#pragma once

#include "hdfs/report.hpp"
#include "nodes_file.hpp"

#include <hashring/balance/node_stats.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tool {

/// A node of a report as a plan sees it.
struct planned_node {
    std::string address;        ///< as the report names it
    std::string state;          ///< in words, such as `live, decommissioning`
    hashring::node_stats stats; ///< named as the nodes file does, if there is one
    bool is_counted = false;    ///< the report says its count of virtual nodes
};

/// What a plan is made of.
struct plan_input {
    std::vector<planned_node> nodes;
    std::vector<std::string> notes; ///< what the user should know of them
};

/// Throws `input_failure` for a report that must not be planned with: one that is cut or damaged,
/// that names a node twice under one heading (both lines are in the reason), or that has no node
/// which can be given data. `file` is what the report is called.
void check_report(const hdfs::report& r, std::string_view file);

/// The nodes of a report that was checked. Counts of virtual nodes are 160 for a node of mean
/// capacity and in proportion to it, or those that the report itself says.
[[nodiscard]] plan_input make_input(const hdfs::report& r);

/// Names the nodes as `listed` does, and takes their counts from there: 160 a unit of weight. A
/// node is found by its name or address, which is `ip:port` or the host name; of nodes with one
/// host name the one in service. One that is not listed gets no virtual nodes. Throws
/// `input_failure` with the line in `file` for one that fits several nodes, and if none fits any.
void name_nodes(plan_input& input, const hdfs::report& r, const std::vector<listed_node>& listed,
                std::string_view file);

} // namespace tool
