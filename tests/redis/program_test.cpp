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
using support::check_refused;
using support::outcome;
using support::run_tool;
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
