// SPDX-License-Identifier: MIT
#pragma once

// The sample reports under golden/hdfs and what they hold.

#include "hdfs/report.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hashring::test {

using hdfs::concat;
using json = nlohmann::ordered_json;

inline std::string sample(std::string_view name) {
    const std::string path = concat(HASHRING_GOLDEN_DIR, "/hdfs/", name);
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::runtime_error("no sample " + path);
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The samples of `dfsadmin -report` that are reports, whole or cut.
inline constexpr std::array<std::string_view, 10> dfsadmin_samples = {
    "01_hadoop27_three_live",  "02_hadoop210_dead_decommissioning",
    "03_hadoop33_maintenance", "04_safemode_all_dead_nan",
    "06_huge_numbers",         "07_windows_mixed_eol",
    "07b_windows_all_crlf",    "08_truncated",
    "09_node_named_twice",     "11_live_option_no_nodes"};

inline json expected(std::string_view name) {
    return json::parse(sample(concat(name, ".expected.json")));
}

/// `text` with the first `from` replaced by `to`; throws if there is none.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) {
        throw std::runtime_error(concat("no '", from, "' to replace"));
    }
    return text.replace(at, from.size(), to);
}

inline std::vector<std::string> warnings_of(const hdfs::report& r) {
    std::vector<std::string> texts;
    for (const hdfs::warning& w : r.warnings) {
        texts.push_back(w.text);
    }
    return texts;
}

} // namespace hashring::test
