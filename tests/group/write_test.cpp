// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/groups.hpp"
#include "support/mismatches.hpp"

#include <hashring/group/write.hpp>

#include <bitset>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using group::acknowledgements;
using group::decide_write;
using group::error_kind;
using group::master_answer;
using group::mode;
using group::outcome;
using group::phase;
using group::refusal;
using group::repair_policy;
using group::rules;
using group::write_strategy;

namespace {

constexpr write_strategy all_strategies[] = {write_strategy::master_only,
                                             write_strategy::master_first_async,
                                             write_strategy::master_first_sync};

char letter(std::optional<outcome> o) {
    return !o ? 'w' : *o == outcome::done ? 'D' : *o == outcome::refused ? 'r' : '?';
}

// What becomes of a write with 0 … copies − 1 replicas that have it: D done, r refused, ? unknown,
// w wait.
std::string by_replicas(write_strategy strategy, std::size_t copies, master_answer master,
                        bool is_closed) {
    std::string row;
    for (std::size_t replicas = 0; replicas < copies; ++replicas) {
        row += letter(decide_write(strategy, copies, {master, replicas, is_closed}));
    }
    return row;
}

// The rows of a strategy for 1 … 5 copies.
std::string rows(write_strategy strategy, master_answer master, bool is_closed) {
    std::string result;
    for (std::size_t copies = 1; copies <= 5; ++copies) {
        result += by_replicas(strategy, copies, master, is_closed) + (copies < 5 ? " " : "");
    }
    return result;
}

rules of(write_strategy strategy, repair_policy policy = repair_policy::refuse) {
    rules result;
    result.write = strategy;
    result.repair = policy;
    return result;
}

// One letter for each state of the copies, in the order of `groups_of`: `-` the write may be sent,
// `s` safe mode, `d` the master is down, `p` it is under repair.
std::string admissions(const rules& chosen, std::size_t copies, std::string_view states,
                       mode now = mode::normal) {
    std::string result;
    for (const std::string& text : groups_of(copies, states)) {
        const refusal why = refusal_of_write(chosen, group_of(text), now);
        result += why == refusal::none           ? '-'
                  : why == refusal::safe_mode    ? 's'
                  : why == refusal::master_down  ? 'd'
                  : why == refusal::under_repair ? 'p'
                                                 : '!';
    }
    return result;
}

} // namespace

TEST_CASE("write: the replicas to wait for", "[write][golden]") {
    const std::vector<std::size_t> majority_but_one = {0, 1, 1, 2, 2, 3, 3};
    for (std::size_t copies = 1; copies <= 7; ++copies) {
        CHECK(replicas_to_wait_for(write_strategy::master_only, copies) == 0);
        CHECK(replicas_to_wait_for(write_strategy::master_first_async, copies) == 0);
        CHECK(replicas_to_wait_for(write_strategy::master_first_sync, copies) ==
              majority_but_one[copies - 1]);
    }
}

// The whole table of strategy × copies × what the master said × replicas × whether more may come.
TEST_CASE("write: what becomes of it, for 1 to 5 copies", "[write][golden]") {
    const std::string done = "D DD DDD DDDD DDDDD";
    const std::string refused = "r rr rrr rrrr rrrrr";
    const std::string unknown = "? ?? ??? ???? ?????";
    const std::string wait = "w ww www wwww wwwww";
    for (const write_strategy strategy : all_strategies) {
        for (const bool is_closed : {false, true}) {
            CHECK(rows(strategy, master_answer::refused, is_closed) == refused);
            CHECK(rows(strategy, master_answer::unknown, is_closed) == unknown);
        }
        CHECK(rows(strategy, master_answer::pending, false) == wait);
        CHECK(rows(strategy, master_answer::pending, true) == unknown);
    }
    for (const bool is_closed : {false, true}) {
        CHECK(rows(write_strategy::master_only, master_answer::applied, is_closed) == done);
        CHECK(rows(write_strategy::master_first_async, master_answer::applied, is_closed) == done);
    }
    CHECK(rows(write_strategy::master_first_sync, master_answer::applied, false) ==
          "D wD wDD wwDD wwDDD");
    CHECK(rows(write_strategy::master_first_sync, master_answer::applied, true) ==
          "D ?D ?DD ??DD ??DDD");
}

// The states of the copies, the master's changing the fastest: `u` up, `d` down.
TEST_CASE("write: when it is sent at all, for 1 to 5 copies up and down", "[write][golden]") {
    const rules sync = of(write_strategy::master_first_sync);
    CHECK(admissions(sync, 1, "ud") == "-s");
    CHECK(admissions(sync, 2, "ud") == "-sss");
    CHECK(admissions(sync, 3, "ud") == "-d-s-sss");
    CHECK(admissions(sync, 4, "ud") == "-d-s-sss-sssssss");
    CHECK(admissions(sync, 5, "ud") == "-d-d-d-s-d-s-sss-d-s-sss-sssssss");
    for (const write_strategy strategy :
         {write_strategy::master_only, write_strategy::master_first_async}) {
        CHECK(admissions(of(strategy), 1, "ud") == "-d");
        CHECK(admissions(of(strategy), 2, "ud") == "-d-d");
        CHECK(admissions(of(strategy), 3, "ud") == "-d-d-d-d");
        CHECK(admissions(of(strategy), 4, "ud") == "-d-d-d-d-d-d-d-d");
        CHECK(admissions(of(strategy), 5, "ud") == "-d-d-d-d-d-d-d-d-d-d-d-d-d-d-d-d");
    }
    CHECK(admissions(sync, 3, "ud", mode::safe) == "ssssssss");
    CHECK(admissions(of(write_strategy::master_first_async), 3, "ud", mode::safe) == "-d-d-d-d");
}

TEST_CASE("write: a master under repair serves by the policy", "[write][golden]") {
    // The states up, behind, repairing, down of the master, alone and with two replicas that are
    // up.
    const auto sync = write_strategy::master_first_sync;
    const auto async = write_strategy::master_first_async;
    CHECK(admissions(of(async, repair_policy::serve), 1, "ubrd") == "---d");
    CHECK(admissions(of(async, repair_policy::read_only), 1, "ubrd") == "-ppd");
    CHECK(admissions(of(async, repair_policy::refuse), 1, "ubrd") == "-ppd");
    CHECK(admissions(of(sync, repair_policy::serve), 3, "ubrd").substr(0, 4) == "---d");
    CHECK(admissions(of(sync, repair_policy::read_only), 3, "ubrd").substr(0, 4) == "-ppd");
    CHECK(admissions(of(sync, repair_policy::refuse), 3, "ubrd").substr(0, 4) == "-ppd");
}

// By its definition, over all sets of copies that have the write: done means that the master has
// it, and under the third strategy more copies than have it not.
TEST_CASE("write: done is what the strategy says, by sets of copies", "[write][law]") {
    test::mismatches wrong;
    for (std::size_t n = 1; n <= 5; ++n) {
        for (std::uint64_t have = 0; have < (1U << n); ++have) {
            const bool has_master = (have & 1U) != 0;
            const std::size_t count = std::bitset<5>(have).count();
            const acknowledgements known{has_master ? master_answer::applied
                                                    : master_answer::pending,
                                         count - (has_master ? 1U : 0U), false};
            for (const write_strategy strategy : all_strategies) {
                const bool is_done = has_master && (strategy != write_strategy::master_first_sync ||
                                                    count > n - count);
                wrong.compare(letter(decide_write(strategy, n, known)), is_done ? 'D' : 'w', n,
                              have);
            }
        }
    }
    CHECK(wrong.report() == "");
}

// Whatever comes, in whatever order: what is refused was never applied, what is done was.
TEST_CASE("write: more acknowledgements never make less of it", "[write][law]") {
    test::mismatches wrong;
    for (const write_strategy strategy : all_strategies) {
        for (std::size_t n = 1; n <= 5; ++n) {
            for (std::size_t replicas = 0; replicas + 1 < n; ++replicas) {
                for (const bool is_closed : {false, true}) {
                    const auto less =
                        decide_write(strategy, n, {master_answer::applied, replicas, is_closed});
                    const auto more = decide_write(
                        strategy, n, {master_answer::applied, replicas + 1, is_closed});
                    wrong.expect(less != outcome::done || more == outcome::done, n, replicas);
                    wrong.expect(less != outcome::refused && more != outcome::refused, n, replicas);
                }
            }
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("write: an error after an answer never takes it back", "[write][law]") {
    test::mismatches wrong;
    for (int k = 0; k <= static_cast<int>(error_kind::other); ++k) {
        const auto kind = static_cast<error_kind>(k);
        for (const write_strategy strategy : all_strategies) {
            for (std::size_t replicas = 0; replicas < 3; ++replicas) {
                const acknowledgements applied{master_answer::applied, replicas, false};
                const auto then =
                    decide_write(strategy, 3, after_error(applied, kind, phase::applied));
                const bool is_enough =
                    strategy != write_strategy::master_first_sync || replicas >= 1;
                wrong.expect(then == (is_enough ? outcome::done : outcome::unknown), k, replicas);
            }
            // Before an answer it is what `outcome_of` says, and replicas change nothing in it.
            for (const phase at : {phase::not_sent, phase::sent}) {
                const auto then = decide_write(
                    strategy, 3, after_error({master_answer::pending, 2, false}, kind, at));
                wrong.expect(then == outcome_of(kind, at), k);
            }
        }
    }
    CHECK(wrong.report() == "");
}

// In a pipeline WAIT follows the write: it answers a count also where the write was refused, as a
// connection without writes is content with any replica.
TEST_CASE("write: a count of replicas does not save a refused write", "[write][edge]") {
    acknowledgements known = after_error({}, error_kind::no_replicas, phase::sent);
    known.replicas = 2;
    CHECK(decide_write(write_strategy::master_first_sync, 3, known) == outcome::refused);
    CHECK(known == acknowledgements{master_answer::refused, 2, true});
    const acknowledgements lost = after_error({}, error_kind::closed, phase::sent);
    CHECK(lost == acknowledgements{master_answer::unknown, 0, true});
    CHECK(after_error(lost, error_kind::read_only, phase::sent) == lost);
    // The master said that it applied the write, though the caller did not write that down.
    CHECK(after_error({}, error_kind::unblocked, phase::applied) ==
          acknowledgements{master_answer::applied, 0, true});
}

TEST_CASE("write: without a master, and without a group", "[write][edge]") {
    const rules async = of(write_strategy::master_first_async);
    const rules sync = of(write_strategy::master_first_sync);
    CHECK(refusal_of_write(async, group_of("uuu"), mode::normal) == refusal::no_master);
    CHECK(refusal_of_write(sync, group_of("uuu"), mode::normal) == refusal::no_master);
    CHECK(refusal_of_write(sync, group_of("udd"), mode::normal) == refusal::safe_mode);
    CHECK(refusal_of_write(async, group_of(""), mode::normal) == refusal::no_master);
    CHECK(refusal_of_write(sync, group_of(""), mode::normal) == refusal::safe_mode);
    CHECK(describe(refusal::no_master) == "the group has no master");
    CHECK(describe(refusal::none).empty());
    CHECK(describe(write_strategy::master_first_sync) == "master first, then a majority");
}
