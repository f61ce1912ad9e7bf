// SPDX-License-Identifier: MIT
#pragma once

#include "hdfs/limits.hpp"
#include "hdfs/report.hpp"

#include <string_view>

namespace hdfs {

/// Reads the answer of a NameNode to `/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo`, or to
/// `/jmx` alone. Its node lists are JSON in a string and are parsed twice; integers stay exact.
///
/// Nodes of one host name overwrite each other in the NameNode itself, so fewer may be listed than
/// there are. Throws `bad_report` for text that is not JSON, as a cut answer is not, and for one
/// without that bean: another daemon's, or another query's; and for nodes, or lists in each other,
/// beyond `limits`. Complexity: O(n log n) in the nodes.
///
/// Source: `FSNamesystem.getLiveNodes`, `getDeadNodes`, `getDecomNodes` and
/// `getEnteringMaintenanceNodes` of Hadoop 2.6 to 3.4.
[[nodiscard]] report read_jmx(std::string_view text, const report_limits& limits = {});

} // namespace hdfs
