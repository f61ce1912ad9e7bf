// SPDX-License-Identifier: MIT
#pragma once

#include <string>

/// \file
/// What figures were measured on.

namespace redis_groups::bench {

struct machine {
    std::string system;    ///< its name and release
    std::string processor; ///< as the system calls it; may be empty
    unsigned cores = 0;    ///< that this process may use
    double load = 0.0;     ///< of the last minute; -1 if it is not known
};

[[nodiscard]] machine this_machine();

} // namespace redis_groups::bench
