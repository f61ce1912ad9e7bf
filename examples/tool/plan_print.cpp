// SPDX-License-Identifier: MIT
#include "plan_print.hpp"

#include "failure.hpp"
#include "hdfs/balancer.hpp"
#include "json.hpp"

#include <hashring/balance/utilization.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace tool {

namespace {

std::string_view text_of(hdfs::format from) {
    switch (from) {
    case hdfs::format::dfsadmin:
        return "dfsadmin";
    case hdfs::format::jmx:
        return "jmx";
    case hdfs::format::tsv:
        break;
    }
    return "tsv";
}

std::string_view code_of(hashring::plan_outcome outcome) {
    switch (outcome) {
    case hashring::plan_outcome::changes:
        return "changes";
    case hashring::plan_outcome::balanced:
        return "balanced";
    case hashring::plan_outcome::waiting:
        return "waiting";
    case hashring::plan_outcome::limited:
        return "limited";
    case hashring::plan_outcome::no_load:
        return "no_load";
    case hashring::plan_outcome::too_few_nodes:
        break;
    }
    return "too_few_nodes";
}

/// What the plan comes to, in words.
std::string summary_of(const plan_request& asked, const plan_result& plan) {
    if (plan.outcome != hashring::plan_outcome::changes) {
        return std::string(describe(plan.outcome));
    }
    return asked.rule == plan_rule::transfers
               ? concat("transfers between nodes: ", decimal(plan.handovers.size()))
               : concat("nodes with another count of vnodes: ", decimal(plan.changes.size()));
}

/// A node without capacity has no load factor.
std::optional<double> load_factor_of(const planned_node& node) {
    return node.stats.total == 0 ? std::nullopt
                                 : std::optional(hashring::utilization(node.stats).value());
}

const count_change* change_of(const plan_round& r, const planned_node& node) {
    const auto found = r.plan.changes.find(node.stats.name);
    return found == r.plan.changes.end() ? nullptr : &found->second;
}

/// What HDFS's own Balancer would say; nothing where the report does not tell.
std::optional<std::string> balancer_words(const hdfs::report& r) {
    if (r.from == hdfs::format::tsv) {
        return std::nullopt;
    }
    const hdfs::balancer_verdict verdict = hdfs::judge(r);
    const auto count = [&](hdfs::balancer_class wanted) {
        return decimal(std::count_if(verdict.nodes.begin(), verdict.nodes.end(),
                                     [&](const auto& node) { return node.is == wanted; }));
    };
    return concat(count(hdfs::balancer_class::over), " over and ",
                  count(hdfs::balancer_class::under), " under by more than 10 points of DFS use, ",
                  decimal(verdict.bytes_left_to_move), " bytes left to move");
}

void print_as_json(const plan_request& asked, const plan_round& r, output& out) {
    json nodes = json::array();
    for (const planned_node& node : r.input.nodes) {
        const count_change* const change = change_of(r, node);
        const std::optional<double> load = load_factor_of(node);
        json row = {{"name", node.stats.name},
                    {"address", node.address},
                    {"state", node.state},
                    {"capacity", node.stats.total},
                    {"free", node.stats.free()},
                    {"load_factor", load ? json(*load) : json()},
                    {"verdict", verdict_of(asked.rule, node.stats, r.loads, asked.settings.limit)},
                    {"vnodes", node.stats.vnodes}};
        if (asked.rule != plan_rule::transfers) {
            row["next_vnodes"] = change == nullptr ? node.stats.vnodes : change->vnodes;
        }
        if (change != nullptr) {
            row["why"] = change->why;
        }
        nodes.push_back(std::move(row));
    }
    json whole = {{"source", text_of(r.from.from)},
                  {"hadoop_version", r.from.version},
                  {"rule", asked.rule_name},
                  {"threshold", asked.settings.limit.text()},
                  {"outcome", code_of(r.plan.outcome)},
                  {"summary", summary_of(asked, r.plan)},
                  {"median_load_factor", r.loads.median.value()},
                  {"mean_load_factor", r.loads.mean.value()},
                  {"cluster_load_factor", r.loads.cluster.value()},
                  {"load_gap", r.loads.load_gap},
                  {"nodes", std::move(nodes)}};
    if (asked.rule == plan_rule::transfers) {
        json transfers = json::array();
        for (const handover& t : r.plan.handovers) {
            transfers.push_back(
                {{"from", t.from}, {"to", t.to}, {"amount", t.amount}, {"why", t.why}});
        }
        whole["transfers"] = std::move(transfers);
    }
    if (const auto words = balancer_words(r.from)) {
        whole["hdfs_balancer"] = *words;
    }
    json notes = json::array();
    for (const std::vector<std::string>& some : {r.input.notes, r.plan.notes}) {
        for (const std::string& note : some) {
            notes.push_back(note);
        }
    }
    whole["notes"] = std::move(notes);
    print_json(whole, out);
}

grid as_grid(const plan_request& asked, const plan_round& r) {
    const bool by_counts = asked.rule != plan_rule::transfers;
    grid g{{"node", "state", "capacity", "free", "load_factor", "verdict", "vnodes"}, {}, {}};
    if (by_counts) {
        g.headings.insert(g.headings.end(), {"next_vnodes", "why"});
    }
    for (const planned_node& node : r.input.nodes) {
        const count_change* const change = change_of(r, node);
        const std::optional<double> load = load_factor_of(node);
        g.rows.push_back(
            {printable(node.stats.name), node.state, decimal(node.stats.total),
             decimal(node.stats.free()), load ? fixed(*load, 6) : "-",
             std::string(verdict_of(asked.rule, node.stats, r.loads, asked.settings.limit)),
             decimal(node.stats.vnodes)});
        if (by_counts) {
            g.rows.back().push_back(
                decimal(change == nullptr ? node.stats.vnodes : change->vnodes));
            g.rows.back().push_back(change == nullptr ? "-" : printable(change->why));
        }
    }
    g.notes = {{"rule", asked.rule_name},
               {"threshold", asked.settings.limit.text()},
               {"median_load_factor", fixed(r.loads.median.value(), 6)},
               {"mean_load_factor", fixed(r.loads.mean.value(), 6)},
               {"cluster_load_factor", fixed(r.loads.cluster.value(), 6)},
               {"load_gap", fixed(r.loads.load_gap, 6)}};
    for (const handover& t : r.plan.handovers) {
        g.notes.emplace_back("transfer", printable(t.why));
    }
    if (const auto words = balancer_words(r.from)) {
        g.notes.emplace_back("hdfs_balancer", *words);
    }
    for (const std::vector<std::string>& some : {r.input.notes, r.plan.notes}) {
        for (const std::string& note : some) {
            g.notes.emplace_back("note", printable(note));
        }
    }
    g.notes.emplace_back("outcome", summary_of(asked, r.plan));
    return g;
}

} // namespace

void print_round(const plan_request& asked, const plan_round& r, output& out) {
    if (asked.as == format::json) {
        print_as_json(asked, r, out);
    } else if (asked.as == format::tsv) {
        print_tsv(as_grid(asked, r), out);
    } else {
        print_table(as_grid(asked, r), out);
    }
}

} // namespace tool
