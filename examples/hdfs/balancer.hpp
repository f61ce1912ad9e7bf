// SPDX-License-Identifier: MIT
#pragma once

#include "hdfs/report.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// \file
/// What HDFS's own Balancer would say of a report: the yardstick that operators know.

namespace hdfs {

enum class balancer_class { over, above_average, below_average, under };

[[nodiscard]] std::string_view text_of(balancer_class c) noexcept;

struct balancer_node {
    std::size_t record = 0; ///< place in `report::records`
    double utilisation = 0; ///< DFS used ÷ capacity, in percent
    balancer_class is = balancer_class::below_average;
};

struct balancer_verdict {
    double average = 0; ///< sum used ÷ sum capacity, in percent; not the mean of the utilisations
    std::vector<balancer_node> nodes;
    std::int64_t overloaded_bytes = 0;  ///< above average + threshold
    std::int64_t underloaded_bytes = 0; ///< below average − threshold
    /// What has to move until no node is over or under: the larger of the two.
    std::int64_t bytes_left_to_move = 0;
};

/// The Balancer's policy `datanode` over `placeable(r)`, with a threshold in percentage points.
/// Without such nodes nothing is in the answer.
///
/// Source: `Balancer.init` and `BalancingPolicy.Node` of Hadoop 3.2.1. From HDFS-17037 on the
/// Balancer counts all that is not free, as `occupied` does.
[[nodiscard]] balancer_verdict judge(const report& r, double threshold = 10.0);

} // namespace hdfs
