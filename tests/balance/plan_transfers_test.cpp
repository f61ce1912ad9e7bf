// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/drawn_stats.hpp"
#include "support/mismatches.hpp"

#include <hashring/balance/plan_transfers.hpp>
#include <hashring/balance/utilization.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace hashring;

namespace {

using nodes = std::vector<node_stats>;

constexpr std::uint64_t most = 0xffffffffffffffffU;

node_stats node(std::string name, std::uint64_t used, std::uint64_t total = 1000) {
    node_stats result;
    result.name = std::move(name);
    result.total = total;
    result.used = used;
    return result;
}

thresholds limit(std::string_view text) {
    thresholds result;
    result.limit = threshold::parse(text);
    return result;
}

std::string amounts(const transfer_plan& plan) {
    std::string out;
    for (const load_transfer& t : plan.transfers) {
        out += concat(t.from, ">", t.to, ":", decimal(t.amount), " ");
    }
    return out;
}

node_stats& named(nodes& all, const std::string& name) {
    return *std::find_if(all.begin(), all.end(),
                         [&](const node_stats& n) { return n.name == name; });
}

void carry_out(const transfer_plan& plan, nodes& all) {
    for (const load_transfer& t : plan.transfers) {
        named(all, t.from).used -= t.amount;
        named(all, t.to).used += t.amount;
    }
}

// What has to move at least: the sum of what nodes have above their part.
double least_to_move(const nodes& all) {
    const double level = cluster_utilization(all).value();
    double least = 0.0;
    for (const node_stats& n : all) {
        const double over = static_cast<double>(n.used) - level * static_cast<double>(n.total);
        least += std::max(0.0, over);
    }
    return least;
}

} // namespace

TEST_CASE("plan transfers: the largest surplus goes to the largest lack",
          "[plan_transfers][golden][small]") {
    // 500 each is due: a, b have 300 and 50 too much, c, d, e lack 200, 100, 50
    const nodes five{node("e", 450), node("a", 800), node("d", 400), node("b", 550),
                     node("c", 300)};
    const transfer_plan plan = plan_transfers(five, limit("5%"));
    CHECK(amounts(plan) == "a>c:200 a>d:100 b>e:50 ");
    CHECK(plan.outcome == plan_outcome::changes);
    CHECK(plan.amount() == uint128(350));
    CHECK(plan.transfers[0].text() == "'a' (load 1.6 times the cluster's) hands 200 to 'c' (0.6 "
                                      "times)");
    REQUIRE(plan.cause);
    CHECK(plan.cause->text() == "'a': load 1.6 times the cluster's, further than the "
                                "threshold 5 % from the median of 0.9");
    CHECK(plan.cause->limit == threshold{});
}

TEST_CASE("plan transfers: each gets to its part of the capacity",
          "[plan_transfers][golden][small]") {
    const nodes three{node("a", 150, 200), node("b", 150, 400), node("c", 400, 800)};
    CHECK(amounts(plan_transfers(three, limit("5%"))) == "a>b:50 ");
    nodes busy{node("a", 0, 200), node("b", 0, 400), node("c", 0, 800)};
    busy[0].requests = 1000;
    busy[1].requests = 3000;
    busy[2].requests = 3000;
    thresholds t = limit("5%");
    t.load = load_kind::requests;
    CHECK(amounts(plan_transfers(busy, t)) == "b>c:1000 ");
}

TEST_CASE("plan transfers: a budget and a gain scale all needs",
          "[plan_transfers][golden][small]") {
    const nodes four{node("a", 900), node("b", 700), node("c", 300), node("d", 100)};
    CHECK(amounts(plan_transfers(four, limit("5%"))) == "a>d:400 b>c:200 ");
    CHECK(amounts(plan_transfers(four, limit("5%"), {}, 60)) == "a>d:40 b>c:20 ");
    CHECK(amounts(plan_transfers(four, limit("5%"), {}, 600)) == "a>d:400 b>c:200 ");
    CHECK(amounts(plan_transfers(four, limit("5%"), {}, 599)) == "a>d:399 b>c:199 ");
    CHECK(plan_transfers(four, limit("5%"), {}, 0).outcome == plan_outcome::limited);
    thresholds half = limit("5%");
    half.transfer_gain = fraction64(0.5);
    CHECK(amounts(plan_transfers(four, half)) == "a>d:200 b>c:100 ");
    CHECK(amounts(plan_transfers(four, half, {}, 30)) == "a>d:20 b>c:10 ");
}

TEST_CASE("plan transfers: nothing is sent in a cooldown", "[plan_transfers][golden]") {
    const nodes two{node("a", 900), node("b", 100)};
    thresholds t = limit("5%");
    t.cooldown = 2;
    transfer_plan plan = plan_transfers(two, t);
    CHECK(amounts(plan) == "a>b:400 ");
    CHECK(plan.state.cooldown == 2);
    for (int round = 0; round < 2; ++round) {
        plan = plan_transfers(two, t, plan.state);
        CHECK(plan.empty());
        CHECK(plan.outcome == plan_outcome::waiting);
        CHECK(plan.cause);
    }
    CHECK(amounts(plan_transfers(two, t, plan.state)) == "a>b:400 ");
}

TEST_CASE("plan transfers: carried out, all nodes are even and nothing more is sent",
          "[plan_transfers][law]") {
    constexpr std::uint64_t seed = 271;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 60; ++round) {
        nodes all = drawn_stats(d, round % 2 == 0 ? 10 : 100);
        const double least = least_to_move(all);
        const transfer_plan plan = plan_transfers(all, limit("2%"));
        wrong.expect(!plan.empty(), round);
        const double moved = plan.amount().to_double();
        wrong.expect(moved <= least && moved >= 0.999 * least, round, moved, least);
        carry_out(plan, all);
        wrong.expect(measure(all).load_gap < 0.001, round, measure(all).load_gap);
        const transfer_plan next = plan_transfers(all, limit("2%"), plan.state);
        wrong.expect(next.empty() && next.outcome == plan_outcome::balanced, round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("plan transfers: nobody crosses the cluster's load", "[plan_transfers][law]") {
    constexpr std::uint64_t seed = 272;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 300; ++round) {
        nodes all = drawn_stats(d, 2 + d.below(12));
        for (node_stats& n : all) { // small numbers, where one unit matters
            n.total = 1 + d.below(40);
            n.used = d.below(n.total + 1);
        }
        const nodes before = all;
        uint128 used;
        uint128 total;
        for (const node_stats& n : all) {
            used += n.used;
            total += n.total;
        }
        thresholds t = limit("0%");
        t.transfer_gain = fraction64::percent(1 + d.below(100));
        const auto budget =
            d.below(2) == 0 ? std::optional<std::uint64_t>() : std::optional(d.below(60));
        const transfer_plan plan = plan_transfers(all, t, {}, budget);
        wrong.expect(!budget || plan.amount() <= uint128(*budget), round);
        carry_out(plan, all);
        std::int64_t kept = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const uint128 due = multiply(all[i].total, used.low); // times the sum of totals
            const uint128 had = multiply(before[i].used, total.low);
            const uint128 has = multiply(all[i].used, total.low);
            wrong.expect(had > due ? has >= due && has <= had : has <= due && has >= had, round, i);
            kept +=
                static_cast<std::int64_t>(all[i].used) - static_cast<std::int64_t>(before[i].used);
        }
        wrong.expect(kept == 0, round);
        if (!budget && t.transfer_gain == fraction64::one()) {
            wrong.expect(least_to_move(all) < static_cast<double>(all.size()), round);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("plan transfers: neither order nor a common factor of the loads matters",
          "[plan_transfers][law]") {
    constexpr std::uint64_t seed = 273;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 200; ++round) {
        nodes all = drawn_stats(d, 2 + d.below(12));
        const transfer_plan plan = plan_transfers(all, limit("5%"));
        d.shuffle(all);
        wrong.expect(plan_transfers(all, limit("5%")) == plan, round);
        for (node_stats& n : all) {
            n.used *= 4096;
            n.total *= 4096;
        }
        const transfer_plan scaled = plan_transfers(all, limit("5%"));
        wrong.expect(scaled.cause == plan.cause && scaled.outcome == plan.outcome, round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("plan transfers: with a budget it takes as many rounds as the budget needs",
          "[plan_transfers][law]") {
    constexpr std::uint64_t seed = 274;
    CAPTURE(seed);
    dice d(seed);
    nodes all = drawn_stats(d, 10);
    const double least = least_to_move(all);
    transfer_state state;
    int rounds = 0;
    double moved = 0.0;
    for (; rounds < 100; ++rounds) {
        const transfer_plan plan =
            plan_transfers(all, limit("0%"), state, static_cast<std::uint64_t>(least / 20));
        if (plan.amount() < uint128(20)) { // nothing but the roundings is left
            break;
        }
        moved += plan.amount().to_double();
        state = plan.state;
        carry_out(plan, all);
    }
    CHECK((rounds == 20 || rounds == 21));
    CHECK(moved <= least);
    CHECK(measure(all).load_gap < 0.001);
}

// The amounts of a plan are seen one round after they were sent.
TEST_CASE("plan transfers: loads one round late need a cooldown", "[plan_transfers][law]") {
    constexpr std::uint64_t seed = 275;
    CAPTURE(seed);
    const auto last_gap = [](std::uint32_t cooldown, dice d, int& sent) {
        nodes all = drawn_stats(d, 10);
        nodes late = all;
        thresholds t = limit("2%");
        t.cooldown = cooldown;
        transfer_state state;
        for (int round = 0; round < 60; ++round) {
            const transfer_plan plan = plan_transfers(late, t, state);
            late = all;
            state = plan.state;
            sent += plan.empty() ? 0 : 1;
            // A plan made from old loads may ask for more than there is.
            for (const load_transfer& move : plan.transfers) {
                node_stats& from = named(all, move.from);
                const std::uint64_t amount = std::min(from.used, move.amount);
                from.used -= amount;
                named(all, move.to).used += amount;
            }
        }
        return measure(all).load_gap;
    };
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 20; ++round) {
        int sent_at_once = 0;
        wrong.expect(last_gap(0, d, sent_at_once) > 0.1 && sent_at_once > 20, "at once", round);
        int sent_with_cooldown = 0;
        wrong.expect(last_gap(2, d, sent_with_cooldown) < 0.001, "with a cooldown", round);
        wrong.compare(sent_with_cooldown, 1, round);
        d.next();
    }
    CHECK_NO_MISMATCHES(wrong);
}

TEST_CASE("plan transfers: nothing within the thresholds, nothing of nothing",
          "[plan_transfers][edge]") {
    const nodes near{node("a", 500), node("b", 525), node("c", 475)};
    CHECK(plan_transfers(near, limit("5%")).outcome == plan_outcome::balanced);
    CHECK_FALSE(plan_transfers(near, limit("5%")).cause);
    CHECK(amounts(plan_transfers(near, limit("4.9%"))) == "b>c:25 ");
    thresholds patient = limit("4.9%");
    patient.per_node = {{"b", threshold::parse("50%")}, {"c", threshold::parse("0.1")}};
    CHECK(plan_transfers(near, patient).outcome == plan_outcome::balanced);
    const nodes equal{node("a", 5), node("b", 5), node("c", 5)};
    CHECK(plan_transfers(equal, limit("0%")).outcome == plan_outcome::balanced);
    const nodes idle{node("a", 0), node("b", 0)};
    CHECK(plan_transfers(idle, limit("0%")).outcome == plan_outcome::no_load);
    CHECK(plan_transfers(nodes{node("a", 7)}, limit("0%")).outcome == plan_outcome::too_few_nodes);
    CHECK(plan_transfers(nodes{}, limit("0%")).outcome == plan_outcome::too_few_nodes);
}

TEST_CASE("plan transfers: where most hold nothing, who holds something is off",
          "[plan_transfers][edge]") {
    const nodes one{node("a", 0), node("b", 0), node("c", 900)};
    CHECK(amounts(plan_transfers(one, limit("100%"))) == "c>a:300 c>b:300 ");
}

TEST_CASE("plan transfers: whole units only", "[plan_transfers][edge]") {
    // 4 of three nodes: one has 2, which is less than a unit above its part
    CHECK(plan_transfers(nodes{node("a", 2, 5), node("b", 1, 5), node("c", 1, 5)}, limit("0%"))
              .outcome == plan_outcome::limited);
    CHECK(amounts(plan_transfers(nodes{node("a", 3, 5), node("b", 1, 5)}, limit("0%"))) ==
          "a>b:1 ");
}

TEST_CASE("plan transfers: who does not take part gets nothing", "[plan_transfers][edge]") {
    nodes some{node("a", 900), node("b", 100), node("c", 0), node("d", 0), node("e", 3, 0)};
    some[2].state = node_state::down;
    some[3].state = node_state::leaving;
    CHECK(amounts(plan_transfers(some, limit("5%"))) == "a>b:400 ");
}

TEST_CASE("plan transfers: the largest numbers", "[plan_transfers][edge]") {
    const nodes large{node("a", most, most), node("b", 1, most), node("c", most, most),
                      node("d", 1, most)};
    CHECK(amounts(plan_transfers(large, limit("5%"))) ==
          "a>b:9223372036854775807 c>d:9223372036854775807 ");
    const nodes over{node("a", most, 100), node("b", 0, 100)};
    CHECK(amounts(plan_transfers(over, limit("5%"))) == "a>b:50 "); // 100 fit
    const nodes little{node("a", 4, most), node("b", 0, most), node("c", 0, most)};
    CHECK(plan_transfers(little, limit("0.05")).outcome == plan_outcome::balanced);
    CHECK(amounts(plan_transfers(little, limit("5%"))) == "a>b:1 a>c:1 ");
}

TEST_CASE("plan transfers: a threshold within the noise is warned of",
          "[plan_transfers][warning]") {
    const nodes two{node("a", 500), node("b", 600)};
    thresholds t = limit("5%");
    t.noise = fraction64::percent(2);
    REQUIRE(plan_transfers(two, t).warnings.size() == 1);
    CHECK(plan_transfers(two, t).warnings[0].kind == warning_kind::finer_than_noise);
    t.limit = threshold::parse("7%");
    CHECK(plan_transfers(two, t).warnings.empty());
}

TEST_CASE("plan transfers: statistics and settings that are none", "[plan_transfers][error]") {
    CHECK_THROWS_AS(plan_transfers(nodes{node("a", 1), node("a", 1)}, {}), invalid_node);
    CHECK_THROWS_AS(plan_transfers(nodes{node("", 1)}, {}), invalid_node);
    thresholds t;
    t.transfer_gain = fraction64();
    CHECK_THROWS_AS(plan_transfers(nodes{}, t), invalid_option);
    t = {};
    t.load = load_kind::requests;
    CHECK_THROWS_AS(plan_transfers(nodes{node("a", 1)}, t), invalid_node);
}
