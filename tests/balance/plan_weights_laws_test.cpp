// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/drawn_stats.hpp"
#include "support/mismatches.hpp"
#include "support/rebalancing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What holds for all plans of the damped rebalancer, its warnings, edges and errors.

using namespace rebalancing;

namespace {

std::string warned(const weights_plan& plan) {
    std::string out;
    for (const plan_warning& w : plan.warnings) {
        out +=
            concat(w.kind == warning_kind::finer_than_vnodes ? "vnodes " : "noise ", w.node, "; ");
    }
    return out;
}

} // namespace

TEST_CASE("plan weights: equal loads change nothing, however fine the threshold",
          "[plan_weights][law]") {
    constexpr std::uint64_t seed = 261;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 100; ++round) {
        nodes all = drawn_stats(d, 2 + d.below(20));
        const std::uint64_t percent = 1 + d.below(100);
        for (node_stats& n : all) {
            n.used = n.total / 100 * percent;
        }
        const weights_plan plan = rebalance(all, limit("0%"));
        wrong.expect(plan.empty() && plan.outcome == plan_outcome::balanced, round);
    }
    CHECK(wrong.report() == "");
}

// Three rounds with new loads in each, so that the states carry what they can.
TEST_CASE("plan weights: neither order nor a common factor of the loads matters",
          "[plan_weights][law]") {
    constexpr std::uint64_t seed = 262;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 100; ++round) {
        nodes all = drawn_stats(d, 2 + d.below(12));
        thresholds t = limit("5%");
        t.smoothing = fraction64(0.3);
        t.cooldown = static_cast<std::uint32_t>(d.below(3));
        rebalance_state state;
        rebalance_state scaled_state;
        const std::uint64_t factor = 2 + d.below(1'000'000'000);
        for (int period = 0; period < 3; ++period) {
            nodes scaled = all;
            for (node_stats& n : scaled) {
                n.used *= factor;
                n.total *= factor;
            }
            d.shuffle(scaled);
            d.shuffle(scaled_state.nodes);
            const weights_plan plan = rebalance(all, t, state);
            wrong.expect(rebalance(scaled, t, scaled_state) == plan, round, period);
            state = plan.state;
            scaled_state = plan.state;
            for (node_stats& n : all) {
                n.used = d.below(n.total + 1);
            }
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("plan weights: a common factor of what is used alone does not matter",
          "[plan_weights][law]") {
    constexpr std::uint64_t seed = 263;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 100; ++round) {
        nodes all = drawn_stats(d, 2 + d.below(12));
        for (node_stats& n : all) {
            n.total *= 1'000;
        }
        const weights_plan plan = rebalance(all, limit("5%"));
        for (node_stats& n : all) {
            n.used *= 777;
        }
        wrong.expect(rebalance(all, limit("5%")) == plan, round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("plan weights: every change is caused and within its limits", "[plan_weights][law]") {
    constexpr std::uint64_t seed = 264;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 300; ++round) {
        const nodes all = drawn_stats(d, 2 + d.below(12));
        thresholds t = limit("10%");
        t.step = fraction64::percent(1 + d.below(100));
        t.gain = fraction64::percent(1 + d.below(100));
        t.ceiling = static_cast<std::uint32_t>(1 + d.below(3));
        t.floor = fraction64::percent(d.below(101));
        const weights_plan plan = rebalance(all, t);
        double capacity = 0.0;
        for (const node_stats& n : all) {
            capacity += static_cast<double>(n.total);
        }
        for (const vnode_change& c : plan.changes) {
            const auto n = std::find_if(all.begin(), all.end(),
                                        [&](const node_stats& s) { return s.name == c.name; });
            const bool is_over = c.load > c.reference;
            const double difference = c.vnodes - static_cast<double>(c.before);
            const double due = plan.state.vnodes * static_cast<double>(all.size()) *
                               static_cast<double>(n->total) / capacity;
            wrong.expect(c.before == n->vnodes, round);
            wrong.expect(is_over == (difference < 0), round, c.name);
            wrong.expect(detail::distance(c.load, c.reference) > c.allowed, round, c.name);
            wrong.expect(std::abs(difference) <= t.step.value() * c.before + 1e-9, round, c.name);
            wrong.expect(is_over || c.vnodes <= due * t.ceiling + 1e-6, round, c.name);
            wrong.expect(!is_over || c.vnodes >= t.floor.of(static_cast<std::uint64_t>(due + 1e-9)),
                         round, c.name);
            wrong.expect(c.vnodes >= 1, round, c.name);
        }
        wrong.expect(std::is_sorted(plan.changes.begin(), plan.changes.end(),
                                    [](const auto& a, const auto& b) { return a.name < b.name; }),
                     round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("plan weights: a threshold that is worth few virtual nodes is warned of",
          "[plan_weights][warning]") {
    const nodes three{node("a", 500, 160), node("b", 500, 100), node("c", 500, 99)};
    CHECK(warned(rebalance(three, limit("5%"))) == "vnodes c; ");
    CHECK(rebalance(three, limit("5%")).warnings[0].text ==
          "a threshold of 5 % is worth 4.9 of the 99 virtual nodes of 'c': below 5 it may not come "
          "to rest; take a wider one or more virtual nodes");
    CHECK(warned(rebalance(three, limit("5.1%"))).empty());
    CHECK(warned(rebalance(three, limit("0.02"))) == "vnodes c; "); // 4 % of the median 0.5
    CHECK(warned(rebalance(three, limit("0.026"))).empty());
    thresholds t = limit("5.1%");
    t.per_node = {{"b", threshold::parse("3%")}};
    CHECK(warned(rebalance(three, t)) == "vnodes b; ");
}

TEST_CASE("plan weights: a threshold within the noise of the loads is warned of",
          "[plan_weights][warning]") {
    nodes two{node("a", 0, 1000), node("b", 0, 1000)};
    thresholds t = limit("10%");
    t.load = load_kind::requests;
    const auto warned_at = [&](std::uint64_t requests) {
        two[0].requests = requests;
        two[1].requests = requests;
        return warned(rebalance(two, t));
    };
    CHECK(warned_at(899) == "noise a; "); // 3 / √900 is 10 %
    CHECK(warned_at(901).empty());
    t.smoothing = fraction64(0.3); // 3 / 17 of the variance is left
    CHECK(warned_at(157) == "noise a; ");
    CHECK(warned_at(160).empty());
    t.noise = fraction64::percent(7);
    CHECK(warned_at(1'000'000).empty()); // 0.07 · √(3 / 17) · 3 is 8.8 %
    t.noise = fraction64::percent(8);
    CHECK(warned_at(1'000'000) == "noise a; ");
    CHECK(rebalance(two, t).warnings[0].text ==
          "a threshold of 10 % is below three standard deviations of the load of 'a', each 3.36 %: "
          "take a wider one, or smooth more");
    t.load = load_kind::utilization;
    t.noise.reset();
    two[0].used = two[1].used = 1;
    CHECK(warned(rebalance(two, t)).empty());
}

TEST_CASE("plan weights: no load, and too few nodes", "[plan_weights][edge]") {
    const nodes idle{node("a", 0), node("b", 0), node("c", 0)};
    CHECK(rebalance(idle).empty());
    CHECK(rebalance(idle).outcome == plan_outcome::no_load);
    CHECK(rebalance(nodes{}).outcome == plan_outcome::too_few_nodes);
    CHECK(rebalance(nodes{node("a", 5)}).outcome == plan_outcome::too_few_nodes);
    CHECK(rebalance(nodes{node("a", 900), node("b", 1, 0)}).outcome == plan_outcome::too_few_nodes);
    const rebalance_state state = rebalance(nodes{node("a", 9), node("b", 5)}).state;
    CHECK(rebalance(idle, {}, state).state == state);
}

TEST_CASE("plan weights: what came out is said in words", "[plan_weights][edge]") {
    const nodes three{node("a", 500), node("b", 500), node("c", 500)};
    CHECK(describe(rebalance(three).outcome) ==
          "nothing to change: every node is within its threshold");
    std::vector<std::string_view> texts;
    for (const plan_outcome outcome :
         {plan_outcome::changes, plan_outcome::balanced, plan_outcome::waiting,
          plan_outcome::limited, plan_outcome::no_load, plan_outcome::too_few_nodes}) {
        texts.push_back(describe(outcome));
        CHECK_FALSE(texts.back().empty());
    }
    std::sort(texts.begin(), texts.end());
    CHECK(std::adjacent_find(texts.begin(), texts.end()) == texts.end());
}

TEST_CASE("plan weights: who does not take part is left out", "[plan_weights][edge]") {
    nodes all{node("a", 500), node("b", 510),  node("c", 505),
              node("d", 0),   node("e", 1000), node("f", 1000, 0)};
    all[3].state = node_state::down;
    all[4].state = node_state::leaving;
    all.push_back(node("g", 5, 100, 0));
    const weights_plan plan = rebalance(all);
    CHECK(plan.outcome == plan_outcome::balanced);
    CHECK(plan.state.nodes.size() == 3);
}

TEST_CASE("plan weights: a node that comes back begins anew", "[plan_weights][edge]") {
    thresholds t = limit("5%");
    t.cooldown = 9;
    nodes three{node("a", 500), node("b", 500), node("c", 800)};
    weights_plan plan = rebalance(three, t);
    CHECK(plan.state.nodes[2].cooldown == 9);
    three[2].state = node_state::down;
    plan = rebalance(three, t, plan.state);
    CHECK(plan.state.nodes.size() == 2);
    three[2].state = node_state::in_service;
    CHECK(counts(rebalance(three, t, plan.state)) == "c:100>81 ");
}

TEST_CASE("plan weights: a state made under other settings, or by hand", "[plan_weights][edge]") {
    const nodes three{node("a", 500), node("b", 500), node("c", 800)};
    rebalance_state state;
    state.nodes = {{"c", {}, fraction64::one(), direction::none, 0, false},
                   {"gone", {}, fraction64(0.5), direction::over, 7, true}};
    CHECK(counts(rebalance(three, limit("5%"), state)) == "c:100>81 ");
    state.nodes[0].gain = fraction64();
    CHECK(counts(rebalance(three, limit("5%"), state)) == "c:100>99 "); // a 32nd of the deviation
}

TEST_CASE("plan weights: small counts change by what the step allows", "[plan_weights][edge]") {
    const auto lightest = [&](std::uint32_t vnodes) {
        return counts(rebalance(nodes{node("a", 500, 4), node("b", 500, 4), node("c", 0, vnodes)}));
    };
    CHECK(lightest(3).empty());
    CHECK(lightest(4) == "c:4>5 ");
    CHECK(lightest(8) == "c:8>10 ");
}

TEST_CASE("plan weights: the largest numbers", "[plan_weights][edge]") {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    const nodes large{node("a", most / 2, max_points, most), node("b", most / 2, max_points, most),
                      node("c", most, max_points, most)};
    // At 2 to 1 a gain of a half takes a quarter.
    CHECK(counts(rebalance(large)) == "c:16777216>12582912 ");
    CHECK(rebalance(large).state.nodes[0].load.text() == "0.75");
    CHECK(rebalance(large).state.nodes[2].load.text() == "1.5");
    const nodes below{node("a", most / 8, 100, most / 4), node("b", most / 4, 100, most / 4),
                      node("c", most / 8, 100, most / 2 - 9)};
    CHECK(rebalance(below).state.nodes[0].load.text() == "1"); // sums just within 64 bits
    CHECK(rebalance(below).state.nodes[1].load.text() == "2");
    CHECK(rebalance(below).state.nodes[2].load.text() == "0.5");
    const nodes full{node("a", most, 100, most), node("b", most / 2, 100, most)};
    CHECK(rebalance(full).state.nodes[0].load.text() == "1.333");
    CHECK(rebalance(full).state.nodes[1].load.text() == "0.667");
    const nodes roomy{node("a", 1000, 100, most / 2 + 1), node("b", 2000, 100, most / 2 + 1),
                      node("c", 3000, 100, most / 2 + 1)};
    CHECK(rebalance(roomy).state.nodes[0].load.text() == "0.5");
    CHECK(rebalance(roomy).state.nodes[2].load.text() == "1.5");
    const nodes mixed{node("a", 1, 100, most), node("b", 1, 100, most), node("c", 1, 100, 1)};
    CHECK(counts(rebalance(mixed)) == "c:100>75 ");
    const nodes empty{node("a", most, 1000, most), node("b", most, 1000, most),
                      node("c", 1, max_points, most)};
    CHECK(counts(rebalance(empty)).empty());                 // at the most that a ring holds
    constexpr std::uint32_t most_vnodes = ~std::uint32_t{0}; // more than any ring holds
    const nodes counted{node("a", 10, most_vnodes), node("b", 500, most_vnodes),
                        node("c", 900, most_vnodes)};
    CHECK(counts(rebalance(counted)) == "c:4294967295>3340530118 "); // a is not given more
}

TEST_CASE("plan weights: little load on the largest capacities", "[plan_weights][edge]") {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    for (const std::uint64_t unit : {std::uint64_t{1}, std::uint64_t{1000}}) {
        CAPTURE(unit);
        const nodes little{node("a", unit, 100, most), node("b", 2 * unit, 100, most),
                           node("c", 3 * unit, 100, most)};
        const weights_plan plan = rebalance(little);
        CHECK(plan.state.nodes[0].load.text() == "0.5");
        CHECK(plan.state.nodes[1].load.text() == "1");
        CHECK(plan.state.nodes[2].load.text() == "1.5");
        CHECK(counts(plan) == "a:100>125 c:100>83 ");
    }
    // The cluster's load factor is below a step of 2^-63, so that any absolute threshold is wide.
    const nodes nothing{node("a", 1, 100, most), node("b", 0, 100, most), node("c", 0, 100, most)};
    CHECK(rebalance(nothing, limit("0.05")).outcome == plan_outcome::balanced);
    CHECK(rebalance(nothing, limit("5%")).outcome == plan_outcome::changes);
}

TEST_CASE("plan weights: more requests than 64 bits hold, on the least capacities",
          "[plan_weights][edge]") {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    nodes busy{node("a", 0, 100, 1), node("b", 0, 100, 1), node("c", 0, 100, 2)};
    busy[0].requests = most;
    busy[1].requests = most / 2;
    busy[2].requests = most;
    thresholds t = limit("5%");
    t.load = load_kind::requests;
    const weights_plan plan = rebalance(busy, t); // 2.5 in all, on 4
    CHECK(plan.state.nodes[0].load.text() == "1.6");
    CHECK(plan.state.nodes[1].load.text() == "0.8");
    CHECK(plan.state.nodes[2].load.text() == "0.8");
}

TEST_CASE("plan weights: statistics that are none", "[plan_weights][error]") {
    CHECK_THROWS_AS(rebalance(nodes{node("a", 1), node("b", 1), node("a", 2)}), invalid_node);
    CHECK_THROWS_AS(rebalance(nodes{node("a", 1), node("", 1)}), invalid_node);
    nodes unknown{node("a", 1), node("b", 1)};
    unknown[0].requests = 5;
    thresholds t;
    t.load = load_kind::requests;
    CHECK_THROWS_AS(rebalance(unknown, t), invalid_node);
    unknown[1].state = node_state::down;
    CHECK(rebalance(unknown, t).outcome == plan_outcome::too_few_nodes);
}

TEST_CASE("plan weights: settings that are none", "[plan_weights][error]") {
    const auto refused = [](auto set) {
        thresholds t;
        set(t);
        CHECK_THROWS_AS(rebalance(nodes{}, t), invalid_option);
    };
    refused([](thresholds& t) { t.gain = fraction64(); });
    refused([](thresholds& t) { t.step = fraction64(); });
    refused([](thresholds& t) { t.smoothing = fraction64(); });
    refused([](thresholds& t) { t.transfer_gain = fraction64(); });
    refused([](thresholds& t) { t.vnodes = 0; });
    refused([](thresholds& t) { t.vnodes = max_points + 1; });
    refused([](thresholds& t) { t.ceiling = 0; });
    refused([](thresholds& t) { t.ceiling = max_points + 1; });
    refused([](thresholds& t) { t.per_node = {{"a", {}}, {"a", {}}}; });
    refused([](thresholds& t) {
        t.load = load_kind::requests;
        t.limit = threshold::parse("0.05");
    });
    refused([](thresholds& t) {
        t.load = load_kind::requests;
        t.per_node = {{"a", threshold::parse("0.05")}};
    });
}
