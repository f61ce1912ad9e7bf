// SPDX-License-Identifier: MIT

#include "demo.hpp"

#include "../../tool/replacement.hpp"
#include "../trial/numbered_keys.hpp"
#include "acts.hpp"

#include <hashring/core/text.hpp>

namespace redis_groups::demo {

using hashring::concat;

void run(const options& chosen, tool::output& out) {
    if (chosen.metrics) {
        const tool::replacement attempt(*chosen.metrics); // whether it can be written at all
    }
    out << "Starting two groups of a master and two replicas, and three sentinels.\n";
    out.flush();
    stage on(2, out);
    const std::vector<std::string> keys = numbered_keys(chosen.keys);
    const auto write_metrics = [&] {
        if (chosen.metrics) {
            tool::replacement(*chosen.metrics).put(on.metrics());
        }
    };
    show_distribution(on, keys);
    write_metrics();
    show_failover(on);
    write_metrics();
    show_repair(on);
    show_safe_mode(on);
    write_metrics();
    show_losses(on);
    show_migration(on, keys);
    write_metrics();
    on.title("Done");
    on.say(chosen.metrics ? concat("the state is in ", *chosen.metrics)
                          : "servers are stopped and their files removed");
}

} // namespace redis_groups::demo
