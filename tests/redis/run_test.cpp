// SPDX-License-Identifier: MIT

#include "running_groups.hpp"
#include "support/catch.hpp"
#include "support/prometheus_text.hpp"
#include "support/tool_calls.hpp"

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

// The command run of redis_groups on servers that are there.

using hashring::concat;
using std::chrono::milliseconds;
using support::arguments;
using support::call;
using support::check_refused;
using support::outcome;
using support::run_tool;
using support::running_groups;

namespace {

std::string spelled(const redis_groups::group_spec& group) {
    std::string text = concat(group.name, "=");
    for (std::size_t i = 0; i < group.copies.size(); ++i) {
        text += concat(i > 0 ? "," : "", describe(group.copies[i]));
    }
    return text;
}

arguments run_call(const std::string& command, const running_groups& groups,
                   const arguments& more = {}) {
    arguments call{"run", command};
    for (const auto& group : groups.specs()) {
        call = support::with(call, {"--groups", spelled(group)});
    }
    return support::with(call, more);
}

} // namespace

TEST_CASE("redis_groups: run works on servers that are there", "[redis][program]") {
    const running_groups groups(2, 1);
    const auto run = [&](const std::string& command, const arguments& more = {}) {
        return run_tool(run_call(command, groups, more));
    };
    CHECK(run("set", {"some key", "some value"}).out == "done\n");
    CHECK(run("get", {"some key"}).out == "some value\n");
    CHECK(run("set", {"--expire", "100ms", "short", "v"}).code == 0);
    std::this_thread::sleep_for(milliseconds(150));
    CHECK(run("get", {"short"}).code == 1);
    CHECK(run("del", {"some key"}).code == 0);
    const outcome gone = run("get", {"some key"});
    CHECK(gone.code == 1);
    CHECK(gone.out == "");
    CHECK(gone.err == "there is no 'some key'\n");
    CHECK(support::lines(run("status").out).size() == 1 + 4);
    CHECK(run("compare").code == 0);
    const auto metrics = support::prometheus_reader::read(run("metrics").out);
    CHECK(metrics.at("hash_ring_nodes{ring=redis_groups,state=up}") == "2");

    for (const std::string& key : support::numbered_keys(20)) {
        CHECK(run("set", {key, "v"}).code == 0);
    }
    const outcome moved = run("move", {"--to", spelled(groups.specs()[0])});
    CAPTURE(moved.err);
    CHECK(moved.code == 0);
    const auto there = call(groups.specs()[0].copies[0], {"DBSIZE"}).number;
    CHECK(there == 20 + 2 + 1); // also what was deleted and what expired, and the version
    CHECK(call(groups.specs()[1].copies[0], {"DBSIZE"}).number == 1);
}

TEST_CASE("redis_groups: run completes copies, and says if it cannot", "[redis][program]") {
    running_groups groups(1, 1);
    CHECK(run_tool(run_call("set", groups, {"k", "v"})).code == 0);
    groups[0].copy(1).kill();
    const outcome half = run_tool(run_call("repair", groups));
    CHECK(half.code == 1);
    const std::string silent = describe(groups.specs()[0].copies[1]);
    CHECK(half.out == concat("group01: ", silent, " does not answer\n"));
    const outcome compared = run_tool(run_call("compare", groups));
    CHECK(compared.code == 1);
    CHECK(compared.out.find(silent) != std::string::npos);
    const outcome refused = run_tool(run_call("set", groups, {"--patience", "100ms", "k", "w"}));
    CHECK(refused.code == 1);
    CHECK(refused.err.find("safe mode") != std::string::npos);
    groups[0].copy(1).restart({}); // takes itself for a master, and is empty
    // Each says that it is the master, nobody follows either of them: what they have is merged.
    CHECK(run_tool(run_call("repair", groups)).code == 0);
    groups[0].await_ready(0, milliseconds(5000));
    CHECK(run_tool(run_call("compare", groups)).code == 0);
    CHECK(run_tool(run_call("get", groups, {"k"})).out == "v\n");
}

TEST_CASE("redis_groups: run comes as the user that it is told", "[redis][program]") {
    const running_groups groups(1, 0);
    const redis_groups::address server = groups.specs()[0].copies[0];
    call(server, {"CONFIG", "SET", "requirepass", "secret"});
    const std::string group = concat("g=", describe(server));
    const auto run = [&](const arguments& more) {
        return run_tool(support::with({"run", "set", "--groups", group, "--patience", "1ms"},
                                      support::with(more, {"k", "v"})));
    };
    CHECK(run({"--password", "secret", "--database", "3"}).out == "done\n");
    CHECK(run({}).err.find("NOAUTH") != std::string::npos);
    const outcome wrong = run({"--user", "somebody", "--password", "other"});
    CHECK(wrong.code == 1);
    CHECK(wrong.err.find("WRONGPASS") != std::string::npos);
    ::setenv("REDISCLI_AUTH", "secret", 1);
    CHECK(run({}).out == "done\n");
    ::unsetenv("REDISCLI_AUTH");
}

TEST_CASE("redis_groups: what makes no sense is refused", "[redis][program][errors]") {
    check_refused({}, "subcommand");
    check_refused({"dance"}, "unknown command 'dance': there are demo, bench, run");
    check_refused({"run", "dance"}, "unknown command 'dance': there are status, get");
    check_refused({"bench", "speed"}, "'speed' is none of");
    check_refused({"demo", "--metrics", ""}, "--metrics names no file");
    check_refused({"bench", "--groups", "1"}, "--groups 1 is not from 2 to 16");
    check_refused({"bench", "--write", "never"}, "--write 'never' is none of master, async, sync");
    check_refused({"run", "get", "k"}, "run needs --groups or --sentinels");
    check_refused({"run", "get", "--groups", "group01", "k"}, "'group01' is no group");
    check_refused({"run", "get", "--sentinels", "a:b", "k"}, "--sentinels: 'a:b' is no address");
    check_refused({"run", "get", "--groups", "g=127.0.0.1:1", "--patience", "5", "k"},
                  "--patience '5' is not a time");
    check_refused({"run", "move", "--groups", "g=127.0.0.1:1", "--to", "g=127.0.0.1:2"},
                  "group 'g' has other copies in --to than in --groups");
    check_refused({"bench", "distribution", "--svg", "/proc/nowhere"}, "/proc/nowhere: ", {}, 1);
    const outcome nobody =
        run_tool({"run", "get", "--groups", "g=127.0.0.1:1", "--patience", "1ms", "k"});
    CHECK(nobody.code == 1);
    CHECK(nobody.err.find("too few copies can be read (127.0.0.1:1: ") == 0);
    check_refused({"run", "status", "--sentinels", "127.0.0.1:1"}, "no sentinel knows a group", {},
                  1);
}
