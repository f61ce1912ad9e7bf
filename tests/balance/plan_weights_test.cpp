// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/drawn_stats.hpp"
#include "support/mismatches.hpp"

#include <hashring/balance/rebalance.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace hashring;

namespace {

using nodes = std::vector<node_stats>;

node_stats node(std::string name, std::uint64_t used, std::uint32_t vnodes = 100,
                std::uint64_t total = 1000) {
    node_stats result;
    result.name = std::move(name);
    result.total = total;
    result.used = used;
    result.vnodes = vnodes;
    return result;
}

std::string counts(const weights_plan& plan) {
    std::string out;
    for (const vnode_change& c : plan.changes) {
        out += concat(c.name, ":", decimal(c.before), ">", decimal(c.vnodes), " ");
    }
    return out;
}

thresholds limit(std::string_view text) {
    thresholds result;
    result.limit = threshold::parse(text);
    return result;
}

std::string warned(const weights_plan& plan) {
    std::string out;
    for (const plan_warning& w : plan.warnings) {
        out +=
            concat(w.kind == warning_kind::finer_than_vnodes ? "vnodes " : "noise ", w.node, "; ");
    }
    return out;
}

} // namespace

TEST_CASE("plan weights: half of a deviation is corrected, at most a quarter of the count",
          "[plan_weights][golden]") {
    // 600 takes 100 · ½ · 100 / 600 = 8.3, 450 adds 100 · ½ · 50 / 450 = 5.6, 100 the whole step
    const nodes five{node("a", 500), node("b", 600), node("c", 450), node("d", 100),
                     node("e", 500)};
    const weights_plan plan = rebalance(five, limit("5%"));
    CHECK(counts(plan) == "b:100>92 c:100>106 d:100>125 ");
    CHECK(plan.outcome == plan_outcome::changes);
    CHECK(plan.changes[0].gain == fraction64(0.5));
    CHECK(plan.changes[0].limit == threshold{});
    CHECK(plan.changes[0].load.text() == "1.395");      // 600 / 430
    CHECK(plan.changes[0].reference.text() == "1.163"); // 500 / 430
    CHECK(plan.changes[0].allowed.text() == "0.058");
    CHECK(plan.changes[0].text() == "'b': load 1.395 is 20 % above the reference 1.163 "
                                    "(threshold 5 %): 100 -> 92 virtual nodes");
    CHECK(plan.changes[2].text() == "'d': load 0.233 is 80 % below the reference 1.163 "
                                    "(threshold 5 %): 100 -> 125 virtual nodes");
    CHECK(plan.state.vnodes == 100);
    CHECK(plan.state.nodes.size() == 5);
}

TEST_CASE("plan weights: loads are relative to capacity", "[plan_weights][golden]") {
    const nodes even{node("a", 100, 40, 200), node("b", 200, 80, 400), node("c", 400, 160, 800)};
    CHECK(rebalance(even).empty());
    CHECK(rebalance(even).outcome == plan_outcome::balanced);
    nodes busy = even;
    for (node_stats& n : busy) {
        n.requests = n.total * 3;
    }
    thresholds by_requests = limit("8%");
    by_requests.load = load_kind::requests;
    CHECK(rebalance(busy, by_requests).outcome == plan_outcome::balanced);
    busy[2].requests = 8 * 400; // twice the rate of the others, less a third
    CHECK(counts(rebalance(busy, by_requests)) == "c:160>140 ");
    CHECK(rebalance(busy).empty());
}

TEST_CASE("plan weights: a node without load gets the whole step", "[plan_weights][golden]") {
    const nodes three{node("a", 500), node("b", 500), node("c", 0)};
    CHECK(counts(rebalance(three, limit("100%"))).empty()); // is not more than all of the median
    CHECK(counts(rebalance(three, limit("99%"))) == "c:100>125 ");
    thresholds t = limit("5%");
    t.gain = fraction64::percent(1);
    CHECK(counts(rebalance(three, t)) == "c:100>125 ");
    t.step = fraction64::percent(1); // 1 of 100, although the fraction is rounded down
    CHECK(counts(rebalance(three, t)) == "c:100>101 ");
    t.step = fraction64::ratio(19, 1000);
    CHECK(counts(rebalance(three, t)) == "c:100>101 ");
    // Where most hold nothing the mean is what to compare with.
    CHECK(counts(rebalance(nodes{node("a", 0), node("b", 0), node("c", 900)})) ==
          "a:100>125 b:100>125 c:100>75 ");
}

TEST_CASE("plan weights: a node is corrected until it is released", "[plan_weights][golden]") {
    nodes three{node("a", 1000, 100, 2000), node("b", 1000, 100, 2000), node("c", 1090, 100, 2000)};
    const thresholds t = limit("10%");
    weights_plan plan = rebalance(three, t);
    CHECK(plan.empty()); // within the threshold from the start
    three[2].used = 1110;
    plan = rebalance(three, t, plan.state);
    CHECK(counts(plan) == "c:100>95 ");
    CHECK_FALSE(plan.changes[0].by_release);
    three[2].used = 1060;
    plan = rebalance(three, t, plan.state);
    CHECK(counts(plan) == "c:100>97 ");
    CHECK(plan.changes[0].by_release);
    CHECK(plan.changes[0].text() == "'c': load 1.039 is 6 % above the reference 0.98 (threshold "
                                    "10 %, not yet released): 100 -> 97 virtual nodes");
    three[2].used = 1050;
    plan = rebalance(three, t, plan.state);
    CHECK(plan.empty());
    three[2].used = 1060;
    CHECK(rebalance(three, t, plan.state).empty());
}

TEST_CASE("plan weights: a deviation that swings halves its node's gain",
          "[plan_weights][golden]") {
    nodes three{node("a", 500, 1000), node("b", 500, 1000), node("c", 600, 1000)};
    const thresholds t = limit("5%");
    weights_plan plan;
    std::vector<std::uint64_t> gains; // in 32nds of the whole
    const auto round = [&](std::uint64_t used) {
        three[2].used = used;
        plan = rebalance(three, t, plan.state);
        gains.push_back(plan.state.nodes[2].gain.bits() / (fraction64::one_bits / 32));
    };
    for (const std::uint64_t used : {600U, 400U, 600U, 400U, 600U, 400U}) {
        round(used);
    }
    CHECK(gains == std::vector<std::uint64_t>{16, 8, 4, 2, 1, 1}); // a sixteenth is the least
    CHECK(counts(plan) == "c:1000>1008 ");                         // 1000 / 32 · 100 / 400
    for (int i = 0; i < 8; ++i) {
        round(400);
    }
    CHECK(gains.back() == 2); // 1.1^8
    for (int i = 0; i < 40; ++i) {
        round(500);
    }
    CHECK(plan.state.nodes[2].gain == t.gain);
}

TEST_CASE("plan weights: a node is left alone in its cooldown", "[plan_weights][golden]") {
    const nodes three{node("a", 500), node("b", 500), node("c", 800)};
    thresholds t = limit("5%");
    t.cooldown = 2;
    weights_plan plan = rebalance(three, t);
    CHECK(counts(plan) == "c:100>81 ");
    for (int round = 0; round < 2; ++round) {
        plan = rebalance(three, t, plan.state);
        CHECK(plan.empty());
        CHECK(plan.outcome == plan_outcome::waiting);
    }
    CHECK(counts(rebalance(three, t, plan.state)) == "c:100>81 ");
}

TEST_CASE("plan weights: loads are smoothed", "[plan_weights][golden]") {
    nodes four{node("a", 500), node("b", 500), node("c", 500), node("d", 500)};
    thresholds t = limit("9%");
    t.smoothing = fraction64(0.25);
    weights_plan plan = rebalance(four, t);
    four[3].used = 700; // 1.2727 of the mean 550; the others come to 0.9091
    plan = rebalance(four, t, plan.state);
    CHECK(plan.state.nodes[3].load.text() == "1.068"); // 1 + 0.2727 / 4
    CHECK(plan.state.nodes[0].load.text() == "0.977");
    CHECK(counts(plan) == "d:100>96 ");
    t.limit = threshold::parse("10%");
    CHECK(rebalance(four, t,
                    rebalance(nodes{node("d", 500), node("a", 500), node("b", 500)}, t).state)
              .empty());
}

TEST_CASE("plan weights: counts stay between their floor and their ceiling",
          "[plan_weights][golden]") {
    thresholds t = limit("5%");
    t.vnodes = 100;
    t.ceiling = 2;
    const auto lightest = [&](std::uint32_t vnodes) {
        return counts(rebalance(nodes{node("a", 500), node("b", 500), node("c", 10, vnodes)}, t));
    };
    CHECK(lightest(160) == "c:160>200 ");
    CHECK(lightest(199) == "c:199>200 ");
    CHECK(lightest(200).empty());
    CHECK(lightest(300).empty());
    const auto heaviest = [&](std::uint32_t vnodes) {
        return counts(rebalance(nodes{node("a", 50), node("b", 50), node("c", 900, vnodes)}, t));
    };
    CHECK(heaviest(40) == "c:40>30 ");
    CHECK(heaviest(28) == "c:28>25 ");
    CHECK(heaviest(25).empty());
    CHECK(heaviest(10).empty());
    CHECK(heaviest(300) == "c:300>225 "); // comes back
    const nodes outside{node("a", 500), node("b", 500), node("c", 10, 200)};
    CHECK(rebalance(outside, t).outcome == plan_outcome::limited);
}

TEST_CASE("plan weights: additions are smaller where there are more virtual nodes than are due",
          "[plan_weights][golden]") {
    thresholds t = limit("5%");
    t.vnodes = 50;
    const nodes three{node("a", 500), node("b", 600), node("c", 400)};
    CHECK(counts(rebalance(three, t)) == "b:100>92 c:100>106 "); // 12.5 / 2
    t.vnodes = 100;
    CHECK(counts(rebalance(three, t)) == "b:100>92 c:100>113 ");
    t.vnodes = 400;
    CHECK(counts(rebalance(three, t)) == "c:100>113 "); // b is at its floor
}

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
    const nodes mixed{node("a", 1, 100, most), node("b", 1, 100, most), node("c", 1, 100, 1)};
    CHECK(counts(rebalance(mixed)) == "c:100>75 ");
    const nodes empty{node("a", most, 1000, most), node("b", most, 1000, most),
                      node("c", 1, max_points, most)};
    CHECK(counts(rebalance(empty)).empty()); // at the most that a ring holds
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
