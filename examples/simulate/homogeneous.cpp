// SPDX-License-Identifier: MIT
#include "simulate/experiments.hpp"
#include "simulate/growing_clusters.hpp"

#include <hashring/core/text.hpp>

namespace simulate {

experiment homogeneous(const settings& asked, const step_function& on_step) {
    experiment result;
    result.name = "homogeneous";
    result.title = "Equal nodes: load gap by number of nodes";
    result.summary = hashring::concat(
        "Figure 6 of the postal paper. Waybill records are stored on clusters of equal nodes with "
        "drawn addresses; HDFS stores 8192 blocks in their place. Rings have ",
        hashring::decimal(asked.vnodes),
        " virtual nodes a node; the paper as printed has formula (1), counts by capability and its "
        "round robin. A round robin collects load factors whenever 2 to 3 % of the capacity were "
        "written.");
    result.published = {{"both", 0.05, 0.08}};
    run_growing_clusters(result, asked, capacity_rule::equal, {2, 3, 5, 8, 10, 25},
                         {strategy::hdfs_default_3, strategy::hdfs_default_1,
                          strategy::hdfs_available_space, strategy::plain_vnodes,
                          strategy::formula_1, strategy::as_printed, strategy::round_robin,
                          strategy::corrected, strategy::damped, strategy::transfers},
                         on_step);
    return result;
}

} // namespace simulate
