// SPDX-License-Identifier: MIT
#pragma once

#include "distribution.hpp"
#include "throughput.hpp"

#include <span>
#include <string>
#include <vector>

/// \file
/// The drawings of what was measured.

namespace redis_groups::bench {

struct chart_file {
    std::string name; ///< of the file
    std::string svg;
};

[[nodiscard]] chart_file distribution_chart(std::span<const group_share> shares);
/// Requests a second, and response times.
[[nodiscard]] std::vector<chart_file> throughput_charts(std::span<const throughput> all,
                                                        const std::string& servers);

/// Makes the folder if it is not there, and tries whether files can be written to it, as it would
/// be a pity to find that out at the end. Throws `tool::write_failure`.
void prepare_charts(const std::string& folder);
/// Writes them to a folder that is there. Throws `tool::write_failure`.
void write_charts(const std::vector<chart_file>& charts, const std::string& folder);

} // namespace redis_groups::bench
