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
using support::bulk;
using support::do_all;
using support::ending;
using support::ending_of;
using support::ends_within;
using support::expect_nothing_done;
using support::fake_group;
using support::fake_redis;
using support::garbage;
using support::garbage_seed;
using support::long_enough;
using support::patience_of;
using support::version_answer;
using support::waiting;

TEST_CASE("garbage: to the question how a copy is, it is a copy that is down", "[redis][law]") {
    dice choices(garbage_seed + 1);
    CAPTURE(garbage_seed);
    mismatches wrong;
    for (int round = 0; round < 120; ++round) {
        const std::string command = choices.pick<std::string>({"INFO server", "INFO replication"});
        const std::string bytes = choices.below(2) == 0 ? garbage(choices) : bulk(garbage(choices));
        const std::size_t broken = choices.below(2);
        fake_group group(1);
        group.copy(broken).say(command, {{bytes, ending_of(round)}});
        client both(group.specs(), patience_of(round));
        all_of_it what;
        wrong.expect(ends_within(milliseconds(5000), [&] { what = do_all(both); }), round, bytes);
        expect_nothing_done(what, wrong, bytes);
        for (const write_result& each : what.writes) {
            wrong.compare(describe(each.what), describe(outcome::refused), round, bytes);
        }
        wrong.compare(group.master().heard("EVALSHA"), std::size_t{0}, round, bytes);
    }
    CHECK_NO_MISMATCHES(wrong);
}

TEST_CASE("garbage: an answer to INFO that breaks off at any byte refuses writes and fails reads",
          "[redis][law]") {
    fake_group group;
    mismatches wrong;
    for (std::size_t cut = 0; cut < 160; ++cut) {
        client both(group.specs(), waiting(long_enough));
        group.master().break_off_info(cut);
        const write_result written = both.set("k", "v");
        wrong.compare(describe(written.what), describe(outcome::refused), cut);
        wrong.expect(!written.why.empty(), cut);
        group.master().break_off_info(cut);
        const read_value read = both.get("k");
        wrong.expect(read.state == read_state::failed && !read.why.empty(), cut, read.why);
        group.master().recover();
    }
    CHECK_NO_MISMATCHES(wrong);
}

TEST_CASE("garbage: from a sentinel, no master is found and nothing is sent", "[redis][law]") {
    dice choices(garbage_seed + 2);
    CAPTURE(garbage_seed);
    fake_group group;
    fake_redis sentinel;
    mismatches wrong;
    std::size_t done = 0;
    for (int round = 0; round < 120; ++round) {
        const std::string command =
            choices.pick<std::string>({"SENTINEL MASTER", "SENTINEL REPLICAS", "nothing"});
        const std::string bytes = garbage(choices);
        const std::string master =
            hashring::concat("*4\r\n$2\r\nip\r\n$9\r\n127.0.0.1\r\n$4\r\nport\r\n",
                             bulk(hashring::decimal(group.master().where().port)));
        sentinel.say("SENTINEL MASTER", {master});
        sentinel.say("SENTINEL REPLICAS", {"*0\r\n"});
        settings chosen = patience_of(round);
        chosen.sentinels = {sentinel.where()};
        chosen.sentinel_connections = chosen.connections;
        sentinel.say(command, {{bytes, ending_of(round)}});
        group.master().say("EVALSHA", {version_answer()});
        client both({{"group01", {}, {}}}, chosen);
        all_of_it what;
        wrong.expect(ends_within(milliseconds(5000), [&] { what = do_all(both); }), round, bytes);
        if (command == "SENTINEL MASTER") {
            expect_nothing_done(what, wrong, bytes);
            wrong.compare(group.master().heard("EVALSHA"), std::size_t{0}, round, bytes);
        } else if (command == "nothing" && ending_of(round) == ending::closes) {
            wrong.compare(what.writes.front().is_done(), true, round);
            ++done;
        }
    }
    CHECK_NO_MISMATCHES(wrong);
    CHECK(done > 20);
}

TEST_CASE("garbage: to AUTH and SELECT, and refusals, end before anything is written",
          "[redis][errors]") {
    fake_group group;
    settings chosen = waiting(long_enough);
    chosen.connections.user = "somebody";
    chosen.connections.password = "secret";
    chosen.connections.database = 3;
    group.master().say("AUTH", {"+OK\r\n"});
    group.master().say("SELECT", {"+OK\r\n"});
    client good(group.specs(), chosen);
    CHECK(good.set("k", "v").is_done());
    chosen.look_timeout = chosen.connections.io_timeout = milliseconds(50);
    const std::vector<support::said> bad = {{"-WRONGPASS invalid username-password pair\r\n"},
                                            {"-ERR DB index is out of range\r\n"},
                                            {"-NOAUTH Authentication required.\r\n"},
                                            {"hello\r\n"},
                                            {"*9999999\r\n"},
                                            {"+O", ending::closes},
                                            {"", ending::closes},
                                            {"", ending::falls_silent}};
    for (const std::string command : {"AUTH", "SELECT"}) {
        for (const support::said& answer : bad) {
            CAPTURE(command, answer.bytes);
            group.master().say("AUTH", {"+OK\r\n"});
            group.master().say("SELECT", {"+OK\r\n"});
            group.master().say(command, {answer});
            group.master().say("EVALSHA", {version_answer()});
            client both(group.specs(), chosen);
            const write_result written = both.set("k", "v");
            CHECK(written.what == outcome::refused);
            CHECK_FALSE(written.why.empty());
            CHECK(both.get("k").state == read_state::failed);
            CHECK(group.master().heard("EVALSHA") == 0);
        }
    }
}
