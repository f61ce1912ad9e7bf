// SPDX-License-Identifier: MIT
#include "plan_input.hpp"

#include "failure.hpp"

#include <hashring/balance/proportion.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/placement/per_weight.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace tool {

namespace {

constexpr std::uint32_t vnodes_per_unit = 160;

using hdfs::admin_state;
using hdfs::listing;

std::string_view text_of(listing listed) {
    switch (listed) {
    case listing::live:
        return "live";
    case listing::dead:
        return "dead";
    case listing::decommissioning:
        return "decommissioning";
    case listing::entering_maintenance:
        return "entering maintenance";
    case listing::in_maintenance:
        return "in maintenance";
    case listing::slow:
        return "slow";
    case listing::other:
        break;
    }
    return "in an unknown section";
}

std::string_view text_of(admin_state state) {
    switch (state) {
    case admin_state::normal:
        return "";
    case admin_state::decommissioning:
        return "decommissioning";
    case admin_state::decommissioned:
        return "decommissioned";
    case admin_state::entering_maintenance:
        return "entering maintenance";
    case admin_state::in_maintenance:
        return "in maintenance";
    case admin_state::other:
        break;
    }
    return "in an unknown state";
}

/// All that is said of a node, each once.
std::string states_of(const hdfs::report& r, const hdfs::distinct_node& node) {
    std::vector<std::string_view> words;
    const auto say = [&](std::string_view word) {
        if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end()) {
            words.push_back(word);
        }
    };
    for (const std::size_t i : node.records) {
        const hdfs::record& found = r.records[i];
        say(text_of(found.listed));
        if (found.state != admin_state::other || found.status) { // not said in every list of JMX
            say(text_of(found.state));
        }
    }
    std::string text;
    for (const std::string_view word : words) {
        text += concat(text.empty() ? "" : ", ", word);
    }
    return text;
}

/// The record with a node's sizes: under Live if it is there.
const hdfs::record& sizes_of(const hdfs::report& r, const hdfs::distinct_node& node) {
    for (const std::size_t i : node.records) {
        if (r.records[i].listed == listing::live) {
            return r.records[i];
        }
    }
    return r.records[node.records.front()];
}

planned_node as_planned(const hdfs::report& r, const hdfs::distinct_node& node, bool placeable) {
    const hdfs::record& sizes = sizes_of(r, node);
    planned_node planned;
    planned.address = node.name;
    planned.state = states_of(r, node);
    planned.stats.name = node.name;
    planned.stats.total = hdfs::occupied(sizes) + hdfs::available(sizes);
    planned.stats.used = hdfs::occupied(sizes);
    planned.is_counted = sizes.vnodes.has_value();
    planned.stats.vnodes = sizes.vnodes.value_or(0);
    if (!placeable) {
        planned.stats.state = sizes.listed == listing::live ? hashring::node_state::leaving
                                                            : hashring::node_state::down;
    }
    return planned;
}

/// 160 · capacity ÷ mean capacity, rounded, at least 1, for nodes that have no count.
void count_by_capacity(plan_input& input) {
    hashring::uint128 sum;
    std::uint64_t nodes = 0;
    for (const planned_node& node : input.nodes) {
        if (node.stats.takes_part()) {
            sum += node.stats.total;
            ++nodes;
        }
    }
    for (planned_node& node : input.nodes) {
        if (node.stats.takes_part() && !node.is_counted) {
            const std::uint64_t twice = hashring::proportion(
                node.stats.total, hashring::multiply(vnodes_per_unit, 2 * nodes), sum);
            node.stats.vnodes = static_cast<std::uint32_t>(
                std::clamp<std::uint64_t>(twice / 2 + twice % 2, 1, hashring::max_points));
        }
    }
}

/// The places of the nodes by what they may be called.
using by_name = std::multimap<std::string, std::size_t, std::less<>>;

/// Finds nodes of a report for lines of a nodes file.
class node_finder {
public:
    node_finder(const plan_input& input, const hdfs::report& r) : nodes_(input.nodes) {
        std::map<std::string_view, std::string_view> hosts;
        for (const hdfs::record& found : r.records) {
            if (found.hostname) {
                hosts.emplace(found.name, *found.hostname);
            }
        }
        for (std::size_t i = 0; i < input.nodes.size(); ++i) {
            addresses_.emplace(input.nodes[i].address, i);
            if (const auto host = hosts.find(input.nodes[i].address); host != hosts.end()) {
                hosts_.emplace(host->second, i);
            }
        }
    }

    [[nodiscard]] std::optional<std::size_t> find(const listed_node& node) const {
        std::optional<std::size_t> place;
        for (const std::string& called : {node.addr, node.name}) {
            for (const by_name* names : {&addresses_, &hosts_}) {
                const auto found = only_one(*names, called);
                if (found && place && *found != *place) {
                    throw usage_failure(concat("NAME and addr= of ", in_quotes(node.name),
                                               " are two nodes of the report"));
                }
                place = found ? found : place;
            }
        }
        return place;
    }

private:
    /// The one node that is called `name`, or the one of them that is in service: a node that comes
    /// back with another address leaves its old one among the dead. Throws if there is no such one.
    [[nodiscard]] std::optional<std::size_t> only_one(const by_name& names,
                                                      const std::string& name) const {
        const auto [first, last] = names.equal_range(name);
        if (first == last || std::next(first) == last) {
            return first == last ? std::nullopt : std::optional(first->second);
        }
        const auto serves = [&](const auto& called) {
            return nodes_[called.second].stats.takes_part();
        };
        if (std::count_if(first, last, serves) != 1) {
            throw usage_failure(concat(in_quotes(name), " is the host name of several nodes of the "
                                                        "report: name them by ip:port"));
        }
        return std::find_if(first, last, serves)->second;
    }

    const std::vector<planned_node>& nodes_;
    by_name addresses_;
    by_name hosts_;
};

} // namespace

void check_report(const hdfs::report& r, std::string_view file) {
    for (const hdfs::repetition& found : hdfs::repetitions(r)) {
        const hdfs::record& later = r.records[found.later];
        throw input_failure(file, later.line,
                            concat(later.name, " appears twice in section ",
                                   r.sections[later.section].name, ", on lines ",
                                   decimal(r.records[found.earlier].line), " and ",
                                   decimal(later.line), ": no plan is made from it"));
    }
    if (!r.complete) {
        std::string reasons;
        for (const hdfs::warning& warning : r.warnings) {
            reasons += concat(reasons.empty() ? "" : "; ", warning.text);
        }
        throw input_failure(file, r.warnings.front().line,
                            concat("the report is not whole: ", reasons));
    }
    if (hdfs::placeable(r).empty()) {
        throw input_failure(file, "no live node in normal service that has a capacity");
    }
}

plan_input make_input(const hdfs::report& r) {
    std::vector<bool> placeable(r.records.size());
    for (const std::size_t i : hdfs::placeable(r)) {
        placeable[i] = true;
    }
    plan_input input;
    for (const hdfs::distinct_node& node : hdfs::distinct_nodes(r)) {
        const bool takes_data = std::any_of(node.records.begin(), node.records.end(),
                                            [&](std::size_t i) { return placeable[i]; });
        input.nodes.push_back(as_planned(r, node, takes_data));
    }
    count_by_capacity(input);
    for (const hdfs::warning& warning : r.warnings) {
        input.notes.push_back(warning.text);
    }
    if (r.safe_mode) {
        input.notes.emplace_back("the NameNode is in safe mode");
    }
    return input;
}

void name_nodes(plan_input& input, const hdfs::report& r, const std::vector<listed_node>& listed,
                std::string_view file) {
    const node_finder finder(input, r);
    std::vector<std::size_t> line_of(input.nodes.size());
    std::size_t found_nodes = 0;
    for (const listed_node& node : listed) {
        try {
            const auto place = finder.find(node);
            if (!place) {
                input.notes.push_back(concat(node.name, " is not in the report"));
                continue;
            }
            if (line_of[*place] != 0) {
                throw usage_failure(concat(input.nodes[*place].address,
                                           " of the report stands on line ",
                                           decimal(line_of[*place]), " already"));
            }
            line_of[*place] = node.line;
            hashring::node_stats& stats = input.nodes[*place].stats;
            stats.name = node.name;
            stats.vnodes = hashring::vnodes_for(node.weight, vnodes_per_unit);
            stats.state = node.down ? hashring::node_state::down : stats.state;
            ++found_nodes;
        } catch (const input_failure&) {
            throw;
        } catch (const std::exception& reason) {
            throw input_failure(file, node.line, reason.what());
        }
    }
    if (found_nodes == 0) {
        throw input_failure(file, "no NAME and no addr= is an ip:port or host name of the report");
    }
    for (std::size_t i = 0; i < line_of.size(); ++i) {
        if (line_of[i] == 0) {
            input.nodes[i].stats.vnodes = 0;
            input.notes.push_back(concat(input.nodes[i].address, " is not in the nodes file"));
        }
    }
}

} // namespace tool
