// SPDX-License-Identifier: MIT
#pragma once

#include "hdfs/limits.hpp"
#include "hdfs/report.hpp"

#include <string_view>

namespace hdfs {

/// Reads `dfsadmin -report` text, the NameNode's JMX JSON, or TSV, whichever `text` is; the readers
/// of the three say what they take. A byte order mark is dropped. Throws `bad_report` for text that
/// is none of them, such as the error line of a program, and for what is beyond `limits`.
[[nodiscard]] report read_report(std::string_view text, const report_limits& limits = {});

} // namespace hdfs
