// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/literal_plan.hpp>
#include <hashring/balance/memory.hpp>
#include <hashring/balance/plan_transfers.hpp>

#include <cstddef>
#include <string>

namespace tool {

/// What the rules remember between two plans.
struct plan_state {
    hashring::literal_state literal;
    hashring::rebalance_state weights;
    hashring::transfer_state transfers;
};

/// The state itself has 4.
inline constexpr std::size_t most_nested = 32;

/// The state in `file`, which is JSON; an empty one if there is no such file yet. Throws
/// `input_failure` for anything else that is in it, more than `longest_text` bytes, and more than
/// `most_nested` lists and objects in each other.
[[nodiscard]] plan_state load_state(const std::string& file);

/// The same as text for `file`. Throws `input_failure` for the name of a node that JSON cannot
/// hold.
[[nodiscard]] std::string text_of(const plan_state& state, const std::string& file);

} // namespace tool
