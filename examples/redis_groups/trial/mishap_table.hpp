// SPDX-License-Identifier: MIT
#pragma once

#include "../../tool/grid.hpp"
#include "mishap.hpp"

#include <hashring/core/text.hpp>

#include <span>
#include <string>

namespace redis_groups {

/// What became of `mishap_trials()`, in their order, as a table.
[[nodiscard]] inline tool::grid mishap_table(std::span<const mishap_result> results) {
    using hashring::decimal;
    tool::grid table{{"strategy", "copies", "what happens", "done", "refused", "unknown", "lost",
                      "longest pause ms"},
                     {},
                     {}};
    for (std::size_t i = 0; i < results.size(); ++i) {
        const mishap_trial& trial = mishap_trials()[i];
        const mishap_result& result = results[i];
        table.rows.push_back({std::string(describe(trial.write)), decimal(trial.replicas + 1),
                              std::string(describe(trial.what)), decimal(result.counts.done),
                              decimal(result.counts.refused), decimal(result.counts.unknown),
                              decimal(result.lost), decimal(result.pause.count())});
    }
    return table;
}

} // namespace redis_groups
