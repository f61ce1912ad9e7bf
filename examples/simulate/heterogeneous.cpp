// SPDX-License-Identifier: MIT
#include "simulate/experiments.hpp"
#include "simulate/growing_clusters.hpp"

#include <hashring/core/text.hpp>

namespace simulate {

experiment heterogeneous(const settings& asked, const step_function& on_step) {
    experiment result;
    result.name = "heterogeneous";
    result.title = "Disks of 1 : 2 : 4: load gap by number of nodes";
    result.summary = hashring::concat(
        "Figure 7 of the postal paper. As figure 6, with disks of 1 : 2 : 4, over and over; a load "
        "is what a node holds over its capacity. HDFS default, plain virtual nodes (",
        hashring::decimal(asked.vnodes),
        " each) and formula (1) know nothing of capacities. The paper's counts by capability have "
        "k = ",
        hashring::decimal(asked.k), ".");
    result.published = {{"improved", 0.06, 0.06}};
    run_growing_clusters(result, asked, capacity_rule::mixed, {3, 5, 8, 10, 25},
                         {strategy::hdfs_default_3, strategy::hdfs_default_1,
                          strategy::hdfs_available_space, strategy::plain_vnodes,
                          strategy::formula_1, strategy::capability_vnodes, strategy::as_printed,
                          strategy::round_robin, strategy::corrected, strategy::damped,
                          strategy::transfers},
                         on_step);
    return result;
}

} // namespace simulate
