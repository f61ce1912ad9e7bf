// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "progress.hpp"
#include "replacement.hpp"
#include "simulate/chart.hpp"
#include "simulate_print.hpp"

namespace tool {

void simulate_command(const request& asked, output& out) {
    const known_experiment& chosen = checked_experiment(asked.simulation);
    const format as = parse_format(asked.format.value_or("table"));
    const simulate::dynamic_settings how = checked_settings(asked.simulation);
    const std::optional<std::string>& svg = asked.simulation.svg;
    if (svg) {
        // Whether it can be written, now and not after minutes. What stands there is not touched,
        // and nothing is left beside it if the run is broken off.
        const replacement attempt(*svg);
    }
    progress_bar bar(how.common.seeds);
    const simulate::experiment result = chosen.run(how, [&] { bar.step(); });
    bar.finish();
    if (svg) {
        replacement(*svg).put(simulate::draw_chart(result));
    }
    print_experiment(result, how.common, as, out);
}

} // namespace tool
