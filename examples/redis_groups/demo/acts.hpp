// SPDX-License-Identifier: MIT
#pragma once

#include "stage.hpp"

#include <string>
#include <vector>

/// \file
/// The acts of the demo, in their order. Each throws `std::runtime_error` if something is not as it
/// must be, so that a demo that ends well has shown what it says.

namespace redis_groups::demo {

/// Loads keys, and sets side by side what the ring says and what the servers hold.
void show_distribution(stage& on, const std::vector<std::string>& keys);
/// Kills the master of the first group under load; Sentinel finds another one.
void show_failover(stage& on);
/// Starts the old master again, empty, and completes it.
void show_repair(stage& on);
/// Takes half of the copies of the last group away, and gives them back.
void show_safe_mode(stage& on);
/// What each strategy loses when servers die.
void show_losses(stage& on);
/// Adds a group and removes another while writes and reads of `keys` go on.
void show_migration(stage& on, const std::vector<std::string>& keys);

} // namespace redis_groups::demo
