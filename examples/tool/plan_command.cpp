// SPDX-License-Identifier: MIT
#include "command_output.hpp"
#include "commands.hpp"
#include "complain.hpp"
#include "duration.hpp"
#include "failure.hpp"
#include "hdfs/read.hpp"
#include "input.hpp"
#include "plan_input.hpp"
#include "plan_print.hpp"
#include "plan_rules.hpp"
#include "plan_state.hpp"
#include "replacement.hpp"

#include <hashring/core/error.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace tool {

namespace {

using std::chrono::milliseconds;

hashring::threshold parse_threshold(std::string_view text) {
    try {
        return hashring::threshold::parse(text);
    } catch (const hashring::invalid_option& reason) {
        throw usage_failure(concat("--", reason.what()));
    }
}

plan_request checked(const request& asked) {
    plan_request plan;
    if (asked.report.has_value() == asked.command.has_value()) {
        throw usage_failure("plan needs one of --report and --command");
    }
    plan.report = asked.report;
    plan.command = asked.command;
    plan.state = asked.state;
    plan.rule_name = asked.rule;
    plan.rule = parse_rule(asked.rule);
    plan.settings.limit = parse_threshold(asked.threshold);
    plan.period = parse_duration("--period", asked.period);
    plan.as = parse_format(asked.format.value_or("table"));
    plan.nodes_file = asked.nodes;
    check_one_stdin(asked.report.value_or(""), asked.nodes, "--report and --nodes");
    if (asked.watch && asked.report.value_or("") == "-") {
        throw usage_failure("--watch reads a report again and again, and standard input only once");
    }
    if (!asked.nodes.empty()) {
        plan.nodes = read_nodes_file(asked.nodes);
    }
    return plan;
}

/// The report as it is now. Whatever is wrong with it throws `input_failure`.
hdfs::report read_source(const plan_request& asked) {
    const std::string file = asked.report.value_or("<command>");
    const std::string text =
        asked.command ? command_output(*asked.command, asked.period) : whole_text(file);
    try {
        hdfs::report r = hdfs::read_report(text);
        check_report(r, file);
        return r;
    } catch (const hdfs::bad_report& reason) {
        throw reason.line() == 0 ? input_failure(file, reason.what())
                                 : input_failure(file, reason.line(), reason.what());
    }
}

plan_round make_round(const plan_request& asked, const plan_state& state) {
    plan_round r;
    r.from = read_source(asked);
    r.input = make_input(r.from);
    if (asked.nodes) {
        name_nodes(r.input, r.from, *asked.nodes, asked.nodes_file);
    }
    r.loads = overview_of(asked.rule, r.input);
    r.plan = make_plan(asked.rule, r.input, asked.settings, state);
    return r;
}

/// One plan, printed whole behind `before`; only then is the state replaced: by renaming, so that
/// whoever reads finds the old one or the new one whole.
void run_round(const plan_request& asked, plan_state& state, std::string_view before, output& out) {
    plan_round r = make_round(asked, state);
    const std::string saved = asked.state ? text_of(r.plan.state, *asked.state) : std::string();
    out << before;
    print_round(asked, r, out);
    out.flush();
    state = std::move(r.plan.state);
    if (asked.state) {
        replacement(*asked.state).put(saved);
    }
}

/// A round every period, until nobody reads any more. A source that fails costs its round only.
[[noreturn]] void watch(const plan_request& asked, plan_state& state, output& out) {
    std::string_view before;
    for (;;) {
        const auto next = std::chrono::steady_clock::now() + asked.period;
        try {
            run_round(asked, state, before, out);
            before = asked.as == format::json ? "" : "\n";
        } catch (const usage_failure& reason) {
            complain(concat(reason.what(), " (round skipped)"));
        }
        std::this_thread::sleep_until(next);
    }
}

} // namespace

void plan_command(const request& asked, output& out) {
    const plan_request plan = checked(asked);
    plan_state state = plan.state ? load_state(*plan.state) : plan_state{};
    if (asked.watch) {
        watch(plan, state, out);
    }
    run_round(plan, state, {}, out);
}

} // namespace tool
