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

using simulate::experiment;
using simulate::settings;

struct known_experiment {
    std::string_view name;
    experiment (*run)(const settings&, const simulate::step_function&);
};

constexpr known_experiment experiments[] = {
    {"homogeneous", simulate::homogeneous},
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

settings checked(const simulation_request& asked) {
    settings result;
    result.seed = parse_number<std::uint64_t>("--seed", asked.seed, 0,
                                              std::numeric_limits<std::uint64_t>::max());
    result.seeds = parse_number<std::uint32_t>("--seeds", asked.seeds, 1, 10'000);
    result.records = parse_number<std::uint32_t>("--records", asked.records, 100, 10'000'000);
    result.vnodes = parse_number<std::uint32_t>("--vnodes", asked.vnodes, 1, 10'000);
    result.k = parse_number<std::uint32_t>("--k", asked.k, 1, 10'000);
    return result;
}

} // namespace

void simulate_command(const request& asked, output& out) {
    const known_experiment& chosen = find_experiment(asked.simulation.experiment);
    const format as = parse_format(asked.format.value_or("table"));
    const settings how = checked(asked.simulation);
    std::optional<replacement> svg; // now, so that a run of minutes is not in vain
    if (asked.simulation.svg) {
        svg.emplace(*asked.simulation.svg);
    }
    progress_bar bar(how.seeds);
    const experiment result = chosen.run(how, [&] { bar.step(); });
    bar.finish();
    if (svg) {
        svg->put(simulate::draw_chart(result));
    }
    print_experiment(result, how, as, out);
}

} // namespace tool
