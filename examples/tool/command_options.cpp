// SPDX-License-Identifier: MIT
#include "command_options.hpp"

#include "failure.hpp"

namespace tool {

namespace {

/// Offers an option that a scheme declares, unless another scheme's of that name is offered.
void add_scheme_option(CLI::App& sub, const hashring::scheme_option& option, raw_options& raw) {
    const std::string flag = concat("--", option.name);
    if (sub.get_option_no_throw(flag) != nullptr) {
        return;
    }
    std::string& value = raw[std::string(option.name)];
    if (option.values.empty()) {
        sub.add_flag_callback(
               flag, [&value] { value = "1"; }, std::string(option.help))
            ->disable_flag_override();
    } else {
        sub.add_option(flag, value, std::string(option.help))
            ->type_name(std::string(option.values));
    }
}

} // namespace

void add_options_of_schemes(CLI::App& sub, raw_options& raw) {
    for (const scheme_entry& scheme : all_schemes()) {
        for (const hashring::scheme_option& option : scheme.options) {
            add_scheme_option(sub, option, raw);
        }
    }
}

void add_scheme_options(CLI::App& sub, request& asked, raw_options& raw) {
    sub.add_option("--scheme", asked.scheme, "how keys and nodes are placed; `schemes` lists them")
        ->type_name("NAME")
        ->capture_default_str();
    sub.add_option("--allocator", asked.allocator,
                   "how virtual nodes are counted: so many a unit of weight (plain, the default), "
                   "or picked so that shares are as wished (corrected)")
        ->type_name("plain|corrected");
    add_options_of_schemes(sub, raw);
    for (const scheme_entry& scheme : all_schemes()) {
        if (scheme.corrected) {
            for (const hashring::scheme_option& option : scheme.corrected->options) {
                add_scheme_option(sub, option, raw);
            }
        }
    }
}

void add_nodes(CLI::App& sub, request& asked) {
    sub.add_option("--nodes", asked.nodes,
                   "a node a line: NAME [WEIGHT] [key=value ...]; lines of at most 64 KiB, at most "
                   "1048576 nodes; - is standard input")
        ->type_name("FILE");
}

void add_keys(CLI::App& sub, request& asked, const std::string& help) {
    sub.add_option("--keys", asked.keys, help)->type_name("FILE");
    sub.add_flag("--hex", asked.hex, "keys are spelled in hexadecimal digits")
        ->disable_flag_override();
}

void add_given_keys(CLI::App& sub, request& asked, const std::string& help) {
    sub.add_option("KEYS", asked.given_keys, help)
        ->option_text("...")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->expected(1 << 20, -1)
        ->allow_extra_args(false);
}

void add_copies(CLI::App& sub, request& asked, const std::string& help) {
    sub.add_option("--copies", asked.copies, help)->type_name("N");
}

void add_spread(CLI::App& sub, request& asked) {
    sub.add_option("--spread", asked.spread,
                   "copies in as many zones, racks or hosts as can be, which the nodes file gives")
        ->type_name("zone|rack|host");
    sub.add_flag("--strict", asked.strict, "rather fewer copies than two in one of them")
        ->disable_flag_override();
}

void add_format(CLI::App& sub, request& asked, const std::string& preset) {
    sub.add_option("--format", asked.format, "table, tsv or json (default " + preset + ")")
        ->type_name("FORMAT");
}

void add_no_time(CLI::App& sub, request& asked) {
    sub.add_flag("--no-time", asked.no_time, "measure no time, so that output can be compared")
        ->disable_flag_override();
}

void add_plan_options(CLI::App& sub, request& asked) {
    sub.add_option("--report", asked.report,
                   "`hdfs dfsadmin -report`, a NameNode's /jmx, or TSV `name total free [vnodes]`; "
                   "at most 256 MiB; - is standard input")
        ->type_name("FILE");
    sub.add_option("--command", asked.command,
                   "run by the shell for a report; it has --period to finish")
        ->type_name("CMD");
    sub.add_option("--nodes", asked.nodes,
                   "names and weights: NAME or addr= is the ip:port or host name of the report")
        ->type_name("FILE");
    sub.add_option("--state", asked.state, "what the rule remembers from plan to plan, in JSON")
        ->type_name("FILE");
    sub.add_option("--rule", asked.rule, "literal, weights or transfers")
        ->type_name("RULE")
        ->capture_default_str();
    sub.add_option("--threshold", asked.threshold,
                   "the distance from the median load that is allowed: 5% of it, or 0.05 absolute")
        ->type_name("PART")
        ->capture_default_str();
    sub.add_flag("--watch", asked.watch, "a plan every period, until stopped")
        ->disable_flag_override();
    sub.add_option("--period", asked.period, "such as 30s, 500ms, 5m")
        ->type_name("TIME")
        ->capture_default_str();
}

} // namespace tool
