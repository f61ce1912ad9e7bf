// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// All rules on numbers from the ends of their ranges, in any mixture and under any settings.

using namespace hashring;

namespace {

constexpr int rounds = 20'000;

std::uint64_t extreme(dice& d) {
    constexpr std::uint64_t ends[] = {0,
                                      1,
                                      2,
                                      1000,
                                      0xffffffffU,
                                      0x100000000U,
                                      std::uint64_t{1} << 61U,
                                      (std::uint64_t{1} << 63U) - 1,
                                      std::uint64_t{1} << 63U,
                                      ~std::uint64_t{0} - 1,
                                      ~std::uint64_t{0}};
    const std::uint64_t kind = d.below(std::size(ends) + 1);
    return kind < std::size(ends) ? ends[kind] : d.next() >> d.below(64);
}

std::vector<node_stats> extreme_stats(dice& d) {
    std::vector<node_stats> stats;
    for (std::string& name : node_names(d.below(7), 5)) {
        node_stats node;
        node.name = std::move(name);
        node.total = extreme(d);
        node.used = extreme(d);
        node.vnodes = static_cast<std::uint32_t>(extreme(d));
        node.requests = extreme(d);
        const std::uint64_t state = d.below(8);
        node.state = state == 0   ? node_state::down
                     : state == 1 ? node_state::leaving
                                  : node_state::in_service;
        stats.push_back(node);
    }
    d.shuffle(stats);
    return stats;
}

fraction64 part(dice& d) { // above 0
    return fraction64::from_bits(std::max<std::uint64_t>(1, extreme(d)));
}

thresholds extreme_settings(dice& d) {
    constexpr const char* limits[] = {"0%", "5%", "100%", "0.000000001", "0.05", "1"};
    thresholds t;
    t.load = d.below(3) == 0 ? load_kind::requests : load_kind::utilization;
    t.limit = threshold::parse(limits[d.below(t.load == load_kind::requests ? 3 : 6)]);
    t.gain = part(d);
    t.step = part(d);
    t.smoothing = part(d);
    t.transfer_gain = part(d);
    t.release = part(d);
    t.floor = part(d);
    t.ceiling = static_cast<std::uint32_t>(1 + d.below(max_points));
    t.cooldown = static_cast<std::uint32_t>(d.below(2) == 0 ? 0 : extreme(d));
    if (d.below(2) == 0) {
        t.vnodes = static_cast<std::uint32_t>(1 + d.below(max_points));
    }
    if (d.below(2) == 0) {
        t.noise = part(d);
    }
    return t;
}

rebalance_state extreme_state(dice& d, const std::vector<node_stats>& stats) {
    rebalance_state state;
    state.vnodes = static_cast<std::uint32_t>(extreme(d));
    for (const node_stats& n : stats) {
        if (d.below(2) == 0) {
            state.nodes.push_back({n.name, relative_load{extreme(d)},
                                   fraction64::from_bits(extreme(d)),
                                   static_cast<direction>(d.below(3)),
                                   static_cast<std::uint32_t>(d.below(2)), d.below(2) == 0});
        }
    }
    return state;
}

const node_stats& named(const std::vector<node_stats>& stats, const std::string& name) {
    return *std::find_if(stats.begin(), stats.end(),
                         [&](const node_stats& n) { return n.name == name; });
}

} // namespace

TEST_CASE("extremes: counts go the way of their cause, by a step at most", "[extremes][law]") {
    constexpr std::uint64_t seed = 291;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    std::size_t changes = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto stats = extreme_stats(d);
        const thresholds t = extreme_settings(d);
        const auto state = extreme_state(d, stats);
        const weights_plan plan = rebalance(stats, t, state);
        wrong.expect(plan == rebalance(stats, t, state), "again", round);
        for (const vnode_change& c : plan.changes) {
            const std::uint64_t by = c.vnodes > c.before ? std::uint64_t{c.vnodes} - c.before
                                                         : std::uint64_t{c.before} - c.vnodes;
            wrong.expect(named(stats, c.name).takes_part() && c.before > 0, "part", round);
            wrong.expect(c.vnodes >= 1 && c.vnodes != c.before, "count", round);
            wrong.expect((c.load > c.reference) == (c.vnodes < c.before), "way", round);
            wrong.expect(by == 0 || fraction64::ratio(by, c.before) <= t.step, "step", round);
            wrong.expect(c.vnodes < c.before || c.vnodes <= max_points, "most", round);
            wrong.expect(!c.text().empty(), "text", round);
            ++changes;
        }
        const literal_plan one =
            literal_hashed(stats, t.load == load_kind::requests ? thresholds{} : t);
        wrong.expect(one.changes.size() <= 2, "literal", round);
        for (const literal_change& c : one.changes) {
            const std::int64_t by = std::int64_t{c.vnodes} - std::int64_t{c.before};
            wrong.expect(by == (c.load > c.median ? -1 : 1), "one", round);
        }
    }
    CHECK_NO_MISMATCHES(wrong);
    CHECK(changes > 500);
}

TEST_CASE("extremes: nobody hands over more than it has, or gets more than its part",
          "[extremes][law]") {
    constexpr std::uint64_t seed = 292;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    std::size_t transfers = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto stats = extreme_stats(d);
        const thresholds t = extreme_settings(d);
        const auto budget = d.below(2) == 0 ? std::optional<std::uint64_t>()
                                            : std::optional<std::uint64_t>(extreme(d));
        const transfer_plan plan = plan_transfers(stats, t, {}, budget);
        std::map<std::string, uint128> given;
        std::map<std::string, uint128> got;
        for (const load_transfer& move : plan.transfers) {
            wrong.expect(move.amount > 0 && !move.text().empty(), "nothing", round);
            given[move.from] += move.amount;
            got[move.to] += move.amount;
            ++transfers;
        }
        for (const auto& [name, amount] : given) {
            const node_stats& n = named(stats, name);
            const std::uint64_t has = t.load == load_kind::requests ? *n.requests : n.stored();
            wrong.expect(amount <= uint128(has), "given", round);
            wrong.expect(got.find(name) == got.end(), "both ways", round);
        }
        for (const auto& [name, amount] : got) {
            const bool fits =
                t.load == load_kind::requests || amount <= uint128(named(stats, name).free());
            wrong.expect(named(stats, name).takes_part() && fits, "got", round);
        }
        wrong.expect(!budget || plan.amount() <= uint128(*budget), "budget", round);
        wrong.expect(!plan.cause || !plan.cause->text().empty(), "cause", round);
    }
    CHECK_NO_MISMATCHES(wrong);
    CHECK(transfers > 500);
}

TEST_CASE("extremes: new data go where there is room, and no further", "[extremes][law]") {
    constexpr std::uint64_t seed = 293;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < rounds; ++round) {
        const auto stats = extreme_stats(d);
        const std::uint64_t batch = extreme(d);
        uint128 room;
        for (const node_stats& n : stats) {
            room += n.takes_part() ? n.free() : 0;
        }
        const store_weights by_room = round_robin_weights(
            stats, d.below(2) == 0 ? load_reference::mean : load_reference::cluster);
        const auto by_level = water_filling_weights(stats, batch);
        uint128 filled;
        bool is_any = false;
        for (std::size_t i = 0; i < stats.size(); ++i) {
            const bool may = stats[i].takes_part() && stats[i].free() > 0;
            wrong.expect(may || by_room.nodes[i].weight == 0, "no room", round);
            wrong.expect(by_level[i].weight <= (may ? stats[i].free() : 0), "too much", round);
            is_any = is_any || by_room.nodes[i].weight > 0;
            filled += by_level[i].weight;
        }
        wrong.expect(is_any == (room > uint128(0)), "nobody", round);
        wrong.expect(filled == std::min(room, uint128(batch)), "filled", round);
        smooth_order order(by_room.nodes);
        for (int turn = 0; turn < 20; ++turn) {
            wrong.expect(order.next().has_value() == is_any, "turn", round);
        }
    }
    CHECK_NO_MISMATCHES(wrong);
}
