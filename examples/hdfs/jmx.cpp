// SPDX-License-Identifier: MIT
#include "hdfs/jmx.hpp"

#include "hdfs/json_keys.hpp"
#include "hdfs/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hdfs {

namespace {

using json = nlohmann::json; // sorted: adding a member is no search of all

struct node_list {
    const char* member;
    std::string_view name;
    listing listed;
};

constexpr std::array<node_list, 4> node_lists = {{
    {"LiveNodes", "Live", listing::live},
    {"DeadNodes", "Dead", listing::dead},
    {"DecomNodes", "Decommissioning", listing::decommissioning},
    {"EnteringMaintenanceNodes", "Entering maintenance", listing::entering_maintenance},
}};

/// The number of the line of the first `what`; 0 if there is none.
std::size_t line_of(std::string_view text, std::string_view what) {
    const std::size_t at = text.find(what);
    if (at == std::string_view::npos) {
        return 0;
    }
    const std::string_view before = text.substr(0, at);
    return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

/// Parses JSON, the whole text or a list that stands on line `line` of it as a string, and throws
/// `bad_report` if it is none.
json parse(std::string_view text, const report_limits& limits, std::size_t line = 0) {
    if (is_nested_deeper(text, limits.nesting)) {
        throw bad_report(std::max<std::size_t>(line, 1),
                         concat("more than ", decimal(limits.nesting),
                                " lists and objects of the JSON stand in each other"));
    }
    try {
        return json::parse(text);
    } catch (const json::parse_error& reason) {
        const bool ends = reason.byte > text.size();
        const std::string_view before = text.substr(0, std::min(reason.byte, text.size()));
        const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
        throw bad_report(line == 0 ? 1 + lines : line, ends ? "the JSON ends too early: it is cut"
                                                            : "the JSON is cut or damaged");
    } catch (const json::exception&) { // such as a number that no double can hold
        throw bad_report(std::max<std::size_t>(line, 1), "the JSON is damaged");
    }
}

const json* find(const json& object, const char* member) {
    const auto found = object.find(member);
    return found == object.end() ? nullptr : &*found;
}

/// An integer that is there and fits; a number with a fraction or an exponent is not exact.
std::optional<std::int64_t> integer(const json& object, const char* member) {
    const json* const value = find(object, member);
    if (value == nullptr || !value->is_number_integer() ||
        (value->is_number_unsigned() &&
         value->get<std::uint64_t>() >
             static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))) {
        return std::nullopt;
    }
    return value->get<std::int64_t>();
}

std::optional<std::string> text_of(const json& object, const char* member) {
    const json* const value = find(object, member);
    if (value == nullptr || !value->is_string()) {
        return std::nullopt;
    }
    return value->get<std::string>();
}

admin_state state_of(std::string_view status) {
    if (status == "In Service") {
        return admin_state::normal;
    }
    if (status == "Decommission In Progress") {
        return admin_state::decommissioning;
    }
    if (status == "Decommissioned") {
        return admin_state::decommissioned;
    }
    if (status == "Entering Maintenance") {
        return admin_state::entering_maintenance;
    }
    return status == "In Maintenance" ? admin_state::in_maintenance : admin_state::other;
}

/// The bean that lists the nodes.
const json& node_bean(const json& whole) {
    const json* const beans = whole.is_object() ? find(whole, "beans") : nullptr;
    if (beans == nullptr || !beans->is_array()) {
        throw bad_report(1, "the JSON has no beans: it is not the answer of a NameNode's /jmx");
    }
    for (const json& bean : *beans) {
        if (bean.is_object() && text_of(bean, "LiveNodes")) {
            return bean;
        }
    }
    throw bad_report(1, "no bean lists nodes: the answer is another daemon's, or to a query other "
                        "than Hadoop:service=NameNode,name=NameNodeInfo");
}

class jmx_reader {
public:
    explicit jmx_reader(const report_limits& limits) : limits_(limits) {}

    report read(std::string_view text) {
        const json whole = parse(text, limits_);
        const json& bean = node_bean(whole);
        report_.from = format::jmx;
        read_summary(bean);
        for (const node_list& list : node_lists) {
            if (const auto nodes = text_of(bean, list.member)) {
                read_list(list, *nodes, line_of(text, concat("\"", list.member, "\"")));
            }
        }
        check_whole(report_);
        return std::move(report_);
    }

private:
    void read_summary(const json& bean) {
        report_.configured_capacity = integer(bean, "Total");
        report_.dfs_used = integer(bean, "Used");
        report_.dfs_remaining = integer(bean, "Free");
        report_.safe_mode = !text_of(bean, "Safemode").value_or("").empty();
        const std::string version = text_of(bean, "Version").value_or("");
        report_.version = version.substr(0, version.find(','));
    }

    void read_list(const node_list& list, const std::string& text, std::size_t line) {
        section here{std::string(list.name), list.listed, line, {}, {}, {}, 0};
        report_.sections.push_back(std::move(here));
        const json nodes = parse(text, limits_, line);
        if (!nodes.is_object()) {
            throw bad_report(line, concat(std::string(list.member), " is not a list of nodes"));
        }
        for (const std::string& key : keys_once(list, text, line)) {
            check_room(report_.records.size(), line, limits_);
            report_.records.push_back(read_node(key, nodes.at(key), list.listed, line));
        }
    }

    /// The keys of a list in its order, those that come again only said.
    std::vector<std::string> keys_once(const node_list& list, const std::string& text,
                                       std::size_t line) {
        std::set<std::string> seen;
        std::vector<std::string> keys;
        for (const std::string& key : keys_of(text)) {
            if (seen.insert(key).second) {
                keys.push_back(key);
            } else {
                warn_of_loss(line, concat(key, " appears twice in section ", list.name));
            }
        }
        return keys;
    }

    record read_node(const std::string& key, const json& value, listing listed, std::size_t line) {
        record node;
        node.line = line;
        node.section = report_.sections.size() - 1;
        node.listed = listed;
        node.key = key;
        if (!value.is_object()) {
            node.name = key;
            lose(node, "is not an object");
            return node;
        }
        read_names(node, value);
        node.status = text_of(value, "adminState");
        node.state = state_of(node.status.value_or(""));
        node.configured_capacity = integer(value, "capacity");
        node.dfs_used = integer(value, "usedSpace");
        node.non_dfs_used = integer(value, "nonDfsUsedSpace");
        node.dfs_remaining = integer(value, "remaining");
        node.num_blocks = integer(value, "numBlocks");
        node.upgrade_domain = text_of(value, "upgradeDomain");
        node.rack = text_of(value, "location");
        if (listed == listing::live) {
            check_sizes(node);
        }
        if (!node.partial) {
            ++report_.sections.back().whole;
        }
        return node;
    }

    /// The key is `host:port`, in Hadoop 1 `host`; the address is apart, where there is one.
    static void read_names(record& node, const json& value) {
        node.name = text_of(value, "xferaddr").value_or(node.key);
        if (const auto where = parse_endpoint(node.name)) {
            node.ip = std::string(where->ip);
            node.port = where->port;
        }
        const auto host = parse_endpoint(node.key);
        node.hostname = host ? std::string(host->ip) : node.key;
    }

    void check_sizes(record& node) {
        if (!node.status) {
            lose(node, "has no adminState");
        } else if (!node.configured_capacity) {
            lose(node, "has no capacity that can be read exactly");
        } else if (!node.dfs_remaining) {
            lose(node, "has no remaining that can be read exactly");
        } else if (!node.dfs_used) {
            lose(node, "has no usedSpace that can be read exactly");
        }
    }

    void lose(record& node, std::string_view what) {
        node.partial = true;
        warn_of_loss(node.line, concat(node.name, " ", what));
    }

    void warn_of_loss(std::size_t line, std::string text) {
        report_.warnings.push_back({line, std::move(text)});
        report_.complete = false;
    }

    report_limits limits_;
    report report_;
};

} // namespace

report read_jmx(std::string_view text, const report_limits& limits) {
    return jmx_reader(limits).read(text);
}

} // namespace hdfs
