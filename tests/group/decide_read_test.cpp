// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/groups.hpp"
#include "support/mismatches.hpp"

#include <hashring/group/decide_read.hpp>

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using group::answer_kind;
using group::copy_answer;
using group::mode;
using group::read_decision;
using group::read_plan;
using group::read_result;
using group::read_strategy;
using group::record_kind;
using group::rules;

namespace {

constexpr std::uint64_t now = 1000;

// An answer by a letter: `.` unasked, `?` pending, `-` absent, `x` failed, `!` damaged, 1 … 9 the
// value of that version, `t` a tombstone of version 5, `e` version 6 that has expired, `z` other
// bytes of version 5.
copy_answer answer(char letter) {
    switch (letter) {
    case '.':
        return {answer_kind::unasked, {}};
    case '?':
        return {answer_kind::pending, {}};
    case '-':
        return {answer_kind::absent, {}};
    case 'x':
        return {answer_kind::failed, {}};
    case '!':
        return {answer_kind::damaged, {}};
    case 't':
        return {answer_kind::record, {{1, 5, 1}, record_kind::tombstone, 9000, {}}};
    case 'e':
        return {answer_kind::record, {{1, 6, 1}, record_kind::value, now, "gone"}};
    case 'z':
        return {answer_kind::record, {{1, 5, 1}, record_kind::value, 0, "other"}};
    default:
        return {answer_kind::record,
                {{1, static_cast<std::uint64_t>(letter - '0'), 1}, record_kind::value, 0, "value"}};
    }
}

std::vector<copy_answer> answers_of(std::string_view letters) {
    std::vector<copy_answer> result;
    for (const char letter : letters) {
        result.push_back(answer(letter));
    }
    return result;
}

read_plan plan_of(std::string_view states, read_strategy strategy) {
    rules chosen;
    chosen.read = strategy;
    return plan_read(chosen, group_of(states), mode::normal, 0);
}

// A decision in words, such as `found b, repair ac, settled`.
std::string decided(std::string_view states, std::string_view answers,
                    read_strategy strategy = read_strategy::majority) {
    const read_decision d =
        decide_read(plan_of(states, strategy), group_of(states), answers_of(answers), now);
    const std::string source =
        d.source == group::no_copy ? "" : std::string(1, static_cast<char>('a' + d.source));
    std::string text = d.result == read_result::waiting  ? "waiting"
                       : d.result == read_result::found  ? "found"
                       : d.result == read_result::absent ? "absent"
                       : d.result == read_result::failed ? "failed"
                                                         : "conflict";
    text += source.empty() ? "" : " " + source;
    text += d.repair.empty() ? "" : ", repair " + letters_of(d.repair);
    return text + (d.is_agreed ? ", agreed" : "") + (d.is_settled ? ", settled" : "");
}

std::string to_ask_of(std::string_view states, std::string_view answers,
                      read_strategy strategy = read_strategy::majority) {
    return letters_of(to_ask(plan_of(states, strategy), answers_of(answers)));
}

} // namespace

TEST_CASE("majority read: all answers of 2 copies", "[decide_read][golden]") {
    CHECK(decided("Uu", "22") == "found a, agreed, settled");
    CHECK(decided("Uu", "21") == "found a, repair b");
    CHECK(decided("Uu", "12") == "found b, repair a");
    CHECK(decided("Uu", "--") == "absent, agreed, settled");
    CHECK(decided("Uu", "2-") == "found a, repair b");
    CHECK(decided("Uu", "-2") == "found b, repair a");
    CHECK(decided("Uu", "2?") == "waiting");
    CHECK(decided("Uu", "2.") == "waiting");
    CHECK(decided("Uu", "..") == "waiting");
    CHECK(decided("Uu", "2x") == "failed");
    CHECK(decided("Uu", "2!") == "failed");
    CHECK(decided("Uu", "x?") == "failed");
}

TEST_CASE("majority read: answers of 3 copies", "[decide_read][golden]") {
    CHECK(decided("Uuu", "22.") == "found a, agreed, settled");
    CHECK(decided("Uuu", "222") == "found a, agreed, settled");
    CHECK(decided("Uuu", "21.") == "found a, repair b");
    CHECK(decided("Uuu", "212") == "found a, repair b, settled");
    CHECK(decided("Uuu", "112") == "found c, repair ab");
    CHECK(decided("Uuu", "1-3") == "found c, repair ab");
    CHECK(decided("Uuu", "--.") == "absent, agreed, settled");
    CHECK(decided("Uuu", "--2") == "found c, repair ab");
    CHECK(decided("Uuu", "2x.") == "waiting");
    CHECK(decided("Uuu", "2x?") == "waiting");
    CHECK(decided("Uuu", "2x2") == "found a, agreed, settled");
    CHECK(decided("Uuu", "2xx") == "failed");
    CHECK(decided("Uuu", "xx.") == "failed");
    CHECK(decided("Uuu", "2!2") == "found a, repair b, settled");
    CHECK(decided("Uuu", "-!-") == "absent, settled");
    CHECK(decided("Uuu", "2!.") == "waiting");
}

TEST_CASE("majority read: deletions and expiry are repaired like values", "[decide_read][golden]") {
    CHECK(decided("Uuu", "tt.") == "absent a, agreed, settled");
    CHECK(decided("Uuu", "t4.") == "absent a, repair b");
    CHECK(decided("Uuu", "4t.") == "absent b, repair a");
    CHECK(decided("Uuu", "t6.") == "found b, repair a");
    CHECK(decided("Uuu", "t-.") == "absent a, repair b");
    CHECK(decided("Uuu", "e3.") == "absent a, repair b");
    CHECK(decided("Uuu", "te.") == "absent b, repair a");
    CHECK(decided("Uuu", "ee.") == "absent a, agreed, settled");
    CHECK(decided("Uuu", "e7.") == "found b, repair a");
}

TEST_CASE("majority read: of different bytes of one version the master's count",
          "[decide_read][golden]") {
    CHECK(decided("Uuu", "5z.") == "found a, repair b");
    CHECK(decided("Uuu", "z5.") == "found a, repair b");
    CHECK(decided("Uuu", "zt5") == "found a, repair bc");
    CHECK(decided("Uuu", "tz.") == "absent a, repair b");
    CHECK(decided("Uuu", "x5z") == "conflict");
    CHECK(decided("Uuu", "4tz") == "conflict");
    CHECK(decided("Uuu", "65z") == "found a, repair bc");
    CHECK(decided("Uuu", "55z") == "found a, repair c, settled");
    CHECK(decided("uUu", "5z.") == "found b, repair a");
    CHECK(decided("uuu", "5z.") == "conflict");
}

TEST_CASE("majority read: copies that are not complete do not count", "[decide_read][golden]") {
    CHECK(decided("Uub", "229") == "found a, agreed, settled");
    CHECK(decided("Uub", "2?9") == "waiting");
    CHECK(decided("Uub", "2x9") == "failed");
    CHECK(decided("Ubb", "222") == "failed");
    CHECK(decided("Buu", "922") == "found b, agreed, settled");
}

TEST_CASE("single read: the first copy that answers decides", "[decide_read][golden]") {
    CHECK(decided("Uuu", "2..", read_strategy::master) == "found a, agreed");
    CHECK(decided("Uuu", "-..", read_strategy::master) == "absent, agreed");
    CHECK(decided("Uuu", "t..", read_strategy::master) == "absent a, agreed");
    CHECK(decided("Uuu", "x33", read_strategy::master) == "failed");
    CHECK(decided("Uuu", "!33", read_strategy::master) == "failed");
    CHECK(decided("Uuu", "x.3", read_strategy::any_copy) == "found c, agreed");
    CHECK(decided("Uuu", "x??", read_strategy::any_copy) == "waiting");
    CHECK(decided("Uuu", "xxx", read_strategy::any_copy) == "failed");
    CHECK(decided("Uuu", ".x-", read_strategy::replica_preferred) == "absent, agreed");
    CHECK(decided("Uuu", "9xx", read_strategy::replica_only) == "failed");
    CHECK(decided("U", "4", read_strategy::majority) == "found a, agreed, settled");
}

TEST_CASE("read: whom to ask next", "[decide_read][golden]") {
    CHECK(to_ask_of("Uuu", "...") == "ab");
    CHECK(to_ask_of("Uuu", "?..") == "b");
    CHECK(to_ask_of("Uuu", "??.").empty());
    CHECK(to_ask_of("Uuu", "x?.") == "c");
    CHECK(to_ask_of("Uuu", "!?.") == "c");
    CHECK(to_ask_of("Uuu", "xx.") == "c");
    CHECK(to_ask_of("Uuu", "2-.").empty());
    CHECK(to_ask_of("Uuu", "2x?").empty());
    CHECK(to_ask_of("Uuuuu", ".....") == "abc");
    CHECK(to_ask_of("Uuuuu", "x?x..") == "de");
    CHECK(to_ask_of("Uub", "x..") == "b"); // though it will not do
    CHECK(to_ask_of("Udu", "...") == "ac");
    CHECK(to_ask_of("Uuu", "...", read_strategy::any_copy) == "a");
    CHECK(to_ask_of("Uuu", "x..", read_strategy::any_copy) == "b");
    CHECK(to_ask_of("Uuu", "...", read_strategy::replica_preferred) == "b");
    CHECK(to_ask_of("Uuu", ".xx", read_strategy::replica_preferred) == "a");
    CHECK(to_ask_of("Uuu", "...", read_strategy::replica_only) == "b");
    CHECK(to_ask_of("Udd", "...").empty());
}

// By its definition, over all answers of 1 to 5 copies: all sets of copies are tried instead of
// counting, and the newest is found by sorting.
TEST_CASE("majority read: the newest of a majority, by sets of copies", "[decide_read][law]") {
    test::mismatches wrong;
    for (std::size_t n = 1; n <= 5; ++n) {
        const std::string states = "U" + std::string(n - 1, 'u');
        const read_plan plan = plan_of(states, read_strategy::majority);
        const group::members g = group_of(states);
        for (const std::string& letters : texts_of(n, n < 5 ? ".?-x!12" : "?-x12")) {
            bool can = false;
            bool did = false;
            for (std::uint64_t set = 1; set < (1U << n); ++set) {
                if (2 * std::bitset<5>(set).count() <= n) {
                    continue;
                }
                bool all_answered = true;
                bool none_failed = true;
                for (std::size_t i = 0; i < n; ++i) {
                    if ((set >> i & 1U) != 0) {
                        all_answered = all_answered && std::string_view("-12").find(letters[i]) !=
                                                           std::string_view::npos;
                        none_failed = none_failed && letters[i] != 'x' && letters[i] != '!';
                    }
                }
                did = did || all_answered;
                can = can || none_failed;
            }
            std::string heard;
            std::copy_if(letters.begin(), letters.end(), std::back_inserter(heard),
                         [](char c) { return c == '-' || c == '1' || c == '2'; });
            std::sort(heard.begin(), heard.end());
            const char newest = heard.empty() ? ' ' : heard.back();

            const auto given = answers_of(letters);
            const read_decision d = decide_read(plan, g, given, now);
            const read_result wanted =
                did   ? (newest == '-' ? read_result::absent : read_result::found)
                : can ? read_result::waiting
                      : read_result::failed;
            wrong.expect(d.result == wanted, letters);
            std::string repair;
            for (std::size_t i = 0; did && newest != '-' && i < n; ++i) {
                const bool lacks =
                    letters[i] == '!' || letters[i] == '-' || (letters[i] == '1' && newest == '2');
                repair += lacks ? std::string(1, static_cast<char>('a' + i)) : "";
            }
            wrong.compare(letters_of(d.repair), repair, letters);
            const auto holders = std::count(letters.begin(), letters.end(), newest);
            wrong.compare(d.is_settled, did && 2 * holders > static_cast<std::ptrdiff_t>(n),
                          letters);
            const bool is_same = heard == std::string(heard.size(), newest) &&
                                 letters.find('!') == std::string::npos;
            wrong.compare(d.is_agreed, did && is_same, letters);
            wrong.expect(d.source == group::no_copy || letters[d.source] == newest, letters);
        }
    }
    CHECK(wrong.report() == "");
}

// Whoever asks the copies that it is told to, whatever they answer, comes to an end, and has asked
// nobody without need.
TEST_CASE("read: asking comes to an end", "[decide_read][law]") {
    test::mismatches wrong;
    for (const read_strategy strategy :
         {read_strategy::majority, read_strategy::any_copy, read_strategy::master,
          read_strategy::replica_preferred, read_strategy::replica_only}) {
        for (std::size_t n = 1; n <= 4; ++n) {
            const std::string states = "U" + std::string(n - 1, 'u');
            const read_plan plan = plan_of(states, strategy);
            for (const std::string& will : texts_of(n, "-x!2")) {
                std::string letters(n, '.');
                std::size_t asked = 0;
                std::size_t failed = 0;
                for (group::copy_list next = to_ask(plan, answers_of(letters)); !next.empty();
                     next = to_ask(plan, answers_of(letters))) {
                    for (const std::size_t i : next) {
                        letters[i] = will[i];
                        ++asked;
                        failed += will[i] == 'x' || will[i] == '!' ? 1U : 0U;
                    }
                }
                const auto end =
                    decide_read(plan, group_of(states), answers_of(letters), now).result;
                wrong.expect(end != read_result::waiting, will);
                wrong.expect(asked <= plan.needed + failed, will);
                wrong.expect((end == read_result::failed) ==
                                 (plan.order.empty() || asked - failed < plan.needed),
                             will);
            }
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("read: bytes as answers", "[decide_read][edge]") {
    const std::string bytes = group::encode({{1, 2, 3}, record_kind::value, 0, "v"});
    CHECK(group::answer_of(bytes) ==
          copy_answer{answer_kind::record, {{1, 2, 3}, record_kind::value, 0, "v"}});
    CHECK(group::answer_of("plain") == copy_answer{answer_kind::damaged, {}});
    CHECK(group::answer_of("") == copy_answer{answer_kind::damaged, {}});
}

TEST_CASE("read: what others wrote is older than all, and more than nothing",
          "[decide_read][edge]") {
    const group::members g = group_of("Uuu");
    const read_plan plan = plan_of("Uuu", read_strategy::majority);
    const copy_answer plain{answer_kind::record, group::unversioned("plain")};
    const auto with = [&](char other) {
        return decide_read(plan, g, std::vector<copy_answer>{answer(other), plain, answer('.')},
                           now);
    };
    CHECK(with('-').source == 1);
    CHECK(with('-').result == read_result::found);
    CHECK(letters_of(with('-').repair) == "a");
    CHECK(with('1').source == 0);
    CHECK(letters_of(with('1').repair) == "b");
}

TEST_CASE("read: a plan that asks nobody has failed", "[decide_read][edge]") {
    CHECK(decided("Udd", "2..") == "failed");
    CHECK(decided("", "") == "failed");
    CHECK(decided("D", ".", read_strategy::master) == "failed");
}
