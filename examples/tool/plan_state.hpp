// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/literal_plan.hpp>
#include <hashring/balance/memory.hpp>
#include <hashring/balance/plan_transfers.hpp>

#include <string>

namespace tool {

/// What the rules remember between two plans.
struct plan_state {
    hashring::literal_state literal;
    hashring::rebalance_state weights;
    hashring::transfer_state transfers;
};

/// The state in `file`, which is JSON; an empty one if there is no such file yet. Throws
/// `input_failure` for anything else that is in it.
[[nodiscard]] plan_state load_state(const std::string& file);

/// Writes `state` beside `file` and puts it in its place by renaming, so that whoever reads finds
/// the old one or the new one whole. Throws `write_failure`.
void save_state(const plan_state& state, const std::string& file);

} // namespace tool
