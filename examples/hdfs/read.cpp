// SPDX-License-Identifier: MIT
#include "hdfs/read.hpp"

#include "hdfs/dfsadmin.hpp"
#include "hdfs/jmx.hpp"
#include "hdfs/text.hpp"
#include "hdfs/tsv.hpp"

namespace hdfs {

report read_report(std::string_view text, const report_limits& limits) {
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
        throw bad_report(1, "the text is UTF-16: save it as UTF-8");
    }
    if (text.starts_with("\xef\xbb\xbf")) {
        text.remove_prefix(3);
    }
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) {
        throw bad_report(0, "the report is empty");
    }
    if (text[first] == '{' || text[first] == '[') {
        return read_jmx(text, limits);
    }
    if (!looks_like_dfsadmin(text) && looks_like_tsv(text)) {
        return read_tsv(text, limits);
    }
    return read_dfsadmin(text, limits); // which also says what a text is that is none of them
}

} // namespace hdfs
