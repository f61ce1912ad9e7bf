// SPDX-License-Identifier: MIT

#include "garbage.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

using hashring::group::outcome;
using hashring::test::mismatches;
using redis_groups::client;
using redis_groups::read_state;
using redis_groups::read_value;
using redis_groups::settings;
using redis_groups::write_result;
using std::chrono::milliseconds;
using support::all_of_it;
using support::do_all;
using support::ending;
using support::ending_of;
using support::ends_within;
using support::fake_group;
using support::garbage;
using support::garbage_seed;
using support::long_enough;
using support::patience_of;
using support::record_answer;
using support::version_answer;
using support::waiting;

TEST_CASE("garbage: to a write it makes it unknown, and to a read it is a reason to fail",
          "[redis][law]") {
    dice choices(garbage_seed);
    CAPTURE(garbage_seed);
    fake_group group(1);
    mismatches wrong;
    std::size_t failed_reads = 0;
    for (int round = 0; round < 300; ++round) {
        const std::string command = choices.pick<std::string>({"EVALSHA", "WAIT", "GET"});
        const std::string bytes = garbage(choices);
        client both(group.specs(), patience_of(round));
        group.master().say("EVALSHA", {version_answer()});
        group.master().say("WAIT", {":1\r\n"});
        group.master().say("GET", {record_answer("value")});
        group.master().say(command, {{bytes, ending_of(round)}});
        all_of_it what;
        wrong.expect(ends_within(milliseconds(5000), [&] { what = do_all(both); }), round, bytes);
        const bool is_timed = ending_of(round) == ending::falls_silent;
        for (const write_result& each : what.writes) {
            const outcome expected = command == "GET" ? outcome::done : outcome::unknown;
            const bool is_right = is_timed ? command == "GET" || !each.is_done() // so may others be
                                           : each.what == expected;
            wrong.expect(is_right && each.why.empty() == each.is_done(), round, command, bytes,
                         describe(each.what), each.why);
        }
        for (const read_value& each : what.reads) { // bytes that pass for a value are an old one
            const bool has_failed = each.state == read_state::failed && !each.why.empty();
            wrong.expect(each.value == "value" || ((command == "GET" || is_timed) && has_failed),
                         round, command, bytes, each.why);
            failed_reads += has_failed ? 1U : 0U;
        }
    }
    CHECK(failed_reads > 240); // of some 300 whose answer was garbage
    CHECK_NO_MISMATCHES(wrong);
}

TEST_CASE("garbage: a server that says one byte now and then has no longer than another",
          "[redis][law]") {
    fake_group group;
    settings chosen = waiting(long_enough);
    chosen.connections.io_timeout = milliseconds(60);
    const std::string record = record_answer(std::string(2000, 'v')); // ten seconds of it
    SECTION("to a write") {
        group.master().break_off(0, ending::drips);
        client both(group.specs(), chosen);
        CHECK(ends_within(milliseconds(1000),
                          [&] { CHECK(both.set("k", "v").what == outcome::unknown); }));
    }
    SECTION("to a read") {
        group.master().say("GET", {record});
        group.master().break_off(0, ending::drips);
        client both(group.specs(), chosen);
        CHECK(ends_within(milliseconds(1000), [&] {
            const read_value read = both.get("k");
            CHECK(read.state == read_state::failed);
            CHECK(read.why.find("no answer in 60 ms") != std::string::npos);
        }));
    }
    SECTION("to the question how it is") {
        chosen.look_timeout = milliseconds(60);
        group.master().break_off_info(0, ending::drips);
        client both(group.specs(), chosen);
        CHECK(ends_within(milliseconds(1000),
                          [&] { CHECK(both.set("k", "v").what == outcome::refused); }));
    }
}
