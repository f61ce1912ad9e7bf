// SPDX-License-Identifier: MIT
#include "simulate/balanced_rings.hpp"
#include "simulate/experiments.hpp"
#include "simulate/failing_node.hpp"
#include "simulate/hdfs_placement.hpp"
#include "simulate/random.hpp"
#include "simulate/storing.hpp"

#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace simulate {

namespace {

using hashring::schemes::bkdr_spaced;
using hashring::schemes::ketama_group;
using hashring::schemes::murmur_shard_named;
using hashring::schemes::xxh3;

/// What a survivor can take beyond its own load.
constexpr double headroom = 0.25;

struct cascade_trial {
    cluster nodes{};
    std::uint64_t seed = 0;
    const settings& asked;
};

template <class Scheme>
load_function on_ring(const cascade_trial& t, std::uint32_t vnodes) {
    const std::vector<std::uint32_t> counts(t.nodes.size(), vnodes);
    return clockwise(arcs_of(following_ring<Scheme>(t.nodes, counts).ring()), t.nodes.size());
}

template <hdfs_policy Policy, std::size_t Copies>
load_function in_hdfs(const cascade_trial& t) {
    name_node master(t.nodes, Policy, hdfs_blocks, Copies, t.seed);
    std::vector<std::vector<std::size_t>> blocks;
    for (std::uint64_t i = 0; i < hdfs_blocks; ++i) {
        blocks.push_back(master.place_block());
    }
    return by_replicas(std::move(blocks), t.nodes.size());
}

template <std::uint32_t Vnodes>
load_function with_vnodes(const cascade_trial& t) {
    return on_ring<xxh3>(t, Vnodes);
}

load_function as_printed(const cascade_trial& t) {
    return on_ring<bkdr_spaced>(
        t, hashring::allocate_by_capability(t.nodes.capacities, t.asked.k).front());
}

load_function damped(const cascade_trial& t) {
    const following_ring<xxh3> placed = settled_ring(t.nodes, t.asked.vnodes);
    return clockwise(arcs_of(placed.ring()), t.nodes.size());
}

load_function after_transfers(const cascade_trial& t) {
    return clockwise(dealt_ring(t.nodes, t.asked.vnodes).arcs(), t.nodes.size());
}

struct cascade_strategy {
    strategy_name name;
    load_function (*place)(const cascade_trial&);
};

std::vector<cascade_strategy> all_strategies() {
    return {
        {name_of(strategy::hdfs_default_3), in_hdfs<hdfs_policy::random, 3>},
        {name_of(strategy::hdfs_default_1), in_hdfs<hdfs_policy::random, 1>},
        {name_of(strategy::hdfs_available_space), in_hdfs<hdfs_policy::available_space, 3>},
        {{"one-point", "1 point a node"}, with_vnodes<1>},
        {name_of(strategy::formula_1),
         [](const cascade_trial& t) {
             return on_ring<bkdr_spaced>(t, t.asked.vnodes);
         }},
        {name_of(strategy::as_printed), as_printed},
        {{"ten-points", "10 points a node"}, with_vnodes<10>},
        {{"murmur-shard-named", "the blog's ring, 100 points"},
         [](const cascade_trial& t) {
             return on_ring<murmur_shard_named>(t, 100);
         }},
        {{"ketama-group", "the Redis paper's ring, 160"},
         [](const cascade_trial& t) {
             return on_ring<ketama_group>(t, 160);
         }},
        {name_of(strategy::plain_vnodes),
         [](const cascade_trial& t) {
             return on_ring<xxh3>(t, t.asked.vnodes);
         }},
        {{"thousand-points", "1000 points a node"}, with_vnodes<1000>},
        {name_of(strategy::damped), damped},
        {name_of(strategy::transfers), after_transfers},
    };
}

} // namespace

experiment cascade(const settings& asked, const step_function& on_step) {
    experiment result;
    result.name = "cascade";
    result.title = "A node dies: the part of its load that the most-hit survivor gets";
    result.summary = "The avalanche of the shard blog. One of several equal nodes dies; on a ring "
                     "its clients go "
                     "on clockwise, in HDFS readers go to the other replicas. A survivor dies as "
                     "well if it gets "
                     "more than a quarter of its own load on top.";
    result.x_name = "nodes";
    result.x_title = "nodes";
    result.xs = {5, 10, 25, 100};
    const std::vector<cascade_strategy> strategies = all_strategies();
    for (const cascade_strategy& s : strategies) {
        result.strategies.push_back(s.name);
    }
    result.measures = {{"most_hit", "the most-hit survivor's part", true},
                       {"receivers", "effective receivers", false},
                       {"lost", "nodes lost in the end", true}};
    collector all(result.measures.size(), strategies.size(), result.xs.size());
    for (std::uint32_t i = 0; i < asked.seeds; ++i) {
        const std::uint64_t seed = asked.seed + i;
        for (std::size_t x = 0; x < result.xs.size(); ++x) {
            const std::size_t size = result.xs[x];
            const cascade_trial t{draw_cluster(size, capacity_rule::equal, seed), seed, asked};
            const std::size_t dead = random_source(seed, 6).below(size);
            for (std::size_t s = 0; s < strategies.size(); ++s) {
                const aftermath after = kill(strategies[s].place(t), size, dead, headroom);
                all.add(0, s, x, after.most_hit);
                all.add(1, s, x, after.receivers);
                all.add(2, s, x, after.lost);
            }
        }
        on_step();
    }
    all.finish(result);
    return result;
}

} // namespace simulate
