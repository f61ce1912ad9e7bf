// SPDX-License-Identifier: MIT
#include "hdfs/report.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace hdfs {

namespace {

bool leaves(listing listed) {
    return listed != listing::live && listed != listing::slow;
}

bool takes_data(const record& node) {
    return !node.partial && node.listed == listing::live && node.state == admin_state::normal &&
           node.configured_capacity.value_or(0) > 0 && node.dfs_remaining.has_value();
}

bool same_values(record a, const record& b) {
    a.line = b.line;
    a.section = b.section;
    return a == b;
}

void warn_of_repetitions(report& r) {
    for (const repetition& found : repetitions(r)) {
        const record& later = r.records[found.later];
        r.warnings.push_back(
            {later.line,
             concat(later.name, " appears ",
                    found.times == 2 ? "twice" : concat(decimal(found.times), " times"),
                    " in section ", r.sections[later.section].name,
                    found.same_values ? " with the same values" : " with different values")});
    }
}

void warn_of_great_sum(report& r) {
    std::int64_t sum = 0;
    for (const distinct_node& node : distinct_nodes(r)) {
        const record& first = r.records[node.records.front()];
        const std::int64_t capacity =
            first.listed == listing::dead ? 0 : first.configured_capacity.value_or(0);
        if (capacity > std::numeric_limits<std::int64_t>::max() - sum) {
            r.warnings.push_back({first.line, "sum of node capacities exceeds 2^63-1"});
            return;
        }
        sum += std::max<std::int64_t>(capacity, 0);
    }
}

} // namespace

std::vector<distinct_node> distinct_nodes(const report& r) {
    std::vector<distinct_node> nodes;
    std::map<std::string_view, std::size_t> place; // names may be chosen to collide in a hash
    for (std::size_t i = 0; i < r.records.size(); ++i) {
        const auto [found, fresh] = place.emplace(r.records[i].name, nodes.size());
        if (fresh) {
            nodes.push_back({r.records[i].name, {}});
        }
        nodes[found->second].records.push_back(i);
    }
    return nodes;
}

std::vector<repetition> repetitions(const report& r) {
    struct earlier_one {
        std::size_t place = 0;
        std::size_t times = 0;
    };
    std::map<std::pair<std::string_view, listing>, earlier_one> seen;
    std::vector<repetition> found;
    for (std::size_t i = 0; i < r.records.size(); ++i) {
        const record& node = r.records[i];
        earlier_one& before = seen[{node.name, node.listed}];
        if (++before.times > 1) {
            found.push_back(
                {before.place, i, before.times, same_values(r.records[before.place], node)});
        }
        before.place = i;
    }
    return found;
}

std::vector<std::size_t> placeable(const report& r) {
    std::vector<std::size_t> all;
    for (const distinct_node& node : distinct_nodes(r)) {
        const bool leaving =
            std::any_of(node.records.begin(), node.records.end(),
                        [&](std::size_t i) { return leaves(r.records[i].listed); });
        for (const std::size_t i : node.records) {
            if (!leaving && takes_data(r.records[i])) {
                all.push_back(i);
            }
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::uint64_t available(const record& node) {
    const std::int64_t capacity = node.configured_capacity.value_or(0);
    return static_cast<std::uint64_t>(std::clamp<std::int64_t>(
        node.dfs_remaining.value_or(0), 0, std::max<std::int64_t>(capacity, 0)));
}

std::uint64_t occupied(const record& node) {
    const std::int64_t capacity = node.configured_capacity.value_or(0);
    return static_cast<std::uint64_t>(std::max<std::int64_t>(capacity, 0)) - available(node);
}

void check_whole(report& r) {
    warn_of_repetitions(r);
    warn_of_great_sum(r);
}

} // namespace hdfs
