// SPDX-License-Identifier: MIT

#include "fake_group.hpp"
#include "redis_groups/store/mover.hpp"
#include "support/catch.hpp"

#include <hashring/group/outcome.hpp>
#include <hashring/group/server_error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using hashring::group::outcome;
using redis_groups::client;
using redis_groups::read_state;
using redis_groups::read_value;
using redis_groups::settings;
using redis_groups::write_request;
using redis_groups::write_result;
using std::chrono::milliseconds;
using support::bulk;
using support::fake_group;
using support::long_enough;
using support::record_answer;
using support::version_answer;
using support::waiting;

namespace {

// What a server says when it does not do what it is asked, and what that makes of a write.
struct fault {
    std::string text;
    outcome what = outcome::refused;
    bool is_tried_again = false; // as a failover, or time, may end it
};

const std::vector<fault> faults = {
    {"READONLY You can't write against a read only replica.", outcome::refused, true},
    {"LOADING Redis is loading the dataset in memory", outcome::refused, true},
    {"MASTERDOWN Link with MASTER is down", outcome::refused, true},
    {"ERR max number of clients reached", outcome::refused, true},
    {"MOVED 3999 127.0.0.1:6381", outcome::refused, true},
    {"CLUSTERDOWN The cluster is down", outcome::refused, true},
    {"OOM command not allowed when used memory > 'maxmemory'.", outcome::refused},
    {"NOREPLICAS Not enough good replicas to write.", outcome::refused},
    {"WRONGTYPE Operation against a key holding the wrong kind of value", outcome::refused},
    {"MISCONF Redis is configured to save RDB snapshots", outcome::refused},
    {"NOAUTH Authentication required.", outcome::refused},
    {"NOPERM this user has no permissions", outcome::refused},
    {"BUSY Redis is busy running a script.", outcome::refused},
    {"EXECABORT Transaction discarded", outcome::refused},
    {"UNBLOCKED force unblock from blocking operation", outcome::unknown},
    {"ERR Error running script: attempt to index a nil value", outcome::unknown},
    {"OOMPH is none that is known", outcome::unknown},
    {"readonly", outcome::unknown},
    {"", outcome::unknown},
};

std::string error_answer(const std::string& text) {
    return "-" + text + "\r\n";
}

const std::vector<write_request> three_writes = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
const std::vector<std::string_view> three_keys = {"a", "b", "c"};

} // namespace

TEST_CASE("faults: each error of a master makes of a write what is known, and no other suffers",
          "[redis][golden]") {
    for (const fault& each : faults) {
        CAPTURE(each.text);
        fake_group group;
        client both(group.specs(), waiting(long_enough));
        group.master().say("EVALSHA", {error_answer(each.text)});
        const write_result set = both.set("k", "v");
        CHECK(set.what == each.what);
        const std::string why = each.text.empty() ? "an error without a word" : each.text;
        CHECK(set.why == why);
        const write_result erased = both.erase("k");
        CHECK(erased.what == each.what);
        CHECK(erased.why == why);
        group.master().say("EVALSHA",
                           {version_answer(), error_answer(each.text), version_answer()});
        const std::vector<write_result> many = both.write_many(three_writes);
        CHECK(many[0].is_done());
        CHECK(many[1].what == each.what);
        CHECK(many[1].why == why);
        CHECK(many[2].is_done());
        CHECK(many[2].version == support::fake_version);
    }
}

TEST_CASE("faults: each error of a copy is the reason of a read that fails", "[redis][golden]") {
    for (const fault& each : faults) {
        CAPTURE(each.text);
        fake_group group;
        client reader(group.specs(), waiting(long_enough));
        group.master().say("GET", {error_answer(each.text)});
        const read_value one = reader.get("k");
        CHECK(one.state == read_state::failed);
        CHECK(one.why == (each.text.empty() ? "an error without a word" : each.text));
        group.master().say("GET",
                           {record_answer("x"), error_answer(each.text), record_answer("z")});
        const std::vector<read_value> many = reader.read_many(three_keys);
        CHECK(many[0].value == "x");
        CHECK(many[1].state == read_state::failed);
        CHECK(many[2].value == "z");
    }
}

TEST_CASE("faults: only what was certainly not applied is tried again, where that may help",
          "[redis][law]") {
    for (const fault& each : faults) {
        CAPTURE(each.text);
        fake_group group;
        settings chosen = waiting(long_enough);
        chosen.patience = long_enough;
        client both(group.specs(), chosen);
        group.master().say("EVALSHA", {error_answer(each.text), version_answer()});
        CHECK(both.set("k", "v").is_done() == each.is_tried_again);
        CHECK(group.master().heard("EVALSHA") == (each.is_tried_again ? 2 : 1));
        group.master().say("GET", {error_answer(each.text), record_answer("later")});
        CHECK(both.get("k").value == "later"); // to read again harms nobody
    }
}

TEST_CASE("faults: what is wrong with the replicas' acknowledgement leaves a write unknown",
          "[redis][law]") {
    std::vector<std::string> answers = {":0\r\n",      ":-1\r\n", "+1\r\n",
                                        "$1\r\n1\r\n", "$-1\r\n", "*1\r\n:1\r\n"};
    for (const fault& each : faults) {
        answers.push_back(error_answer(each.text));
    }
    fake_group group(1);
    settings chosen = waiting(long_enough);
    chosen.patience = long_enough;
    for (const std::string& answer : answers) {
        CAPTURE(answer);
        client both(group.specs(), chosen);
        group.master().say("EVALSHA", {version_answer()});
        group.master().say("WAIT", {answer});
        const write_result result = both.set("k", "v");
        CHECK(result.what == outcome::unknown);
        CHECK_FALSE(result.why.empty());
        CHECK(both.erase("k").what == outcome::unknown);
        CHECK(group.master().heard("EVALSHA") == 2); // none was tried again
        group.master().say("WAIT", {":1\r\n"});
        CHECK(both.set("k", "v").is_done());
    }
}

TEST_CASE("faults: what is none of its answers leaves a write unknown, and fails a read",
          "[redis][law]") {
    fake_group group;
    client both(group.specs(), waiting(long_enough));
    write_request passed_on{"k"};
    const std::string record = hashring::group::encode(
        {support::fake_version, hashring::group::record_kind::value, 0, "v"});
    passed_on.record = record;
    const std::string version = version_answer();
    const std::vector<std::string> all = {":0\r\n",
                                          ":1\r\n",
                                          ":2\r\n",
                                          ":-1\r\n",
                                          "+OK\r\n",
                                          "$-1\r\n",
                                          "*0\r\n",
                                          "*1\r\n:1\r\n",
                                          version,
                                          bulk(std::string(23, 'v')),
                                          bulk(std::string(25, 'v')),
                                          bulk("")};
    for (const std::string& answer : all) {
        CAPTURE(answer);
        group.master().say("EVALSHA", {answer});
        const write_result set = both.set("k", "v");
        CHECK(set.what == (answer == version ? outcome::done : outcome::unknown));
        CHECK(set.why.empty() == set.is_done());
        const write_result merged = both.write_many({&passed_on, 1}).front();
        const bool is_known = answer == ":0\r\n" || answer == ":1\r\n";
        CHECK(merged.what == (is_known ? outcome::done : outcome::unknown));
        group.master().say("GET", {answer});
        const read_value read = both.get("k");
        const bool is_list_or_number = answer[0] == ':' || answer[0] == '+' || answer[0] == '*';
        CHECK((read.state == read_state::failed) == is_list_or_number);
        CHECK(read.why.empty() != is_list_or_number);
    }
}

TEST_CASE("faults: a master that does not keep the script is given it, once", "[redis][law]") {
    fake_group group;
    client both(group.specs(), waiting(long_enough));
    group.master().say("EVALSHA", {"-NOSCRIPT No matching script.\r\n", version_answer()});
    CHECK(both.set("k", "v").is_done());
    group.master().say("EVALSHA", {"-NOSCRIPT No matching script.\r\n"});
    const write_result result = both.set("k", "v");
    CHECK(result.what == outcome::refused);
    CHECK(result.why == "NOSCRIPT No matching script.");
    CHECK(group.master().heard("EVALSHA") == 2);
    for (const char* answer : {"-NOPERM no\r\n", "garbage", "*3\r\n", ""}) { // to the script itself
        CAPTURE(answer);
        client other(group.specs(), waiting(milliseconds(50)));
        group.master().say("SCRIPT", {answer});
        CHECK(other.set("k", "v").what == outcome::refused);
    }
}

TEST_CASE("faults: an error is no number of keys, and no version to begin a move with",
          "[redis][errors]") {
    fake_group group;
    settings chosen = waiting(long_enough);
    client both(group.specs(), chosen);
    group.master().say("DBSIZE", {":5\r\n"});
    group.master().say("EXISTS", {":1\r\n"});
    CHECK(both.key_counts() == std::vector<std::uint64_t>{4});
    group.master().say("EXISTS", {"-LOADING later\r\n"});
    CHECK_THROWS_AS(both.key_counts(), redis_groups::server_failure);
    group.master().say("EXISTS", {":0\r\n"});
    group.master().say("DBSIZE", {"-LOADING later\r\n"});
    CHECK_THROWS_AS(both.key_counts(), redis_groups::server_failure);

    group.master().say("GET", {"-LOADING later\r\n"});
    redis_groups::mover moves(both.ring(), chosen);
    CHECK_THROWS_AS(moves.begin(group.specs()), redis_groups::server_failure);
    CHECK_FALSE(redis_groups::placement::use(*both.ring()).is_moving());
    group.master().say("GET", {"$-1\r\n"});
    moves.begin(group.specs());
    CHECK(redis_groups::placement::use(*both.ring()).is_moving());
}
