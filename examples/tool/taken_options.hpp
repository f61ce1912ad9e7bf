// SPDX-License-Identifier: MIT
#pragma once

#include "placement.hpp"

namespace tool {

// Options given to many schemes at once: each goes to every scheme that takes its value.

/// Throws `usage_failure` for an option that no scheme takes.
void check_taken(const option_values& options);

/// Those of the options that `scheme` takes.
[[nodiscard]] option_values taken_by(const scheme_entry& scheme, const option_values& options);

} // namespace tool
