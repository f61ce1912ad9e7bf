// SPDX-License-Identifier: MIT
#include "simulate_options.hpp"

#include "failure.hpp"

#include <hashring/core/text.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <limits>

namespace tool {

namespace {

using simulate::dynamic_settings;
using simulate::experiment;
using simulate::step_function;

/// An experiment that knows no periods.
template <experiment (*Run)(const simulate::settings&, const step_function&)>
experiment run_common(const dynamic_settings& how, const step_function& on_step) {
    return Run(how.common, on_step);
}

constexpr known_experiment experiments[] = {
    {"homogeneous", true, false, run_common<simulate::homogeneous>},
    {"heterogeneous", true, false, run_common<simulate::heterogeneous>},
    {"dynamic", false, true, simulate::dynamic},
    {"cascade", false, false, run_common<simulate::cascade>},
};

const known_experiment& find_experiment(std::string_view name) {
    std::string names;
    for (const known_experiment& e : experiments) {
        if (e.name == name) {
            return e;
        }
        names += concat(names.empty() ? "" : ", ", e.name);
    }
    throw usage_failure(concat("unknown experiment ", in_quotes(name), ": there are ", names));
}

template <class Number>
Number parse_number(std::string_view option, std::string_view text, Number least, Number most) {
    const auto number = hashring::parse_decimal<Number>(text);
    if (!number || *number < least || *number > most) {
        throw usage_failure(concat(option, " ", in_quotes(text), " is not a whole number from ",
                                   decimal(least), " to ", decimal(most)));
    }
    return *number;
}

} // namespace

void add_simulate_options(CLI::App& sub, simulation_request& asked) {
    const auto add = [&](const char* flag, std::string& value, const char* help) {
        sub.add_option(flag, value, help)->type_name("N")->capture_default_str();
    };
    sub.add_option("EXPERIMENT", asked.experiment,
                   "homogeneous, heterogeneous, dynamic or cascade");
    add("--seed", asked.seed, "of the first trial; the others count on");
    add("--seeds", asked.seeds, "how many trials: medians and percentiles are over them");
    add("--vnodes", asked.vnodes, "virtual nodes of a node of mean capacity");
    add("--k", asked.k, "the constant of the paper's counts by capability");
    sub.add_option("--records", asked.records,
                   "homogeneous, heterogeneous: waybill records that are stored (default 100000)")
        ->type_name("N");
    sub.add_option("--periods", asked.periods, "dynamic: periods of the self-check (default 200)")
        ->type_name("N");
    sub.add_flag("--mixed", asked.mixed, "dynamic: nodes of 1 : 2 : 4 in place of equal ones")
        ->disable_flag_override();
    sub.add_option("--svg", asked.svg, "draws the result")->type_name("FILE");
}

const known_experiment& checked_experiment(const simulation_request& asked) {
    const known_experiment& chosen = find_experiment(asked.experiment);
    const auto refuse = [&](std::string_view option) {
        throw usage_failure(concat("simulate ", chosen.name, " has no ", option));
    };
    if (asked.records && !chosen.stores_records) {
        refuse("--records");
    }
    if (asked.periods && !chosen.has_periods) {
        refuse("--periods");
    }
    if (asked.mixed && !chosen.has_periods) {
        refuse("--mixed");
    }
    if (asked.svg && (asked.svg->empty() || *asked.svg == "-")) {
        throw usage_failure(concat("--svg ", in_quotes(*asked.svg),
                                   " is not a file: a drawing does not go to standard output"));
    }
    return chosen;
}

dynamic_settings checked_settings(const simulation_request& asked) {
    dynamic_settings result;
    simulate::settings& common = result.common;
    common.seed = parse_number<std::uint64_t>("--seed", asked.seed, 0,
                                              std::numeric_limits<std::uint64_t>::max());
    common.seeds = parse_number<std::uint32_t>("--seeds", asked.seeds, 1, 10'000);
    common.vnodes = parse_number<std::uint32_t>("--vnodes", asked.vnodes, 1, 10'000);
    common.k = parse_number<std::uint32_t>("--k", asked.k, 1, 10'000);
    if (asked.records) {
        common.records = parse_number<std::uint32_t>("--records", *asked.records, 100, 10'000'000);
    }
    if (asked.periods) {
        result.periods = parse_number<std::uint32_t>("--periods", *asked.periods, 1, 10'000);
    }
    result.capacities =
        asked.mixed ? simulate::capacity_rule::mixed : simulate::capacity_rule::equal;
    return result;
}

} // namespace tool
