// SPDX-License-Identifier: MIT
#include "simulate/balanced_rings.hpp"
#include "simulate/experiments.hpp"
#include "simulate/following_ring.hpp"
#include "simulate/hdfs_placement.hpp"
#include "simulate/operations.hpp"
#include "simulate/storing.hpp"

#include <hashring/core/text.hpp>
#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace simulate {

namespace {

using hashring::schemes::bkdr_spaced;
using hashring::schemes::xxh3;

constexpr std::size_t cluster_size = 10;
constexpr std::uint64_t operations = 10'000;

/// The measures, in their order.
enum measure_index : std::size_t { load_gap, moved_data, operations_gap };

/// In the order in which a trial runs them.
std::vector<strategy_name> all_strategies() {
    return {name_of(strategy::hdfs_default_3),
            name_of(strategy::hdfs_default_1),
            name_of(strategy::hdfs_available_space),
            name_of(strategy::plain_vnodes),
            name_of(strategy::formula_1),
            name_of(strategy::as_printed),
            {"literal", "postal paper", "its rule, plain vnodes"},
            name_of(strategy::corrected),
            name_of(strategy::damped),
            name_of(strategy::transfers)};
}

/// The periods that are looked at, after the start at 0.
std::vector<std::uint64_t> looked_at(std::uint32_t periods) {
    std::vector<std::uint64_t> result;
    for (const std::uint32_t p : {0U,  1U,   2U,   3U,   5U,   7U,   10U,  15U,   20U,   30U,  50U,
                                  70U, 100U, 150U, 200U, 300U, 500U, 700U, 1000U, 2000U, 5000U}) {
        if (p < periods) {
            result.push_back(p);
        }
    }
    result.push_back(periods);
    return result;
}

hashring::literal_plan literal_rule(const std::vector<hashring::node_stats>& stats,
                                    const hashring::literal_state& state) {
    return hashring::literal_hashed(stats, {}, state);
}
hashring::weights_plan damped_rule(const std::vector<hashring::node_stats>& stats,
                                   const hashring::rebalance_state& state) {
    return hashring::rebalance(stats, {}, state);
}
hashring::transfer_plan transfer_rule(const std::vector<hashring::node_stats>& stats,
                                      const hashring::transfer_state& state) {
    return hashring::plan_transfers(stats, {}, state);
}

/// One trial: what a strategy's loads are, period after period.
class trial_run {
public:
    trial_run(const dynamic_settings& asked, std::span<const std::uint64_t> xs, std::uint64_t seed,
              collector& into)
        : asked_(asked),
          xs_(xs),
          seed_(seed),
          into_(into),
          nodes_(draw_cluster(cluster_size, asked.capacities, seed)) {}

    void run_all() {
        const std::vector<std::uint32_t> equal_counts(cluster_size, asked_.common.vnodes);
        const std::vector<std::uint32_t> by_capability =
            hashring::allocate_by_capability(nodes_.capacities, asked_.common.k);
        const auto plain = ring_with<xxh3>(nodes_, equal_counts);
        run_still(hdfs(hdfs_policy::random, 3));
        run_still(hdfs(hdfs_policy::random, 1));
        run_still(hdfs(hdfs_policy::available_space, 3));
        run_still(plain.shares());
        run_still(ring_with<bkdr_spaced>(nodes_, equal_counts).shares());
        govern(ring_with<bkdr_spaced>(nodes_, by_capability), literal_rule);
        govern(plain, literal_rule);
        run_still(corrected_ring(nodes_, asked_.common.vnodes).shares());
        govern(plain, damped_rule);
        govern(hashring::exact_ring<>(plain), transfer_rule);
    }

private:
    [[nodiscard]] std::vector<double> hdfs(hdfs_policy policy, std::size_t copies) const {
        std::vector<double> shares;
        for (const std::uint64_t held : place_blocks(nodes_, policy, hdfs_blocks, copies, seed_)) {
            shares.push_back(static_cast<double>(held) / static_cast<double>(hdfs_blocks * copies));
        }
        return shares;
    }

    /// What is seen of one distribution of the data.
    struct view {
        double gap = 0.0;
        double operations_gap = 0.0;
    };
    [[nodiscard]] view look_at(const std::vector<double>& shares) const {
        return {gap_of(shares, nodes_),
                gap_of(count_operations(shares, operations, seed_), nodes_)};
    }

    void note(std::size_t x, const view& seen, double moved) {
        into_.add(load_gap, next_, x, seen.gap);
        into_.add(moved_data, next_, x, moved);
        into_.add(operations_gap, next_, x, seen.operations_gap);
    }

    /// A strategy whose data stay where they are.
    void run_still(const std::vector<double>& shares) {
        const view seen = look_at(shares);
        for (std::size_t x = 0; x < xs_.size(); ++x) {
            note(x, seen, 0.0);
        }
        ++next_;
    }

    /// A rule makes a plan each period, and the data follow at once. Once a plan changes neither
    /// the ring nor the state, all later ones are the same.
    template <class Ring, class Plan, class State>
    void govern(Ring start, Plan (*rule)(const std::vector<hashring::node_stats>&, const State&)) {
        following_ring<Ring> placed(nodes_, std::move(start));
        State state;
        double moved = 0.0;
        bool at_rest = false;
        std::uint64_t period = 0;
        view seen = look_at(placed.shares());
        for (std::size_t x = 0; x < xs_.size(); ++x) {
            const std::uint64_t before = period;
            for (; period < xs_[x] && !at_rest; ++period) {
                const Plan plan = rule(placed.stats(), state);
                at_rest = plan.empty() && plan.state == state;
                moved += placed.apply(plan);
                state = plan.state;
            }
            seen = period > before ? look_at(placed.shares()) : seen;
            note(x, seen, moved);
        }
        ++next_;
    }

    const dynamic_settings& asked_;
    std::span<const std::uint64_t> xs_;
    std::uint64_t seed_;
    collector& into_;
    cluster nodes_;
    std::size_t next_ = 0; ///< strategy
};

} // namespace

experiment dynamic(const dynamic_settings& asked, const step_function& on_step) {
    experiment result;
    result.name = "dynamic";
    const bool mixed = asked.capacities == capacity_rule::mixed;
    result.title = hashring::concat("Self-check every 30 s: load gap of 10 ",
                                    mixed ? "nodes of 1 : 2 : 4" : "equal nodes");
    result.summary = hashring::concat(
        "Figure 8 of the postal paper. Every node begins with ",
        hashring::decimal(asked.common.vnodes),
        " virtual nodes, the paper as printed with its counts by capability, k = ",
        hashring::decimal(asked.common.k),
        ", corrected counts with capacities for weights. A rule makes a plan each period with a "
        "threshold of 5 % of the median, and the data follow at once. Data that are asked for "
        "10,000 times show the gap of operations.");
    result.x_name = "period";
    result.x_title = "periods";
    result.xs = looked_at(asked.periods);
    result.strategies = all_strategies();
    result.measures = {{"load_gap", "load gap", true},
                       {"moved", "data moved so far", true},
                       {"operations_gap", "gap of 10,000 operations", true}};
    if (!mixed) {
        result.published = {{"plain", 0.23, 0.23}, {"improved", 0.08, 0.08}};
    }
    collector all(result.measures.size(), result.strategies.size(), result.xs.size());
    for (std::uint32_t i = 0; i < asked.common.seeds; ++i) {
        trial_run(asked, result.xs, asked.common.seed + i, all).run_all();
        on_step();
    }
    all.finish(result);
    return result;
}

} // namespace simulate
