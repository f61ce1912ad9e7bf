// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/cluster.hpp"
#include "simulate/outcome.hpp"

#include <cstdint>

namespace simulate {

/// The postal paper's figure 6: the load gap of clusters of equal nodes, by their number.
[[nodiscard]] experiment homogeneous(const settings& asked, const step_function& on_step);

/// The paper's figure 7: the same with disks of 1 : 2 : 4.
[[nodiscard]] experiment heterogeneous(const settings& asked, const step_function& on_step);

/// What only the self-check is asked for.
struct dynamic_settings {
    settings common{};
    std::uint32_t periods = 200;
    capacity_rule capacities = capacity_rule::equal;
};

/// The paper's figure 8: the load gap of ten nodes over the periods of the self-check.
[[nodiscard]] experiment dynamic(const dynamic_settings& asked, const step_function& on_step);

/// The shard blog's avalanche: who gets the load of a node that dies, and who dies of it.
[[nodiscard]] experiment cascade(const settings& asked, const step_function& on_step);

} // namespace simulate
