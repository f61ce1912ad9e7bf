// SPDX-License-Identifier: MIT
#pragma once

#include "../../tool/output.hpp"
#include "../store/settings.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

/// \file
/// The client against servers that the user has.

namespace redis_groups::run {

/// What to do, and where.
struct request {
    std::vector<group_spec> groups{}; ///< with sentinels alone: none for all that they watch
    settings how{};
    std::vector<std::string> words{}; ///< a key, or a key and a value
    std::optional<std::chrono::milliseconds> lives_for{};
    std::vector<group_spec> to{}; ///< of `move`
};

/// A command returns the program's exit code: 1 if what was asked for is not so, such as a write
/// that is not done or a key that is not there; then it has said why on standard error. They throw
/// `std::runtime_error` if servers cannot be used, `std::invalid_argument` for groups that cannot
/// be.
using command = int (*)(const request&, tool::output&);

/// The copies of each group, what they are and how they are.
int status(const request& asked, tool::output& out);
/// One key: its value as it is and the end of a line; its new value; its end.
int get(const request& asked, tool::output& out);
int set(const request& asked, tool::output& out);
int erase(const request& asked, tool::output& out);
/// Whether all copies of each group hold the same.
int compare(const request& asked, tool::output& out);
/// Completes copies that are not complete, as hashring/group/repair.hpp says.
int repair(const request& asked, tool::output& out);
/// Moves keys to where another list of groups places them.
int move(const request& asked, tool::output& out);
/// The state in the text format of Prometheus.
int metrics(const request& asked, tool::output& out);

/// The groups of `asked`, or those that its sentinels watch, by name. Throws `std::runtime_error`
/// if none can be found.
[[nodiscard]] std::vector<group_spec> groups_of(const request& asked);

} // namespace redis_groups::run
