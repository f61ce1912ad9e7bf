// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/group_model.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

// Whole histories of groups that break: see the model.

using namespace hashring;
using group::write_strategy;
using group_model::counts;

namespace {

constexpr int seeds = 30;
constexpr int steps = 600;

// What happened in all histories of groups of `copies`; `wrong` is what was wrong in the first one.
counts histories(std::size_t copies, write_strategy strategy, std::string& wrong) {
    counts sum;
    group::rules chosen;
    chosen.write = strategy;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        chosen.leave = seed % 2 == 0 ? group::safe_exit::all_copies : group::safe_exit::majority;
        chosen.repair = std::array{group::repair_policy::serve, group::repair_policy::read_only,
                                   group::repair_policy::refuse}[seed % 3];
        group_model::model m(100 * copies + seed, copies, chosen);
        for (int i = 0; i < steps; ++i) {
            m.step();
        }
        m.heal();
        const counts& c = m.what_happened();
        sum.done += c.done;
        sum.refused += c.refused;
        sum.unknown += c.unknown;
        sum.reads += c.reads;
        sum.failovers += c.failovers;
        sum.merges += c.merges;
        sum.safe += c.safe;
        sum.lost += c.lost;
        if (wrong.empty() && !m.wrong().empty()) {
            wrong = concat("seed ", decimal(seed), ": ", m.wrong());
        }
    }
    return sum;
}

} // namespace

TEST_CASE("history: a majority read sees every write that a majority acknowledged",
          "[history][law]") {
    for (const std::size_t copies : {1U, 2U, 3U, 4U, 5U}) {
        CAPTURE(copies);
        std::string wrong;
        const counts c = histories(copies, write_strategy::master_first_sync, wrong);
        CAPTURE(c.done, c.refused, c.unknown, c.reads, c.failovers, c.merges, c.safe);
        CHECK(wrong == "");
        CHECK(c.lost == 0);
        // The histories are worth something: all of it happened.
        CHECK(c.done > 100);
        CHECK(c.refused > 100);
        CHECK(c.unknown > 20);
        CHECK(c.reads > 100);
        CHECK(c.safe > 100);
        CHECK((copies < 3 || c.failovers > 10));
        CHECK(c.merges > 3);
    }
}

TEST_CASE("history: the asynchronous strategy loses some of what it acknowledged",
          "[history][law]") {
    std::string wrong;
    const counts c = histories(3, write_strategy::master_first_async, wrong);
    CHECK(wrong == "");
    CHECK(c.lost > 20);
    CHECK(c.done > 100);
}
