// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/rebalancing.hpp"

#include <hashring/balance/literal_plan.hpp>
#include <hashring/service/self_check_round.hpp>
#include <hashring/service/self_check_rules.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// One round of the self-check as a function of values.

using namespace rebalancing;
using namespace std::chrono_literals;

namespace {

using memory = self_check_memory<rebalance_state>;

constexpr check_time noon{std::chrono::hours(12)};

source_answer answer(collected_stats stats, check_duration took = 1s) {
    source_answer result;
    result.stats = std::move(stats);
    result.asked = noon;
    result.answered = noon + took;
    return result;
}

nodes uneven() {
    return {node("a", 500), node("b", 600), node("c", 500)};
}

std::string skip_text(const source_answer& from, const self_check_settings& settings = {},
                      const memory& before = {}) {
    const auto decision = self_check_round(from, before, settings, weights_rule{});
    if (!decision.skip) {
        return decision.plan ? "a plan" : "neither";
    }
    const round_report<weights_plan> report{
        1, decision.skip->reason, decision.skip->detail, decision.plan, {}, {}};
    return report.text();
}

memory remember_nodes(std::vector<std::string> names) {
    return {{}, std::move(names), {}};
}

} // namespace

TEST_CASE("self-check round: a round makes the plan of its rule", "[self_check][golden]") {
    const auto first = self_check_round(answer(uneven()), memory{}, {}, weights_rule{});
    REQUIRE(first.plan.has_value());
    CHECK_FALSE(first.skip.has_value());
    CHECK(*first.plan == rebalance(uneven()));
    CHECK(counts(*first.plan) == "b:100>92 ");
    CHECK(first.next == memory{first.plan->state, {"a", "b", "c"}, {}});
    CHECK(first.measured == noon);

    thresholds settings = limit("5%");
    settings.cooldown = 3;
    collected_stats stats(uneven(), {"c", "a"}, noon - 2s);
    const auto damped = self_check_round(answer(stats), first.next, {}, weights_rule{settings});
    CHECK(*damped.plan == rebalance(uneven(), settings, first.plan->state));
    CHECK(damped.next == memory{damped.plan->state, {"a", "b", "c"}, noon - 2s});
    CHECK(damped.measured == noon - 2s);
}

TEST_CASE("self-check round: transfers keep their budget", "[self_check][golden]") {
    const auto round = self_check_round(answer(uneven()), self_check_memory<transfer_state>{}, {},
                                        transfers_rule{limit("5%"), 7});
    REQUIRE(round.plan.has_value());
    CHECK(*round.plan == plan_transfers(uneven(), limit("5%"), {}, 7));
    CHECK(round.plan->amount() <= uint128(7));
    CHECK_FALSE(round.plan->empty());
    STATIC_REQUIRE(self_check_plan<literal_plan>);
}

TEST_CASE("self-check round: why a round is skipped is said", "[self_check][golden]") {
    source_answer failed = answer({});
    failed.stats.reset();
    failed.error = "connection refused";
    CHECK(skip_text(failed) == "skipped: the source of the statistics failed: connection refused");
    CHECK(skip_text(answer(uneven(), 31s)) == "skipped: the source of the statistics is too slow");
    CHECK(skip_text(answer({})) == "skipped: the statistics are not whole: no node at all");
    CHECK(skip_text(answer({uneven(), {"a", "b", "c", "d"}})) ==
          "skipped: the statistics are not whole: none of node 'd'");
    CHECK(skip_text(answer({uneven(), {"x", "a", "y", "z"}})) ==
          "skipped: the statistics are not whole: none of node 'x' and 2 more");
    CHECK(skip_text(answer({uneven(), {}, noon - 30s})) == "skipped: the statistics are too old");
    CHECK(skip_text(answer({uneven(), {}, noon + 2s})) ==
          "skipped: the statistics are too old: measured later than now");
    CHECK(skip_text(answer(nodes{node("a", 1), node("a", 2)}))
              .starts_with("skipped: no plan could be made: "));
}

TEST_CASE("self-check round: every outcome has words of its own", "[self_check][law]") {
    std::set<std::string_view> texts;
    for (int i = 0; i <= static_cast<int>(round_outcome::check_failed); ++i) {
        texts.insert(describe(static_cast<round_outcome>(i)));
    }
    CHECK(texts.size() == 13);
    CHECK(texts.count("") == 0);
    std::size_t skipped = 0;
    for (const std::string_view text : texts) {
        skipped += text.starts_with("skipped: ") ? 1U : 0U;
    }
    CHECK(skipped == 11);
    CHECK(is_done(round_outcome::applied));
    CHECK(is_done(round_outcome::nothing_to_do));
    CHECK_FALSE(is_done(round_outcome::source_failed));
    CHECK_FALSE(is_done(round_outcome::apply_failed));
}

TEST_CASE("self-check round: a skipped round has no plan and no state", "[self_check][law]") {
    const memory before{rebalance(uneven()).state, {"a", "b", "c", "d"}, {}};
    const auto round = self_check_round(answer(uneven()), before, {}, weights_rule{});
    CHECK(round.skip == round_skip{round_outcome::source_partial, "none of node 'd'"});
    CHECK_FALSE(round.plan.has_value());
    CHECK(round.next.state == rebalance_state{});
}

TEST_CASE("self-check round: the bounds of time are within", "[self_check][edge]") {
    self_check_settings settings;
    settings.source_limit = 3s;
    CHECK(skip_text(answer(uneven(), 3s), settings) == "a plan");
    CHECK(skip_text(answer(uneven(), 3s + 1ns), settings) ==
          "skipped: the source of the statistics is too slow");
    CHECK(skip_text(answer(uneven(), 30s)) == "a plan"); // the period
    CHECK(skip_text(answer(uneven(), 30s + 1ns)) ==
          "skipped: the source of the statistics is too slow");

    settings.max_age = 60s;
    CHECK(skip_text(answer({uneven(), {}, noon - 59s}), settings) == "a plan"); // 1 s later
    CHECK(skip_text(answer({uneven(), {}, noon - 59s - 1ns}), settings) ==
          "skipped: the statistics are too old");
    settings.max_age = 2s; // statistics without a time are as old as the call
    CHECK(skip_text(answer(uneven(), 2s), settings) == "a plan");
    CHECK(skip_text(answer(uneven(), 2s + 1ns), settings) == "skipped: the statistics are too old");
    CHECK(skip_text(answer({uneven(), {}, noon + 1s})) == "a plan");
    CHECK(skip_text(answer({uneven(), {}, noon + 1s + 1ns})) ==
          "skipped: the statistics are too old: measured later than now");
}

TEST_CASE("self-check round: the same measurement is not answered twice", "[self_check][edge]") {
    const memory before{{}, {}, noon - 5s};
    const std::string same = "skipped: the statistics are too old: not measured later than those "
                             "of the round before";
    CHECK(skip_text(answer({uneven(), {}, noon - 5s}), {}, before) == same);
    CHECK(skip_text(answer({uneven(), {}, noon - 6s}), {}, before) == same);
    CHECK(skip_text(answer({uneven(), {}, noon - 5s + 1ns}), {}, before) == "a plan");
    CHECK(skip_text(answer(uneven()), {}, before) == "a plan");
}

TEST_CASE("self-check round: the nodes of before are expected unless the ring's are said",
          "[self_check][edge]") {
    const std::string none_of_d = "skipped: the statistics are not whole: none of node 'd'";
    CHECK(skip_text(answer(uneven()), {}, remember_nodes({"a", "b", "c", "d"})) == none_of_d);
    CHECK(skip_text(answer(uneven()), {}, remember_nodes({"a", "c"})) == "a plan"); // b is new
    CHECK(skip_text(answer({uneven(), {"b", "c"}}), {}, remember_nodes({"a", "d"})) == "a plan");
    CHECK(skip_text(answer({uneven(), {"d"}}), {}, remember_nodes({"a"})) == none_of_d);
    collected_stats nothing;
    nothing.expected.emplace(); // an empty ring
    CHECK(skip_text(answer(nothing), {}, remember_nodes({"a"})) == "a plan");
    nodes one_is_down = uneven(); // which is not the same as missing
    one_is_down[1].state = node_state::down;
    CHECK(skip_text(answer(one_is_down), {}, remember_nodes({"a", "b", "c"})) == "a plan");
}

TEST_CASE("self-check round: what is wrong first is what is said", "[self_check][edge]") {
    source_answer wrong = answer({uneven(), {"d"}, noon - 1h}, 1min);
    self_check_settings settings;
    settings.is_whole = [](std::span<const node_stats>) -> bool {
        throw 1;
    };
    const auto reason = [&] {
        return self_check_round(wrong, memory{}, settings, weights_rule{}).skip->reason;
    };
    CHECK(reason() == round_outcome::source_slow);
    wrong.answered = noon;
    CHECK(reason() == round_outcome::source_partial);
    wrong.stats->expected = {"a"};
    CHECK(reason() == round_outcome::source_failed);
    settings.is_whole = nullptr;
    CHECK(reason() == round_outcome::stats_stale);
    wrong.answered = noon + 1min;
    wrong.stats.reset();
    CHECK(reason() == round_outcome::source_failed);
}

TEST_CASE("self-check round: the caller can say what is whole", "[self_check][edge]") {
    self_check_settings settings;
    settings.is_whole = [](std::span<const node_stats> stats) {
        return stats.size() > 3;
    };
    CHECK(skip_text(answer(uneven()), settings) == "skipped: the statistics are not whole");
    nodes four = uneven();
    four.push_back(node("d", 500));
    CHECK(skip_text(answer(four), settings) == "a plan");
    settings.is_whole = [](std::span<const node_stats>) -> bool {
        throw std::runtime_error("no quorum");
    };
    CHECK(skip_text(answer(four), settings) ==
          "skipped: the source of the statistics failed: no quorum");
}

TEST_CASE("self-check round: a rule that throws skips the round", "[self_check][error]") {
    const auto skip_of = [](auto rule) {
        return self_check_round(answer(uneven()), memory{}, {}, rule).skip.value();
    };
    const auto throws = [](std::span<const node_stats>, const rebalance_state&) -> weights_plan {
        throw std::runtime_error("no rule");
    };
    CHECK(skip_of(throws) == round_skip{round_outcome::plan_failed, "no rule"});
    const auto odd = [](std::span<const node_stats>, const rebalance_state&) -> weights_plan {
        throw 42;
    };
    CHECK(skip_of(odd) ==
          round_skip{round_outcome::plan_failed, "an exception of no standard type"});
}

TEST_CASE("self-check round: a plan is stopped, superseded or stale, in this order",
          "[self_check][edge]") {
    const self_check_settings settings;
    const auto objection = [&](check_duration age, bool is_changed, bool is_stopped) {
        return plan_objection(noon - age, noon, settings, is_changed, is_stopped);
    };
    CHECK(objection(30s, false, false) == std::nullopt);
    CHECK(objection(30s + 1ns, false, false) == round_outcome::plan_stale);
    CHECK(objection(31s, true, false) == round_outcome::superseded);
    CHECK(objection(0s, true, false) == round_outcome::superseded);
    CHECK(objection(31s, true, true) == round_outcome::stopped);
    CHECK(objection(0s, false, true) == round_outcome::stopped);
}

TEST_CASE("self-check settings: the defaults are those of the paper", "[self_check][golden]") {
    self_check_settings settings;
    CHECK(settings.period == 30s);
    CHECK(settings.first_after() == 30s);
    CHECK(settings.longest_source() == 30s);
    CHECK(settings.oldest() == 30s);
    settings.period = 5s;
    settings.first = 0s;
    CHECK(settings.first_after() == 0s);
    CHECK(settings.longest_source() == 5s);
    CHECK(settings.oldest() == 5s);
}

TEST_CASE("self-check settings: times without a meaning are refused", "[self_check][error]") {
    self_check_settings settings;
    for (const check_duration period : {check_duration(-1s), check_duration(0),
                                        check_duration::max(), check_duration(24h * 366 + 1ns)}) {
        settings.period = period;
        CHECK_THROWS_AS(settings.check(), invalid_option);
    }
    for (const check_duration period : {check_duration(1), check_duration(24h * 366)}) {
        settings.period = period;
        settings.check();
    }
    const std::array members{&self_check_settings::first, &self_check_settings::source_limit,
                             &self_check_settings::max_age};
    for (const auto member : members) {
        self_check_settings one;
        one.*member = -1ns;
        CHECK_THROWS_AS(one.check(), invalid_option);
        one.*member = 24h * 366 + 1ns;
        CHECK_THROWS_AS(one.check(), invalid_option);
        one.*member = 0ns;
        one.check();
    }
}
