// SPDX-License-Identifier: MIT

#include "fake_group.hpp"
#include "support/catch.hpp"
#include "support/mismatches.hpp"

#include <hashring/group/outcome.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using hashring::group::outcome;
using hashring::test::mismatches;
using redis_groups::client;
using redis_groups::read_state;
using redis_groups::read_value;
using redis_groups::write_request;
using redis_groups::write_result;
using support::fake_group;
using support::long_enough;
using support::record_answer;
using support::version_answer;
using support::waiting;

namespace {

const std::vector<write_request> three_writes = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
const std::vector<std::string_view> three_keys = {"a", "b", "c"};

// How many writes of three are done, and whether all others are unknown, with a reason.
std::size_t done_or_unknown(client& writer, mismatches& wrong, std::size_t cut) {
    std::size_t done = 0;
    for (const write_result& result : writer.write_many(three_writes)) {
        done += result.is_done() ? 1U : 0U;
        wrong.expect(result.is_done() || (result.what == outcome::unknown && !result.why.empty()),
                     "cut", cut, describe(result.what), result.why);
    }
    return done;
}

// How many reads of three find the value, and whether all others fail, with a reason.
std::size_t found_or_failed(client& reader, mismatches& wrong, std::size_t cut) {
    std::size_t found = 0;
    for (const read_value& value : reader.read_many(three_keys)) {
        found += value.is_found() && value.value == "value" ? 1U : 0U;
        wrong.expect(value.is_found() || (value.state == read_state::failed && !value.why.empty()),
                     "cut", cut, value.why);
    }
    return found;
}

std::size_t whole(std::size_t bytes, const std::string& answer) {
    return bytes / answer.size();
}

} // namespace

TEST_CASE("cut off: a connection that closes at any byte leaves unknown what was not answered",
          "[redis][law]") {
    const std::string answer = version_answer();
    fake_group group;
    mismatches wrong;
    for (std::size_t cut = 0; cut < 3 * answer.size(); ++cut) {
        client both(group.specs(), waiting(long_enough));
        group.master().say("EVALSHA", {answer});
        group.master().break_off(cut);
        wrong.compare(done_or_unknown(both, wrong, cut), whole(cut, answer), cut);
        wrong.compare(group.master().heard("EVALSHA") <= 3, true, cut);
        group.master().recover();
        wrong.expect(both.set("k", "v").is_done(), cut); // by another connection
        group.master().break_off(cut % answer.size());
        wrong.compare(describe(both.erase("k").what), describe(outcome::unknown), cut);
        group.master().recover();
    }
    CHECK_NO_MISMATCHES(wrong);
}

TEST_CASE("cut off: where replicas must acknowledge, nothing is done before they have",
          "[redis][law]") {
    const std::string all = version_answer() + version_answer() + version_answer() + ":1\r\n";
    fake_group group(1);
    mismatches wrong;
    for (std::size_t cut = 0; cut <= all.size(); ++cut) {
        client both(group.specs(), waiting(long_enough));
        group.master().break_off(cut);
        wrong.compare(done_or_unknown(both, wrong, cut), std::size_t{cut == all.size() ? 3U : 0U},
                      cut);
        group.master().recover();
    }
    CHECK_NO_MISMATCHES(wrong);
}

TEST_CASE("cut off: a connection that closes at any byte of a record fails its reads",
          "[redis][law]") {
    const std::string answer = record_answer("value");
    fake_group group;
    mismatches wrong;
    for (std::size_t cut = 0; cut < 3 * answer.size(); ++cut) {
        client reader(group.specs(), waiting(long_enough));
        group.master().break_off(cut);
        wrong.compare(found_or_failed(reader, wrong, cut), whole(cut, answer), cut);
        group.master().recover();
        wrong.compare(reader.get("k").value, "value", cut);
    }
    CHECK_NO_MISMATCHES(wrong);
}

TEST_CASE("cut off: a majority is read although one copy breaks off at any byte", "[redis][law]") {
    const std::string answer = record_answer("value");
    fake_group group(2);
    mismatches wrong;
    for (std::size_t cut = 0; cut < 3 * answer.size(); cut += 3) {
        for (std::size_t broken = 0; broken < 3; ++broken) {
            client reader(group.specs(), waiting(long_enough));
            group.copy(broken).break_off(cut);
            wrong.compare(found_or_failed(reader, wrong, cut), std::size_t{3}, cut, broken);
            group.copy(broken).recover();
        }
    }
    CHECK_NO_MISMATCHES(wrong);
}
