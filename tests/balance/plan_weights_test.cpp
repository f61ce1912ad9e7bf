// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/rebalancing.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

// What the damped rebalancer does, case by case.

using namespace rebalancing;

TEST_CASE("plan weights: half of a deviation is corrected, at most a quarter of the count",
          "[plan_weights][golden][small]") {
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
    CHECK(plan.changes[0].text() == "'b': load 1.395 times the cluster's, 20 % above the "
                                    "reference of 1.163 (threshold 5 %): 100 -> 92 virtual nodes");
    CHECK(plan.changes[2].text() == "'d': load 0.233 times the cluster's, 80 % below the "
                                    "reference of 1.163 (threshold 5 %): 100 -> 125 virtual nodes");
    CHECK(plan.state.vnodes == 100);
    CHECK(plan.state.nodes.size() == 5);
}

TEST_CASE("plan weights: of an even number of nodes the upper middle one is the median",
          "[plan_weights][golden][small]") {
    const nodes four{node("a", 510), node("b", 400), node("c", 600), node("d", 590)};
    CHECK(counts(rebalance(four, limit("5%"))) == "a:100>108 b:100>124 ");
}

TEST_CASE("plan weights: loads are relative to capacity", "[plan_weights][golden][small]") {
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
    CHECK(plan.changes[0].text() ==
          "'c': load 1.039 times the cluster's, 6 % above the "
          "reference of 0.98 (threshold 10 %, not yet released): 100 -> 97 virtual nodes");
    three[2].used = 1050;
    plan = rebalance(three, t, plan.state);
    CHECK(plan.empty());
    thresholds slow = t;
    slow.release = fraction64(0.25);
    rebalance_state still_active = plan.state;
    still_active.nodes[2].active = true;
    CHECK(counts(rebalance(three, slow, still_active)) == "c:100>98 ");
    CHECK(rebalance(three, t, still_active).empty());
    three[2].used = 1060;
    CHECK(rebalance(three, t, plan.state).empty());
}

TEST_CASE("plan weights: a load exactly at its threshold is within it", "[plan_weights][golden]") {
    for (const std::string_view text : {"10%", "0.05"}) { // of 0.5
        nodes three{node("a", 500'000, 100, 1'000'000), node("b", 550'000, 100, 1'000'000),
                    node("c", 450'000, 100, 1'000'000)};
        CHECK(rebalance(three, limit(text)).outcome == plan_outcome::balanced);
        three[1].used += 10;
        three[2].used -= 10;
        CHECK(counts(rebalance(three, limit(text))) == "b:100>95 c:100>106 ");
    }
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
