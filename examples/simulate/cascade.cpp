// SPDX-License-Identifier: MIT
#include "simulate/balanced_rings.hpp"
#include "simulate/experiments.hpp"
#include "simulate/failing_node.hpp"
#include "simulate/following_ring.hpp"
#include "simulate/hdfs_placement.hpp"
#include "simulate/random.hpp"
#include "simulate/storing.hpp"

#include <hashring/core/text.hpp>
#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
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
    return clockwise(arcs_of(ring_with<Scheme>(t.nodes, counts)), t.nodes.size());
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

load_function plain(const cascade_trial& t) {
    return on_ring<xxh3>(t, t.asked.vnodes);
}

load_function formula_1(const cascade_trial& t) {
    return on_ring<bkdr_spaced>(t, t.asked.vnodes);
}

load_function blog(const cascade_trial& t) {
    return on_ring<murmur_shard_named>(t, 100);
}

load_function redis_paper(const cascade_trial& t) {
    return on_ring<ketama_group>(t, 160);
}

load_function as_printed(const cascade_trial& t) {
    return on_ring<bkdr_spaced>(
        t, hashring::allocate_by_capability(t.nodes.capacities, t.asked.k).front());
}

/// A ring that one of ours evens out.
template <auto Balanced>
load_function evened_out(const cascade_trial& t) {
    return clockwise(arcs_of(Balanced(t.nodes, t.asked.vnodes)), t.nodes.size());
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
        {{"one-point", "plain points", "1 a node"}, with_vnodes<1>},
        {{"ten-points", "plain points", "10 a node"}, with_vnodes<10>},
        {{"plain-vnodes", "plain points", "as many as ours"}, plain},
        {{"thousand-points", "plain points", "1000 a node"}, with_vnodes<1000>},
        {{"formula-1", "the papers", "formula (1)"}, formula_1},
        {{"as-printed", "the papers", "improved, as printed"}, as_printed},
        {{"murmur-shard-named", "the papers", "shard blog, 100"}, blog},
        {{"ketama-group", "the papers", "Redis paper, 160"}, redis_paper},
        {name_of(strategy::corrected), evened_out<corrected_ring>},
        {name_of(strategy::damped), evened_out<settled_ring>},
        {name_of(strategy::transfers), evened_out<dealt_ring>},
    };
}

} // namespace

experiment cascade(const settings& asked, const step_function& on_step) {
    experiment result;
    result.name = "cascade";
    result.title = "A node dies: the part of its load that the most-hit survivor gets";
    result.summary = hashring::concat(
        "The avalanche of the shard blog. One of several equal nodes dies; on a ring its clients "
        "go on clockwise, in HDFS readers go to the other replicas. A survivor dies as well if it "
        "gets more than a quarter of its own load on top. Ours and as many plain points have ",
        hashring::decimal(asked.vnodes), " virtual nodes a node.");
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
