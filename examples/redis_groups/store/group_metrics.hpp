// SPDX-License-Identifier: MIT
#pragma once

#include "client.hpp"

#include <hashring/service/metrics.hpp>

#include <vector>

/// \file
/// A ring of groups as metrics.

namespace redis_groups {

/// Adds the ring of `of` (called `redis_groups`), its groups as they are seen now, and what was
/// counted of them by number.
void add_metrics(hashring::metrics_text& to, client& of,
                 const std::vector<hashring::group_counts>& counts);

} // namespace redis_groups
