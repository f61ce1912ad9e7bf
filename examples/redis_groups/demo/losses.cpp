// SPDX-License-Identifier: MIT

#include "../trial/mishap_table.hpp"
#include "acts.hpp"

#include <stdexcept>

namespace redis_groups::demo {

using hashring::group::write_strategy;

void show_losses(stage& on) {
    on.title("What each strategy loses");
    on.say("groups of their own; replicas follow over a link that is 50 ms long");
    std::vector<mishap_result> results;
    for (const mishap_trial& trial : mishap_trials()) {
        results.push_back(run_mishap(trial, {}));
        if (trial.write == write_strategy::master_first_sync && results.back().lost > 0) {
            throw std::runtime_error("a majority had acknowledged what is lost");
        }
    }
    on.show(mishap_table(results));
}

} // namespace redis_groups::demo
