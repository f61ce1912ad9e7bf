// SPDX-License-Identifier: MIT
#pragma once

#include "../tool/output.hpp"

namespace redis_groups {

/// Does what the words ask for, and returns the program's exit code. Throws `tool::usage_failure`
/// for words that make no sense, and what the commands throw.
int run_command_line(int argc, const char* const* argv, tool::output& out);

} // namespace redis_groups
