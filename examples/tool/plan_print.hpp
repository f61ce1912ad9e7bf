// SPDX-License-Identifier: MIT
#pragma once

#include "grid.hpp"
#include "hdfs/report.hpp"
#include "nodes_file.hpp"
#include "output.hpp"
#include "plan_input.hpp"
#include "plan_rules.hpp"

#include <hashring/balance/thresholds.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tool {

/// What the command line asked for, checked.
struct plan_request {
    std::optional<std::string> report;
    std::optional<std::string> command;
    std::optional<std::vector<listed_node>> nodes;
    std::string nodes_file;
    std::optional<std::string> state;
    std::string rule_name;
    plan_rule rule = plan_rule::weights;
    hashring::thresholds settings;
    std::chrono::milliseconds period{};
    format as = format::table;
};

/// A plan with all that it came from.
struct plan_round {
    hdfs::report from;
    plan_input input;
    load_overview loads;
    plan_result plan;
};

/// Prints the whole round in the format that was asked for.
void print_round(const plan_request& asked, const plan_round& r, output& out);

} // namespace tool
