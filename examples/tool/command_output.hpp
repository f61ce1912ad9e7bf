// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>

namespace tool {

/// What `command` prints when the shell runs it, with nothing on its standard input.
///
/// Throws `input_failure` that names what happened if it cannot be started, exits with another code
/// than 0, is ended by a signal, prints more than 256 MiB, or is not done within `limit`; then it
/// is ended, and all that it started.
[[nodiscard]] std::string command_output(const std::string& command,
                                         std::chrono::milliseconds limit);

} // namespace tool
