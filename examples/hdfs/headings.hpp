// SPDX-License-Identifier: MIT
#pragma once

#include "hdfs/report.hpp"

#include <optional>
#include <string_view>

namespace hdfs {

/// The section that a heading of `dfsadmin -report` opens; nothing if `line` is not one.
///
/// `Live datanodes (3):` and its kin, any name before it; `Datanodes available: 1 (2 total, 1
/// dead)` of Hadoop 0.20 to 2.3; and the bare `Live datanodes:` and `Dead datanodes:` that stand
/// below it in 2.0 to 2.3 and declare no number.
[[nodiscard]] std::optional<section> parse_heading(std::string_view line);

} // namespace hdfs
