// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/outcome.hpp"

namespace simulate {

/// The postal paper's figure 6: the load gap of clusters of equal nodes, by their number.
[[nodiscard]] experiment homogeneous(const settings& asked, const step_function& on_step);

} // namespace simulate
