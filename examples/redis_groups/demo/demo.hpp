// SPDX-License-Identifier: MIT
#pragma once

#include "../../tool/output.hpp"

#include <cstddef>
#include <optional>
#include <string>

/// \file
/// The demo: groups of Redis servers on one machine, from the first key to the last group.

namespace redis_groups::demo {

struct options {
    std::size_t keys = 20'000;
    std::optional<std::string> metrics{}; ///< a file for the state, after each act
};

/// Starts servers, shows what there is to show on `out`, and leaves nothing behind. Throws
/// `std::runtime_error` if servers cannot be started or something is not as it must be.
void run(const options& chosen, tool::output& out);

} // namespace redis_groups::demo
