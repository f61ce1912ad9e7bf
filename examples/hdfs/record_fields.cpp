// SPDX-License-Identifier: MIT
#include "hdfs/record_fields.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace hdfs {

namespace {

using number = std::optional<std::int64_t> record::*;
using text = std::optional<std::string> record::*;

enum class number_form { size, percent, count };

struct number_field {
    std::string_view key;
    number member;
    number_form form;
};

constexpr std::array<number_field, 11> number_fields = {{
    {"Configured Capacity", &record::configured_capacity, number_form::size},
    {"DFS Used", &record::dfs_used, number_form::size},
    {"Non DFS Used", &record::non_dfs_used, number_form::size},
    {"DFS Remaining", &record::dfs_remaining, number_form::size},
    {"DFS Used%", &record::dfs_used_percent, number_form::percent},
    {"DFS Remaining%", &record::dfs_remaining_percent, number_form::percent},
    {"Configured Cache Capacity", &record::cache_capacity, number_form::size},
    {"Cache Used", &record::cache_used, number_form::size},
    {"Cache Remaining", &record::cache_remaining, number_form::size},
    {"Xceivers", &record::xceivers, number_form::count},
    {"Num of Blocks", &record::num_blocks, number_form::count},
}};

struct text_field {
    std::string_view key;
    text member;
};

constexpr std::array<text_field, 6> text_fields = {{
    {"Hostname", &record::hostname},
    {"Rack", &record::rack},
    {"Upgrade domain", &record::upgrade_domain},
    {"Decommission Status", &record::status},
    {"Last contact", &record::last_contact},
    {"Last Block Report", &record::last_block_report},
}};

admin_state state_of(std::string_view status) {
    if (status == "Normal") {
        return admin_state::normal;
    }
    if (status == "Decommission in progress") {
        return admin_state::decommissioning;
    }
    if (status == "Decommissioned") {
        return admin_state::decommissioned;
    }
    if (status == "Entering maintenance") {
        return admin_state::entering_maintenance;
    }
    return status == "In maintenance" ? admin_state::in_maintenance : admin_state::other;
}

std::optional<std::int64_t> parse_number(number_form form, std::string_view value) {
    switch (form) {
    case number_form::size:
        return parse_size(value);
    case number_form::percent:
        return parse_percent(value);
    case number_form::count:
        break;
    }
    return hashring::parse_decimal<std::int64_t>(value);
}

field_result read_number(record& node, const number_field& field, std::string_view value) {
    if ((node.*field.member).has_value()) {
        return field_result::repeated;
    }
    node.*field.member = parse_number(field.form, value);
    // NaN and the like: a percentage is only for show
    const bool fine = (node.*field.member).has_value() || field.form == number_form::percent;
    return fine ? field_result::read : field_result::bad;
}

field_result read_text(record& node, const text_field& field, std::string_view value) {
    if ((node.*field.member).has_value()) {
        return field_result::repeated;
    }
    node.*field.member = std::string(value);
    if (field.member == &record::status) {
        node.state = state_of(value);
    }
    return field_result::read;
}

template <class Fields>
auto find_field(const Fields& fields, std::string_view key) {
    return std::find_if(fields.begin(), fields.end(),
                        [&](const auto& field) { return field.key == key; });
}

} // namespace

field_result read_field(record& node, std::string_view key, std::string_view value) {
    if (const auto found = find_field(number_fields, key); found != number_fields.end()) {
        return read_number(node, *found, value);
    }
    if (const auto found = find_field(text_fields, key); found != text_fields.end()) {
        return read_text(node, *found, value);
    }
    return field_result::unknown;
}

bool read_name(record& node, std::string_view value) {
    const std::size_t blank = value.find(' ');
    const std::string_view address = value.substr(0, blank);
    const auto where = parse_endpoint(address);
    if (!where) {
        return false;
    }
    if (blank != std::string_view::npos) {
        const std::string_view host = trimmed(value.substr(blank));
        if (!host.starts_with('(') || !host.ends_with(')')) {
            return false;
        }
        node.lookup_host = std::string(host.substr(1, host.size() - 2));
    }
    node.name = std::string(address);
    node.ip = std::string(where->ip);
    node.port = where->port;
    return true;
}

std::string_view lacking(const record& node) {
    for (const number_field& field : number_fields) {
        const bool needed = field.member == &record::configured_capacity ||
                            field.member == &record::dfs_used ||
                            field.member == &record::dfs_remaining;
        if (needed && !(node.*field.member).has_value()) {
            return field.key;
        }
    }
    for (const text_field& field : text_fields) {
        const bool needed =
            field.member == &record::status || field.member == &record::last_contact;
        if (needed && !(node.*field.member).has_value()) {
            return field.key;
        }
    }
    return {};
}

} // namespace hdfs
