// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/groups.hpp"
#include "support/mismatches.hpp"

#include <hashring/group/read.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using group::mode;
using group::read_plan;
using group::read_strategy;
using group::refusal;
using group::repair_policy;
using group::rules;

namespace {

rules of(read_strategy strategy, repair_policy policy = repair_policy::refuse) {
    rules result;
    result.read = strategy;
    result.repair = policy;
    return result;
}

// Whom a read asks, in order, or why nobody.
std::string asked(const rules& chosen, std::string_view group, std::uint64_t turn = 0,
                  mode now = mode::normal) {
    const read_plan plan = plan_read(chosen, group_of(group), now, turn);
    switch (plan.why) {
    case refusal::none:
        return letters_of(plan.order);
    case refusal::no_master:
        return "no master";
    case refusal::master_down:
        return "master down";
    case refusal::under_repair:
        return "repair";
    case refusal::no_replica:
        return "no replica";
    case refusal::too_few_copies:
        return "too few";
    case refusal::safe_mode:
        return "safe";
    }
    return "?";
}

// The same for all states up and down of some copies, the master's changing the fastest.
std::string table(const rules& chosen, std::size_t copies) {
    std::string result;
    for (const std::string& text : groups_of(copies, "ud")) {
        result += asked(chosen, text) +
                  (text == std::string(1, 'D') + std::string(copies - 1, 'd') ? "" : ", ");
    }
    return result;
}

} // namespace

TEST_CASE("read: whom each strategy asks, for 1 to 3 copies up and down", "[read][golden]") {
    CHECK(table(of(read_strategy::master), 1) == "a, master down");
    CHECK(table(of(read_strategy::any_copy), 1) == "a, too few");
    CHECK(table(of(read_strategy::replica_preferred), 1) == "a, too few");
    CHECK(table(of(read_strategy::replica_only), 1) == "no replica, no replica");
    CHECK(table(of(read_strategy::majority), 1) == "a, too few");

    CHECK(table(of(read_strategy::master), 2) == "a, master down, a, master down");
    CHECK(table(of(read_strategy::any_copy), 2) == "ab, b, a, too few");
    CHECK(table(of(read_strategy::replica_preferred), 2) == "ba, b, a, too few");
    CHECK(table(of(read_strategy::replica_only), 2) == "b, b, no replica, no replica");
    CHECK(table(of(read_strategy::majority), 2) == "ab, too few, too few, too few");

    CHECK(table(of(read_strategy::master), 3) ==
          "a, master down, a, master down, a, master down, a, master down");
    CHECK(table(of(read_strategy::any_copy), 3) == "abc, bc, ac, c, ab, b, a, too few");
    CHECK(table(of(read_strategy::replica_preferred), 3) == "bca, bc, ca, c, ba, b, a, too few");
    CHECK(table(of(read_strategy::replica_only), 3) ==
          "bc, bc, c, c, b, b, no replica, no replica");
    CHECK(table(of(read_strategy::majority), 3) ==
          "abc, bc, ac, too few, ab, too few, too few, too few");
}

TEST_CASE("read: a majority of 4 and of 5 copies up and down", "[read][golden]") {
    CHECK(table(of(read_strategy::majority), 4) ==
          "abcd, bcd, acd, too few, abd, too few, too few, too few, "
          "abc, too few, too few, too few, too few, too few, too few, too few");
    CHECK(table(of(read_strategy::majority), 5) ==
          "abcde, bcde, acde, cde, abde, bde, ade, too few, "
          "abce, bce, ace, too few, abe, too few, too few, too few, "
          "abcd, bcd, acd, too few, abd, too few, too few, too few, "
          "abc, too few, too few, too few, too few, too few, too few, too few");
}

TEST_CASE("read: copies that are not complete serve by the policy", "[read][golden]") {
    const auto serve = repair_policy::serve;
    const auto read_only = repair_policy::read_only;
    const auto refuse = repair_policy::refuse;
    for (const char state : {'b', 'r'}) {
        CAPTURE(state);
        const std::string replica = std::string("Uu") + state;
        const char capital = static_cast<char>(std::toupper(state));
        const std::string master = std::string(1, capital) + "uu";
        for (const repair_policy reads : {serve, read_only}) {
            CHECK(asked(of(read_strategy::any_copy, reads), replica) == "abc");
            CHECK(asked(of(read_strategy::replica_only, reads), replica) == "bc");
            CHECK(asked(of(read_strategy::master, reads), master) == "a");
            CHECK(asked(of(read_strategy::replica_preferred, reads), master) == "bca");
        }
        CHECK(asked(of(read_strategy::any_copy, refuse), replica) == "ab");
        CHECK(asked(of(read_strategy::replica_only, refuse), replica) == "b");
        CHECK(asked(of(read_strategy::master, refuse), master) == "repair");
        CHECK(asked(of(read_strategy::replica_preferred, refuse), master) == "bc");
        for (const repair_policy any : {serve, read_only, refuse}) {
            CHECK(asked(of(read_strategy::majority, any), replica) == "ab");
            CHECK(asked(of(read_strategy::majority, any), master) == "bc");
        }
    }
}

TEST_CASE("read: safe mode reads by choice", "[read][golden]") {
    rules chosen = of(read_strategy::any_copy);
    CHECK(asked(chosen, "Udd", 0, mode::safe) == "a");
    CHECK(asked(of(read_strategy::majority), "Udd", 0, mode::safe) == "too few");
    chosen.safe_reads = group::safe_reads::refuse;
    CHECK(asked(chosen, "Udd", 0, mode::safe) == "safe");
    CHECK(asked(chosen, "Udd", 0, mode::normal) == "a");
    chosen.write = group::write_strategy::master_first_async; // has no safe mode
    CHECK(asked(chosen, "Udd", 0, mode::safe) == "a");
}

// Public report redisson #1130: a mode that should use all copies never read the master.
TEST_CASE("read: copies that are asked in turn are asked as often", "[read][law]") {
    const auto first_asked = [](read_strategy strategy) {
        std::array<int, 3> counts{};
        const group::members g = group_of("Uuu");
        for (std::uint64_t turn = 0; turn < 9000; ++turn) {
            ++counts[plan_read(of(strategy), g, mode::normal, turn).order[0]];
        }
        return counts;
    };
    CHECK(first_asked(read_strategy::any_copy) == std::array{3000, 3000, 3000});
    CHECK(first_asked(read_strategy::replica_preferred) == std::array{0, 4500, 4500});
    CHECK(first_asked(read_strategy::replica_only) == std::array{0, 4500, 4500});
    CHECK(first_asked(read_strategy::master) == std::array{9000, 0, 0});
    CHECK(first_asked(read_strategy::majority) == std::array{9000, 0, 0});
    // Of the replicas, each is asked second as often.
    CHECK(asked(of(read_strategy::majority), "Uuu", 1) == "acb");
    CHECK(asked(of(read_strategy::any_copy), "Uuu", 1) == "bca");
    CHECK(asked(of(read_strategy::any_copy), "Uuu", ~std::uint64_t{0}) ==
          "abc"); // 2^64 − 1 = 3 · …
    CHECK(asked(of(read_strategy::any_copy), "Udu", 1) == "ca");
}

// By definition: over all states of 1 to 4 copies, policies and strategies.
TEST_CASE("read: asked are those that may be, each once", "[read][law]") {
    test::mismatches wrong;
    for (std::size_t n = 1; n <= 4; ++n) {
        for (const std::string& text : groups_of(n, "ubrd")) {
            const group::members g = group_of(text);
            for (const auto policy :
                 {repair_policy::serve, repair_policy::read_only, repair_policy::refuse}) {
                std::string may;
                std::string complete;
                for (std::size_t i = 0; i < n; ++i) {
                    const char state = static_cast<char>(std::tolower(text[i]));
                    complete += state == 'u' ? std::string(1, static_cast<char>('a' + i)) : "";
                    if (state == 'u' || (state != 'd' && policy != repair_policy::refuse)) {
                        may += static_cast<char>('a' + i);
                    }
                }
                const std::string of_master = may.find('a') == 0 ? "a" : "";
                const std::string of_replicas = may.substr(of_master.size());
                for (std::uint64_t turn = 0; turn < n; ++turn) {
                    const auto check = [&](read_strategy strategy, std::string wanted,
                                           std::size_t needed) {
                        const read_plan plan =
                            plan_read(of(strategy, policy), g, mode::normal, turn);
                        std::string got = letters_of(plan.order);
                        std::sort(got.begin(), got.end());
                        wanted = wanted.size() < needed ? "" : wanted;
                        wrong.compare(got, wanted, text, turn);
                        wrong.compare(plan.needed, wanted.empty() ? 0 : needed, text, turn);
                        wrong.expect((plan.why == refusal::none) == !wanted.empty(), text, turn);
                    };
                    check(read_strategy::master, of_master, 1);
                    check(read_strategy::any_copy, may, 1);
                    check(read_strategy::replica_preferred, may, 1);
                    check(read_strategy::replica_only, of_replicas, 1);
                    // More than half of all copies: as many again, and one more, would be too many.
                    std::size_t half = 0;
                    while (2 * half <= n) {
                        ++half;
                    }
                    check(read_strategy::majority, complete, half);
                }
            }
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("read: without a master, and without a group", "[read][edge]") {
    CHECK(asked(of(read_strategy::master), "uuu") == "no master");
    CHECK(asked(of(read_strategy::any_copy), "uuu") == "abc");
    CHECK(asked(of(read_strategy::replica_preferred), "uuu") == "abc");
    CHECK(asked(of(read_strategy::majority), "uuu") == "abc");
    CHECK(asked(of(read_strategy::majority), "udu", 1) == "ca");
    CHECK(asked(of(read_strategy::master), "") == "no master");
    CHECK(asked(of(read_strategy::any_copy), "") == "too few");
    CHECK(asked(of(read_strategy::replica_only), "") == "no replica");
    CHECK(asked(of(read_strategy::majority), "") == "too few");
}

TEST_CASE("read: as many copies as a group may have", "[read][edge]") {
    const std::string many(15, 'u');
    CHECK(asked(of(read_strategy::any_copy), "U" + many, 15) == "pabcdefghijklmno");
    const read_plan plan =
        plan_read(of(read_strategy::majority), group_of("U" + many), mode::normal, 0);
    CHECK(plan.needed == 9);
    CHECK(plan.order.size() == 16);
}
