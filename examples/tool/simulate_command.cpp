// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "failure.hpp"
#include "progress.hpp"
#include "replacement.hpp"
#include "simulate/chart.hpp"
#include "simulate/experiments.hpp"
#include "simulate_print.hpp"

#include <hashring/core/text.hpp>

#include <cstdint>
#include <limits>
#include <optional>

namespace tool {

namespace {

using simulate::dynamic_settings;
using simulate::experiment;
using simulate::step_function;

struct known_experiment {
    std::string_view name;
    bool stores_records;
    bool has_periods;
    experiment (*run)(const dynamic_settings&, const step_function&);
};

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

/// Throws `usage_failure` for an option that the experiment would pass over.
void check_fits(const known_experiment& chosen, const simulation_request& asked) {
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
}

dynamic_settings checked(const simulation_request& asked) {
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

} // namespace

void simulate_command(const request& asked, output& out) {
    const known_experiment& chosen = find_experiment(asked.simulation.experiment);
    const format as = parse_format(asked.format.value_or("table"));
    check_fits(chosen, asked.simulation);
    const dynamic_settings how = checked(asked.simulation);
    std::optional<replacement> svg; // now, so that a run of minutes is not in vain
    if (asked.simulation.svg) {
        svg.emplace(*asked.simulation.svg);
    }
    progress_bar bar(how.common.seeds);
    const experiment result = chosen.run(how, [&] { bar.step(); });
    bar.finish();
    if (svg) {
        svg->put(simulate::draw_chart(result));
    }
    print_experiment(result, how.common, as, out);
}

} // namespace tool
