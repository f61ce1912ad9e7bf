// SPDX-License-Identifier: MIT
#pragma once

#include "hdfs/limits.hpp"
#include "hdfs/report.hpp"

#include <string_view>

namespace hdfs {

/// Reads what `hdfs dfsadmin -report` prints, Hadoop 0.20 to 3.x, LF or CRLF or both.
///
/// Only whole lines are read: a last line without its end may be cut, and counts as such. A record
/// is whole if it has its sizes, its state and its last contact, and is closed by an empty line or,
/// at the end of the text, ends with the same field as the records before it. Lines that are not
/// known, such as those of a logger, are passed over. Throws `bad_report` if nothing in the text is
/// of a report, and for a line, sections or nodes beyond `limits`. Complexity: linear in the text.
///
/// Source: `DatanodeInfo.getDatanodeReport` and `DFSAdmin.report` of Hadoop 1.0, 2.0 to 2.10 and
/// 3.1 to 3.4.
[[nodiscard]] report read_dfsadmin(std::string_view text, const report_limits& limits = {});

/// Whether some line of `text` is one of such a report, or the error line of the program.
[[nodiscard]] bool looks_like_dfsadmin(std::string_view text);

} // namespace hdfs
