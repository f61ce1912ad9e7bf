// SPDX-License-Identifier: MIT
#include "hdfs/balancer.hpp"

#include <algorithm>
#include <cmath>

namespace hdfs {

namespace {

double capacity_of(const record& node) {
    return static_cast<double>(node.configured_capacity.value_or(0));
}

double used_of(const record& node) {
    return static_cast<double>(node.dfs_used.value_or(0));
}

balancer_class class_of(double difference, double threshold) {
    if (difference > 0) {
        return difference > threshold ? balancer_class::over : balancer_class::above_average;
    }
    return -difference > threshold ? balancer_class::under : balancer_class::below_average;
}

/// Whole bytes, rounded down; what no 64-bit integer holds becomes the largest.
std::int64_t bytes(double percent, double capacity) {
    const double amount = percent * capacity / 100.0;
    return amount < 0x1p63 ? static_cast<std::int64_t>(amount) : INT64_MAX;
}

std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

} // namespace

std::string_view text_of(balancer_class c) noexcept {
    switch (c) {
    case balancer_class::over:
        return "over";
    case balancer_class::above_average:
        return "above-average";
    case balancer_class::below_average:
        return "below-average";
    case balancer_class::under:
        break;
    }
    return "under";
}

balancer_verdict judge(const report& r, double threshold) {
    balancer_verdict verdict;
    double used = 0;
    double capacity = 0;
    const std::vector<std::size_t> nodes = placeable(r);
    for (const std::size_t i : nodes) {
        used += used_of(r.records[i]);
        capacity += capacity_of(r.records[i]);
    }
    verdict.average = nodes.empty() ? 0 : 100.0 * used / capacity;
    for (const std::size_t i : nodes) {
        const record& node = r.records[i];
        const double utilisation = 100.0 * used_of(node) / capacity_of(node);
        const double difference = utilisation - verdict.average;
        verdict.nodes.push_back({i, utilisation, class_of(difference, threshold)});
        const double beyond = std::abs(difference) - threshold;
        if (beyond > 0) {
            std::int64_t& sum =
                difference > 0 ? verdict.overloaded_bytes : verdict.underloaded_bytes;
            sum = saturating_sum(sum, bytes(beyond, capacity_of(node)));
        }
    }
    verdict.bytes_left_to_move = std::max(verdict.overloaded_bytes, verdict.underloaded_bytes);
    return verdict;
}

} // namespace hdfs
