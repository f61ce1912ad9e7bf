// SPDX-License-Identifier: MIT
#pragma once

#include "hdfs/limits.hpp"
#include "hdfs/report.hpp"

#include <string_view>

namespace hdfs {

/// Reads a node a line: `name total free [vnodes]`, sizes in bytes.
///
/// TABs separate fields; a line without TABs is split at blanks. A CR at the end is dropped; empty
/// lines, lines that begin with `#` and the heading `name total free` are passed over; a last line
/// without LF counts. Throws `bad_report` for any other line, a size above 2^63 − 1, free above
/// total, text without nodes, and a line or nodes beyond `limits`.
[[nodiscard]] report read_tsv(std::string_view text, const report_limits& limits = {});

/// Whether the first line that says something has three or four fields with a number among them, or
/// has TABs.
[[nodiscard]] bool looks_like_tsv(std::string_view text);

} // namespace hdfs
