// SPDX-License-Identifier: MIT

#include "running_groups.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/prometheus_text.hpp"
#include "support/tool_calls.hpp"
#include "support/xml.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

// The program redis_groups as a user runs it.

using hashring::concat;
using hashring::decimal;
using std::chrono::milliseconds;
using support::arguments;
using support::call;
using support::check_refused;
using support::outcome;
using support::run_tool;
using support::running_groups;
using support::slurp;
using steady = std::chrono::steady_clock;

namespace {

// A folder for temporary files of programs that are started meanwhile.
class temporary_folder {
public:
    temporary_folder() : before_(std::getenv("TMPDIR") == nullptr ? "" : std::getenv("TMPDIR")) {
        ::setenv("TMPDIR", folder_.path("").c_str(), 1);
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder() {
        if (before_.empty()) {
            ::unsetenv("TMPDIR");
        } else {
            ::setenv("TMPDIR", before_.c_str(), 1);
        }
    }

    [[nodiscard]] std::size_t files() const { return support::files_in(folder_.path("")); }
    // Processes that work in it.
    [[nodiscard]] std::size_t servers() const {
        std::size_t count = 0;
        std::error_code unreadable;
        for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
            const auto where = std::filesystem::read_symlink(entry.path() / "cwd", unreadable);
            count += where.string().find(folder_.path("redis_groups-")) == 0 ? 1U : 0U;
        }
        return count;
    }
    [[nodiscard]] std::size_t servers_after(milliseconds patience) const {
        const auto deadline = steady::now() + patience;
        while (servers() > 0 && steady::now() < deadline) {
            std::this_thread::sleep_for(milliseconds(5));
        }
        return servers();
    }

private:
    support::scratch folder_;
    std::string before_;
};

// The program while it runs, with its output thrown away.
class running_program {
public:
    explicit running_program(const char* command) : id_(::fork()) {
        if (id_ == 0) {
            support::detail::redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
            support::detail::redirect("/dev/null", O_WRONLY, STDERR_FILENO);
            ::execl(HASHRING_TOOL, HASHRING_TOOL, command, static_cast<char*>(nullptr));
            std::_Exit(127);
        }
    }
    // Sends a signal, waits for the end and returns by which signal it came; 0 for none.
    [[nodiscard]] int end_by(int number) const {
        ::kill(id_, number);
        int status = 0;
        ::waitpid(id_, &status, 0);
        return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }

private:
    pid_t id_;
};

void end_at_random_moments(int tries, std::uint64_t seed) {
    CAPTURE(seed);
    dice moments(seed);
    for (int i = 0; i < tries; ++i) {
        const int number =
            std::vector<int>{SIGINT, SIGTERM, SIGHUP}[static_cast<std::size_t>(i % 3)];
        const auto moment = milliseconds(moments.below(i % 3 == 2 ? 12'000 : 1'500));
        CAPTURE(i, number, moment.count());
        const temporary_folder folder;
        const running_program demo("demo");
        std::this_thread::sleep_for(moment);
        CHECK(demo.end_by(number) == number);
        CHECK(folder.files() == 0);
        CHECK(folder.servers() == 0);
    }
}

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

TEST_CASE("redis_groups: the demo shows what it says in under a minute and leaves nothing behind",
          "[redis][program]") {
    const support::scratch own;
    const temporary_folder folder;
    const auto start = steady::now();
    const outcome demo = run_tool({"demo", "--keys", "5000", "--metrics", own.path("state")});
    CAPTURE(demo.out, demo.err);
    CHECK(demo.code == 0);
    CHECK(demo.err == "");
    CHECK(steady::now() - start < std::chrono::seconds(60));
    for (const char* said :
         {"acknowledged writes that are lost: 0", "copies of group01 hold the same",
          "the group is in safe mode", "writes are done again", "keys left behind on group01: 0",
          "each the last that was acknowledged or a later one", "== Done"}) {
        CAPTURE(said);
        CHECK(demo.out.find(said) != std::string::npos);
    }
    const auto metrics = support::prometheus_reader::read(slurp(own.path("state")));
    CHECK(metrics.at("hash_ring_nodes{ring=redis_groups,state=up}") == "2");
    CHECK(metrics.at("hash_ring_group_copies{group=group03,ring=redis_groups,state=up}") == "3");
    CHECK(folder.files() == 0);
    CHECK(folder.servers() == 0);
}

TEST_CASE("redis_groups: a signal at any moment ends the demo and leaves nothing behind",
          "[redis][program]") {
    end_at_random_moments(3, 1);
}

TEST_CASE("redis_groups: nor at twenty moments", "[redis][program][.long]") {
    end_at_random_moments(20, 2);
}

TEST_CASE("redis_groups: killed, it takes its servers along, and the next start cleans up",
          "[redis][program]") {
    const temporary_folder folder;
    {
        const running_program demo("demo");
        const auto deadline = steady::now() + std::chrono::seconds(10);
        while (folder.servers() < 3 && steady::now() < deadline) {
            std::this_thread::sleep_for(milliseconds(10));
        }
        CHECK(folder.servers() >= 3);
        CHECK(demo.end_by(SIGKILL) == SIGKILL);
    }
    CHECK(folder.servers_after(milliseconds(5000)) == 0);
    CHECK(folder.files() == 1);
    {
        const redis_groups::scratch_folder next;
    }
    CHECK(folder.files() == 0);
}

TEST_CASE("redis_groups: a folder goes away while others still put something there",
          "[redis][program]") {
    for (int i = 0; i < 20; ++i) {
        const temporary_folder folder;
        if (const pid_t id = ::fork(); id > 0) {
            ::waitpid(id, nullptr, 0);
            CHECK(folder.files() == 0);
            continue;
        }
        const redis_groups::scratch_folder scratch;
        std::thread([path = scratch.path()] { // as one that starts servers does
            std::error_code gone;
            for (int n = 0;; ++n) {
                std::filesystem::create_directory(path / decimal(n), gone);
            }
        })
            .detach();
        std::this_thread::sleep_for(milliseconds(5));
        redis_groups::remove_all_scratch_folders();
        std::_Exit(0);
    }
}

TEST_CASE("redis_groups: a start that fails says why and leaves nothing behind",
          "[redis][program][errors]") {
    const support::scratch own;
    const temporary_folder folder;
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", own.path("").c_str(), 1);
    check_refused({"bench", "distribution", "--format", "json"}, "redis-server", {}, 1);
    std::filesystem::create_symlink("/usr/bin/redis-server", own.path("redis-server"));
    const outcome demo = run_tool({"demo"}); // servers start, and then no sentinel does
    ::setenv("PATH", path.c_str(), 1);
    CHECK(demo.code == 1);
    CHECK(demo.err.find("redis-sentinel") != std::string::npos);
    CHECK(folder.files() == 0);
    CHECK(folder.servers() == 0);
}

TEST_CASE("redis_groups: nobody who reads is no error, and nothing is left behind",
          "[redis][program]") {
    const temporary_folder folder;
    support::streams closed;
    closed.closed_pipe = true;
    const outcome demo = run_tool({"demo"}, closed);
    CHECK(demo.code == 0);
    CHECK(demo.err == "");
    CHECK(folder.files() == 0);
    CHECK(folder.servers() == 0);
}

TEST_CASE("redis_groups: the bench prints what it found in JSON and draws it", "[redis][program]") {
    const support::scratch own;
    const outcome bench =
        run_tool({"bench", "distribution", "throughput", "--keys", "3000", "--groups", "3",
                  "--rounds", "1", "--format", "json", "--svg", own.path("charts")});
    CAPTURE(bench.err);
    REQUIRE(bench.code == 0);
    const auto found = nlohmann::json::parse(bench.out);
    CHECK(found.at("cores").get<int>() > 0);
    std::uint64_t keys = 0;
    for (const auto& group : found.at("distribution")) {
        keys += group.at("keys").get<std::uint64_t>();
    }
    CHECK(keys == 2 * 3000);
    CHECK(found.at("throughput").size() == 6);
    CHECK(found.at("throughput").at(5).at("per_second").at("median").get<double>() > 0);
    for (const char* name : {"distribution.svg", "throughput.svg", "latency.svg"}) {
        CAPTURE(name);
        CHECK(support::xml_check(slurp(own.path(concat("charts/", name)))).fault() == "");
    }
}

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
