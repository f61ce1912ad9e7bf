// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/drawn_stats.hpp"
#include "support/mismatches.hpp"

#include <hashring/balance/round_robin.hpp>
#include <hashring/balance/smooth_order.hpp>
#include <hashring/balance/water_filling.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace hashring;

namespace {

constexpr std::uint64_t most = 0xffffffffffffffffU;

using nodes = std::vector<node_stats>;
using numbers = std::vector<std::uint64_t>;

node_stats node(std::string name, std::uint64_t total, std::uint64_t used, node_state state = {}) {
    node_stats result;
    result.name = std::move(name);
    result.total = total;
    result.used = used;
    result.state = state;
    return result;
}

numbers weights(const std::vector<store_weight>& of) {
    numbers result;
    for (const store_weight& w : of) {
        result.push_back(w.weight);
    }
    return result;
}

std::uint64_t sum(const std::vector<store_weight>& of) {
    std::uint64_t result = 0;
    for (const store_weight& w : of) {
        result += w.weight;
    }
    return result;
}

// Ten nodes of 200, 400 and 800 thousand files, up to 30 % full.
nodes skewed_start(dice& d) {
    nodes result;
    for (std::size_t i = 0; i < 10; ++i) {
        const std::uint64_t total = 200'000U << (i % 3);
        result.push_back(node(decimal(i), total, d.below(total * 3 / 10)));
    }
    return result;
}

// Writes `files` files, the weights being refreshed after every `period` of them.
template <class Weigh>
void write(nodes& cluster, std::uint64_t files, std::uint64_t period, Weigh weigh) {
    smooth_order order;
    std::map<std::string, node_stats*, std::less<>> by_name;
    for (node_stats& n : cluster) {
        by_name[n.name] = &n;
    }
    for (std::uint64_t file = 0; file < files; ++file) {
        if (file % period == 0) {
            order.refresh(weigh(cluster));
        }
        by_name.find(*order.next())->second->used += 1;
    }
}

// Three tenths of the capacity, which lifts everybody above whoever was the fullest; the factors
// are refreshed after every 0.05 % of a small node's.
double gap_once_filled(std::uint64_t seed) {
    dice d(seed);
    nodes cluster = skewed_start(d);
    write(cluster, 1'320'000, 100, [](const nodes& now) { return round_robin_weights(now).nodes; });
    return measure(cluster).load_gap;
}

} // namespace

TEST_CASE("round robin: only nodes below the reference get data, by their free space",
          "[round_robin][golden]") {
    // Utilisations 0.25, 0.5, 0.7; together 1000 of 1700, in the mean 0.4833….
    const nodes three{node("a", 400, 100), node("b", 300, 150), node("c", 1000, 700)};
    const store_weights by_cluster = round_robin_weights(three);
    CHECK(weights(by_cluster.nodes) == numbers{300, 150, 0});
    CHECK(by_cluster.reference == fraction64::ratio(950, 1700));
    CHECK_FALSE(by_cluster.by_capacity);
    CHECK(by_cluster.nodes[1].name == "b");
    const store_weights by_mean = round_robin_weights(three, load_reference::mean);
    CHECK(weights(by_mean.nodes) == numbers{300, 0, 0});
    CHECK(by_mean.reference == mean_utilization(three));
}

TEST_CASE("round robin: equally full nodes get data by their capacities", "[round_robin][golden]") {
    const nodes equal{node("a", 400, 100), node("b", 800, 200), node("c", 100, 25)};
    for (const load_reference reference : {load_reference::cluster, load_reference::mean}) {
        const store_weights w = round_robin_weights(equal, reference);
        CHECK(weights(w.nodes) == numbers{400, 800, 100});
        CHECK(w.by_capacity);
    }
    CHECK(weights(round_robin_weights(nodes{node("a", 400, 0)}).nodes) == numbers{400});
}

TEST_CASE("water filling: known levels", "[water_filling][golden]") {
    const nodes two{node("a", 100, 40), node("b", 100, 20)};
    CHECK(weights(water_filling_weights(two, 10)) == numbers{0, 10});
    CHECK(weights(water_filling_weights(two, 20)) == numbers{0, 20});
    CHECK(weights(water_filling_weights(two, 40)) == numbers{10, 30});
    CHECK(weights(water_filling_weights(two, 1000)) == numbers{60, 80});
    CHECK(weights(water_filling_weights(two, 0)) == numbers{0, 0});
    const nodes uneven{node("a", 100, 50), node("b", 400, 100), node("c", 500, 500)};
    CHECK(weights(water_filling_weights(uneven, 150)) == numbers{10, 140, 0}); // to 60 %
    const nodes empty{node("c", 10, 0), node("a", 10, 0), node("b", 10, 0)};
    CHECK(weights(water_filling_weights(empty, 4)) == numbers{1, 2, 1}); // the rest by name
}

TEST_CASE("round robin: a fuller node never gets data while an emptier one gets none",
          "[round_robin][law]") {
    constexpr std::uint64_t seed = 231;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 400; ++round) {
        const nodes all = drawn_stats(d, 1 + d.below(12));
        for (const load_reference reference : {load_reference::cluster, load_reference::mean}) {
            const store_weights w = round_robin_weights(all, reference);
            fraction64 fullest_fed;
            fraction64 emptiest_unfed = fraction64::one();
            for (std::size_t i = 0; i < all.size(); ++i) {
                const fraction64 load = utilization(all[i]);
                if (w.nodes[i].weight > 0) {
                    fullest_fed = std::max(fullest_fed, load);
                } else {
                    emptiest_unfed = std::min(emptiest_unfed, load);
                }
                wrong.expect(w.by_capacity || (w.nodes[i].weight > 0) == (load < w.reference),
                             round);
            }
            wrong.expect(fullest_fed <= emptiest_unfed, round);
            wrong.expect(all.size() == 1 || !w.by_capacity, round);
            wrong.expect(sum(w.nodes) > 0, round);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("water filling: all that are reached come to one level", "[water_filling][law]") {
    constexpr std::uint64_t seed = 232;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 400; ++round) {
        const nodes all = drawn_stats(d, 1 + d.below(12));
        std::uint64_t room = 0;
        for (const node_stats& n : all) {
            room += n.free();
        }
        const std::uint64_t batch = d.below(room + room / 4 + 5);
        const std::vector<store_weight> w = water_filling_weights(all, batch);
        wrong.compare(sum(w), std::min(batch, room), round);
        double lowest = 2.0;
        double highest_fed = 0.0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double level =
                static_cast<double>(all[i].used + w[i].weight) / static_cast<double>(all[i].total);
            lowest = std::min(lowest, level);
            highest_fed = w[i].weight > 0 ? std::max(highest_fed, level) : highest_fed;
        }
        wrong.expect(highest_fed < lowest + 3e-6, round, highest_fed, lowest); // units of 1e-6
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("round robin: a skewed cluster is even once its skew is filled", "[round_robin][law]") {
    constexpr std::uint64_t seed = 233;
    CAPTURE(seed);
    dice d(seed);
    CHECK(measure(skewed_start(d)).load_gap > 0.8);
    CHECK(gap_once_filled(seed) < 0.01);
}

TEST_CASE("round robin: the same over 60 seeds", "[round_robin][law][.long]") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        CHECK(gap_once_filled(seed) < 0.01);
    }
}

TEST_CASE("round robin: rare refreshes leave a gap, and water filling none",
          "[round_robin][water_filling]") {
    constexpr std::uint64_t seed = 234;
    CAPTURE(seed);
    dice d(seed);
    nodes by_factor = skewed_start(d);
    nodes by_level = by_factor;
    constexpr std::uint64_t period = 215'000; // a twentieth of the capacity
    write(by_factor, 4 * period, period,
          [](const nodes& now) { return round_robin_weights(now).nodes; });
    write(by_level, 4 * period, period,
          [](const nodes& now) { return water_filling_weights(now, period); });
    CHECK(measure(by_factor).load_gap > 0.05);
    CHECK(measure(by_level).load_gap < 0.0001);
}

TEST_CASE("round robin: full nodes get nothing, whatever the others are", "[round_robin][edge]") {
    const nodes full{node("a", 100, 100), node("b", 200, 300)};
    CHECK(weights(round_robin_weights(full).nodes) == numbers{0, 0});
    CHECK(round_robin_weights(full).by_capacity);
    CHECK(weights(water_filling_weights(full, 50)) == numbers{0, 0});
    const nodes nearly{node("a", 100, 100), node("b", 100, 99)};
    CHECK(weights(round_robin_weights(nearly).nodes) == numbers{0, 1});
    CHECK(weights(water_filling_weights(nearly, 50)) == numbers{0, 1});
}

TEST_CASE("round robin: who does not take part gets nothing and is no reference",
          "[round_robin][edge]") {
    const nodes some{node("a", 100, 50), node("b", 100, 0, node_state::down),
                     node("c", 100, 0, node_state::leaving), node("d", 0, 0), node("e", 100, 60)};
    CHECK(weights(round_robin_weights(some).nodes) == numbers{50, 0, 0, 0, 0});
    CHECK(weights(water_filling_weights(some, 30)) == numbers{20, 0, 0, 0, 10});
    CHECK(round_robin_weights(nodes{}).nodes.empty());
    CHECK(water_filling_weights(nodes{}, 5).empty());
    CHECK(weights(round_robin_weights(nodes{node("d", 0, 0)}).nodes) == numbers{0});
}

TEST_CASE("round robin: the largest capacities", "[round_robin][edge]") {
    const nodes large{node("a", most, most / 4), node("b", most, 0), node("c", most, most)};
    CHECK(weights(round_robin_weights(large).nodes) == numbers{most - most / 4, most, 0});
    const auto filled = water_filling_weights(large, most);
    CHECK(filled[0].weight + filled[1].weight == most);
    CHECK(filled[1].weight - filled[0].weight - most / 4 <= 4); // rounded to 2^-63 of the level
    CHECK(filled[2].weight == 0);
}
