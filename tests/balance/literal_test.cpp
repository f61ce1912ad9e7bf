// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/drawn_stats.hpp"
#include "support/mismatches.hpp"

#include <hashring/balance/literal.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
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

thresholds absolute(double difference) {
    thresholds result;
    result.limit = threshold::absolute(fraction64(difference));
    return result;
}

std::string counts(const literal_plan& plan) {
    std::string out;
    for (const literal_change& c : plan.changes) {
        out += concat(c.name, ":", decimal(c.before), ">", decimal(c.vnodes), " ");
    }
    return out;
}

std::string alerts(const literal_plan& plan) {
    std::string out;
    for (const alert_event& e : plan.alerts) {
        out += concat(e.raised ? "+" : "-", e.alert.name,
                      e.alert.kind == alert_kind::overloaded ? "^ " : "_ ");
    }
    return out;
}

} // namespace

TEST_CASE("literal: one virtual node less for the heaviest, one more for the lightest",
          "[literal][golden][small]") {
    const nodes four{node("a", 500), node("b", 700), node("c", 300), node("d", 510)};
    const literal_plan plan = literal_hashed(four, absolute(0.1));
    CHECK(counts(plan) == "b:100>99 c:100>101 ");
    CHECK(alerts(plan) == "+b^ -b^ +c_ -c_ ");
    CHECK(plan.state.alerts.empty());
    CHECK(plan.outcome == plan_outcome::changes);
    CHECK(plan.changes[0].median == fraction64::ratio(51, 100)); // the upper one of four
    CHECK(
        plan.changes[0].text() ==
        "'b': load factor 70 % is above the median 51 % by more than the threshold 0.1: 100 -> 99 "
        "virtual nodes");
    CHECK(
        plan.changes[1].text() ==
        "'c': load factor 30 % is below the median 51 % by more than the threshold 0.1: 100 -> 101 "
        "virtual nodes");
}

TEST_CASE("literal: a new virtual node evens out the anticlockwise neighbour",
          "[literal][golden][small]") {
    const nodes three{node("a", 500), node("b", 510), node("c", 300, 100, 500)};
    const nodes light{node("a", 500), node("b", 600), node("c", 100, 100, 500)};
    const thresholds t = absolute(0.2);
    CHECK(literal_equalising(three, {}, t).outcome == plan_outcome::balanced);
    const std::vector<ring_neighbour> rich{{"a", "b", 90}, {"c", "b", 400}};
    const literal_plan plan = literal_equalising(light, rich, t);
    // (600 · 500 − 100 · 1000) / 1500: 467 of 1000 and 233 of 500
    CHECK(counts(plan) == "c:100>101 ");
    CHECK(plan.changes[0].cut == arc_cut{"b", 133});
    CHECK(
        plan.changes[0].text() ==
        "'c': load factor 20 % is below the median 50 % by more than the threshold 0.2: 100 -> 101 "
        "virtual nodes, the new one takes 133 from 'b'");
    const std::vector<ring_neighbour> poor{{"c", "b", 40}};
    CHECK(literal_equalising(light, poor, t).changes[0].cut == arc_cut{"b", 40});
    CHECK(counts(literal_hashed(light, t)) == "c:100>101 ");
    CHECK_FALSE(literal_hashed(light, t).changes[0].cut);
}

TEST_CASE("literal: each node has its own threshold", "[literal][golden][small]") {
    const nodes three{node("a", 500), node("b", 700), node("c", 300)};
    thresholds t = absolute(0.1);
    t.per_node = {{"b", threshold::absolute(fraction64(0.3))}, {"x", threshold{}}};
    CHECK(counts(literal_hashed(three, t)) == "c:100>101 ");
    t.per_node[0].name = "c";
    CHECK(counts(literal_hashed(three, t)) == "b:100>99 ");
    t.per_node[0].limit = threshold::of_median(fraction64::percent(39));
    CHECK(counts(literal_hashed(three, t)) == "b:100>99 c:100>101 ");
    t.per_node[0].limit = threshold::of_median(fraction64::percent(41));
    CHECK(counts(literal_hashed(three, t)) == "b:100>99 ");
}

TEST_CASE("literal: equal loads change nothing", "[literal][law]") {
    nodes equal;
    for (const std::string& name : node_names(20, 1)) {
        equal.push_back(node(name, 640, 160));
    }
    thresholds none = absolute(0.0);
    CHECK(literal_hashed(equal, none).empty());
    CHECK(literal_hashed(equal, none).outcome == plan_outcome::balanced);
    CHECK(literal_hashed(equal, none).alerts.empty());
}

TEST_CASE("literal: the order of the statistics does not matter", "[literal][law]") {
    constexpr std::uint64_t seed = 251;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 200; ++round) {
        nodes all = drawn_stats(d, 2 + d.below(10));
        const literal_plan plan = literal_hashed(all, absolute(0.1));
        d.shuffle(all);
        wrong.expect(literal_hashed(all, absolute(0.1)) == plan, round);
        std::uint32_t changed = 0;
        for (const literal_change& c : plan.changes) {
            changed += c.vnodes + 1 == c.before || c.vnodes == c.before + 1 ? 1 : 100;
        }
        wrong.expect(changed == plan.changes.size() && changed <= 2, round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("literal: a load at its threshold is not beyond it", "[literal][edge]") {
    const nodes three{node("a", 500), node("b", 750), node("c", 250)};
    CHECK(literal_hashed(three, absolute(0.25)).empty());
    const nodes off_by_a_tenth{node("a", 500), node("b", 550), node("c", 450)};
    thresholds tenth;
    for (const std::string text : {"10%", "0.05"}) {
        tenth.limit = threshold::parse(text);
        CHECK(literal_hashed(off_by_a_tenth, tenth).empty());
    }
    CHECK(counts(literal_hashed(three, absolute(0.2499))) == "b:100>99 c:100>101 ");
}

TEST_CASE("literal: equal loads are told apart by name", "[literal][edge]") {
    const nodes five{node("e", 900), node("c", 500), node("d", 900), node("b", 100),
                     node("a", 100)};
    CHECK(counts(literal_hashed(five, absolute(0.1))) == "e:100>99 a:100>101 ");
}

TEST_CASE("literal: of two nodes the heavier is the median", "[literal][edge]") {
    const nodes two{node("a", 900), node("b", 100)};
    CHECK(counts(literal_hashed(two, absolute(0.1))) == "b:100>101 ");
    CHECK(literal_hashed(nodes{node("a", 900)}, absolute(0.1)).outcome ==
          plan_outcome::too_few_nodes);
    CHECK(literal_hashed(nodes{}, absolute(0.1)).empty());
}

TEST_CASE("literal: an alert stands until the node is helped or well", "[literal][edge]") {
    nodes three{node("a", 500), node("b", 900, 1), node("c", 510)};
    literal_plan plan = literal_hashed(three, absolute(0.1));
    CHECK(counts(plan).empty()); // the last virtual node stays
    CHECK(plan.outcome == plan_outcome::limited);
    CHECK(alerts(plan) == "+b^ ");
    CHECK(plan.state.alerts == std::vector<node_alert>{{"b", alert_kind::overloaded}});
    plan = literal_hashed(three, absolute(0.1), plan.state);
    CHECK(alerts(plan).empty()); // raised already
    CHECK(plan.state.alerts.size() == 1);
    const literal_state standing = plan.state;
    three[1].vnodes = 2;
    plan = literal_hashed(three, absolute(0.1), standing);
    CHECK(alerts(plan) == "-b^ ");
    CHECK(counts(plan) == "b:2>1 ");
    CHECK(plan.state.alerts.empty());
    three[1].used = 505;
    plan = literal_hashed(three, absolute(0.1), standing);
    CHECK(alerts(plan) == "-b^ ");
    CHECK(counts(plan).empty());
    CHECK(plan.state.alerts.empty());
    three[1].state = node_state::down;
    CHECK(alerts(literal_hashed(three, absolute(0.1), standing)) == "-b^ ");
}

TEST_CASE("literal: without a fuller neighbour the equalising rule is stuck", "[literal][edge]") {
    const nodes three{node("a", 500), node("b", 510), node("c", 100)};
    const std::vector<std::vector<ring_neighbour>> useless{
        {}, {{"a", "b", 50}}, {{"c", "c", 50}}, {{"c", "gone", 50}}, {{"c", "a", 0}}};
    for (const auto& neighbours : useless) {
        const literal_plan plan = literal_equalising(three, neighbours, absolute(0.1));
        CHECK(plan.empty());
        CHECK(plan.outcome == plan_outcome::limited);
        CHECK(alerts(plan) == "+c_ ");
    }
    const nodes lighter{node("a", 500), node("b", 510), node("c", 100), node("d", 90)};
    const std::vector<ring_neighbour> lightest{{"d", "c", 50}};
    CHECK(literal_equalising(lighter, lightest, absolute(0.1)).changes[0].cut == arc_cut{"c", 5});
}

TEST_CASE("literal: no load, and nodes that stay out", "[literal][edge]") {
    const nodes idle{node("a", 0), node("b", 0)};
    CHECK(literal_hashed(idle, absolute(0.0)).outcome == plan_outcome::no_load);
    nodes some{node("a", 500), node("b", 510), node("c", 900, 0), node("d", 505), node("e", 10)};
    some[4].state = node_state::leaving;
    CHECK(literal_hashed(some, absolute(0.1)).outcome == plan_outcome::balanced);
}

TEST_CASE("literal: statistics and settings that are none", "[literal][error]") {
    const nodes twice{node("a", 1), node("b", 1), node("a", 2)};
    CHECK_THROWS_AS(literal_hashed(twice, absolute(0.1)), invalid_node);
    CHECK_THROWS_AS(literal_hashed(nodes{node("", 1)}, absolute(0.1)), invalid_node);
    thresholds t = absolute(0.1);
    t.per_node = {{"a", threshold{}}, {"b", threshold{}}, {"a", threshold{}}};
    CHECK_THROWS_AS(literal_hashed(nodes{}, t), invalid_option);
}
