// SPDX-License-Identifier: MIT
#include "simulate/growing_clusters.hpp"

#include <cstddef>

namespace simulate {

void run_growing_clusters(experiment& result, const settings& asked, capacity_rule capacities,
                          const std::vector<std::uint64_t>& sizes,
                          const std::vector<strategy>& strategies, const step_function& on_step) {
    result.x_name = "nodes";
    result.x_title = "nodes";
    result.xs = sizes;
    for (const strategy s : strategies) {
        result.strategies.push_back(name_of(s));
    }
    result.measures.push_back({"load_gap", "load gap", true});
    collector gaps(1, strategies.size(), sizes.size());
    for (std::uint32_t i = 0; i < asked.seeds; ++i) {
        const std::uint64_t seed = asked.seed + i;
        const hashed_numbers numbers = hash_numbers(seed, asked.records);
        for (std::size_t x = 0; x < sizes.size(); ++x) {
            const trial t{draw_cluster(sizes[x], capacities, seed), numbers, seed, asked};
            for (std::size_t s = 0; s < strategies.size(); ++s) {
                gaps.add(0, s, x, gap_of(store(strategies[s], t), t.nodes));
            }
        }
        on_step();
    }
    gaps.finish(result);
}

} // namespace simulate
