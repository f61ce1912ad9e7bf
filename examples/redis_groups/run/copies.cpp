// SPDX-License-Identifier: MIT

#include "../../tool/complain.hpp"
#include "../../tool/grid.hpp"
#include "../store/client.hpp"
#include "../store/copy_check.hpp"
#include "../store/repairer.hpp"
#include "run.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>

namespace redis_groups::run {

using hashring::concat;
using hashring::decimal;

namespace {

constexpr std::chrono::milliseconds least_patience{10000};

std::uint64_t furthest(const hashring::group::members& copies) {
    std::uint64_t most = 0;
    for (const hashring::group::copy& each : copies) {
        most = std::max(most, each.offset);
    }
    return most;
}

void add_rows(const group_link& group, double share, tool::grid& to) {
    const hashring::group::members& copies = group.view().copies();
    for (const hashring::group::copy& each : copies) {
        const bool is_master = each.role == hashring::group::role::master;
        const bool answers = is_answering(each.state);
        to.rows.push_back({tool::printable(group.name()), tool::fixed(100.0 * share, 2), each.name,
                           is_master ? "master" : "replica", std::string(describe(each.state)),
                           answers ? decimal(furthest(copies) - each.offset) : "-",
                           std::string(describe(group.view().mode()))});
    }
}

} // namespace

int status(const request& asked, tool::output& out) {
    client of(groups_of(asked), asked.how);
    const placement::use at(*of.ring());
    const std::vector<double> shares = at.ring().shares();
    tool::grid table{{"group", "share %", "copy", "role", "state", "behind bytes", "mode"}, {}, {}};
    for (std::size_t i = 0; i < at.on_ring().size(); ++i) {
        add_rows(of.group(at, at.on_ring()[i]), shares[i], table);
    }
    print_table(table, out);
    return 0;
}

int compare(const request& asked, tool::output& out) {
    tool::grid table{{"group", "keys", "copies", "different keys"}, {}, {}};
    bool is_equal = true;
    for (const group_spec& group : groups_of(asked)) {
        const copy_comparison found = compare_copies(group, asked.how);
        const std::string name = tool::printable(group.name);
        table.rows.push_back(
            {name, decimal(found.keys), decimal(found.copies + 1), decimal(found.different)});
        for (const std::string& copy : found.silent) {
            table.notes.emplace_back(concat("does not answer in ", name), copy);
        }
        for (const std::string& key : found.which) {
            table.notes.emplace_back(concat("differs in ", name), tool::printable(key));
        }
        is_equal = is_equal && found.is_equal();
    }
    print_table(table, out);
    return is_equal ? 0 : 1;
}

int repair(const request& asked, tool::output& out) {
    bool is_whole = true;
    for (const group_spec& group : groups_of(asked)) {
        const auto say = [&](std::string_view what) {
            out << tool::printable(group.name) << ": " << what << '\n';
            out.flush();
        };
        const auto patience = std::max(asked.how.patience, least_patience);
        repairer repair(group, asked.how);
        const bool is_complete = repair.run(patience, say).down == 0;
        for (const hashring::group::copy& each : repair.view().copies()) {
            if (!is_answering(each.state)) {
                say(concat(each.name, " does not answer"));
            }
        }
        if (is_complete) {
            say("all copies are complete");
        }
        is_whole = is_whole && is_complete;
    }
    return is_whole ? 0 : 1;
}

} // namespace redis_groups::run
