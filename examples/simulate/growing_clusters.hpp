// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/outcome.hpp"
#include "simulate/storing.hpp"

#include <cstdint>
#include <vector>

namespace simulate {

/// Lets each of `strategies` store the same records on clusters of each of `sizes`, and fills in
/// the load gaps; names and words of `result` are the caller's.
void run_growing_clusters(experiment& result, const settings& asked, capacity_rule capacities,
                          const std::vector<std::uint64_t>& sizes,
                          const std::vector<strategy>& strategies, const step_function& on_step);

} // namespace simulate
