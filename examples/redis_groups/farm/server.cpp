// SPDX-License-Identifier: MIT

#include "server.hpp"

#include "../store/connection.hpp"
#include "free_port.hpp"

#include <hashring/core/text.hpp>

#include <csignal>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

namespace redis_groups {

using hashring::concat;
using hashring::decimal;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

namespace {

constexpr milliseconds start_patience{5000};
constexpr int most_tries = 5; // somebody else may take the port

void write_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) {
        throw std::runtime_error(concat(path.string(), ": cannot be written"));
    }
}

std::string end_of(const std::filesystem::path& log) {
    std::ifstream file(log, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return text.substr(text.size() - std::min<std::size_t>(text.size(), 500));
}

bool answers_ping(const address& where) {
    try {
        connection_options quick;
        quick.connect_timeout = milliseconds(100);
        quick.io_timeout = milliseconds(200);
        return connection(where, quick).call({"PING"}).text == "PONG";
    } catch (const std::runtime_error&) {
        return false;
    }
}

/// Waits until the process answers. False if it ends before.
bool comes_up(child& process, const address& where) {
    const auto deadline = clock::now() + start_patience;
    while (process.is_running() && clock::now() < deadline) {
        if (answers_ping(where)) {
            return true;
        }
        std::this_thread::sleep_for(milliseconds(5));
    }
    return false;
}

/// Settings that make a server small, quick to start and quick to follow.
std::string common_lines(const address& where, const std::filesystem::path& folder) {
    return concat("bind 127.0.0.1\nport ", decimal(where.port),
                  "\nprotected-mode yes\ndaemonize no\n", "dir ", folder.string(), "\n");
}

std::string server_lines(const address& where, const std::filesystem::path& folder,
                         const server_setup& setup) {
    std::string text = common_lines(where, folder);
    text += "save \"\"\nrepl-diskless-sync yes\nrepl-diskless-sync-delay 0\n"
            "repl-ping-replica-period 1\nrepl-timeout 5\nrepl-backlog-size 16mb\n"
            "replica-announce-ip 127.0.0.1\nenable-debug-command local\nshutdown-timeout 0\n";
    text += concat("replica-announce-port ", decimal(where.port), "\n");
    text += setup.is_durable ? "appendonly yes\nappendfsync everysec\n" : "appendonly no\n";
    if (setup.replica_of) {
        text += concat("replicaof ", setup.replica_of->host, " ", decimal(setup.replica_of->port),
                       "\n");
    }
    for (const std::string& line : setup.more) {
        text += concat(line, "\n");
    }
    return text;
}

std::string sentinel_lines(const address& where, const std::filesystem::path& folder,
                           const std::vector<watched_group>& groups, const sentinel_setup& setup) {
    std::string text = common_lines(where, folder);
    text += concat("sentinel announce-ip 127.0.0.1\nsentinel announce-port ", decimal(where.port),
                   "\nsentinel resolve-hostnames no\n");
    for (const watched_group& group : groups) {
        text += concat("sentinel monitor ", group.name, " ", group.master.host, " ",
                       decimal(group.master.port), " ", decimal(setup.quorum), "\n");
        text += concat("sentinel down-after-milliseconds ", group.name, " ",
                       decimal(setup.down_after.count()), "\n");
        text += concat("sentinel failover-timeout ", group.name, " ",
                       decimal(setup.failover_timeout.count()), "\n");
        text += concat("sentinel parallel-syncs ", group.name, " 1\n");
    }
    return text;
}

/// Starts a program that listens on a free port; `lines` gives its configuration.
template <class Lines>
child start_somewhere(const std::string& program, const std::filesystem::path& parent,
                      address& where, std::filesystem::path& folder, Lines lines) {
    for (int tries = 1;; ++tries) {
        where = {"127.0.0.1", free_port()};
        folder = parent / decimal(where.port);
        std::filesystem::create_directories(folder);
        write_file(folder / "conf", lines());
        child process({program, (folder / "conf").string()}, (folder / "log").string());
        if (comes_up(process, where)) {
            return process;
        }
        if (tries == most_tries) {
            throw std::runtime_error(concat(program, " does not start: ", end_of(folder / "log")));
        }
    }
}

} // namespace

server::server(const std::filesystem::path& parent, server_setup setup) : setup_(std::move(setup)) {
    process_ = start_somewhere("redis-server", parent, where_, folder_,
                               [&] { return server_lines(where_, folder_, setup_); });
}

void server::kill() noexcept {
    process_.reset();
}

void server::freeze() noexcept {
    if (process_) {
        process_->signal(SIGSTOP);
    }
}

void server::thaw() noexcept {
    if (process_) {
        process_->signal(SIGCONT);
    }
}

void server::restart(const std::optional<address>& replica_of) {
    process_.reset();
    setup_.replica_of = replica_of;
    write_file(folder_ / "conf", server_lines(where_, folder_, setup_));
    process_.emplace(
        child({"redis-server", (folder_ / "conf").string()}, (folder_ / "log").string()));
    if (!comes_up(*process_, where_)) {
        throw std::runtime_error(
            concat("redis-server does not start again: ", end_of(folder_ / "log")));
    }
}

sentinel_server::sentinel_server(const std::filesystem::path& parent,
                                 const std::vector<watched_group>& groups,
                                 const sentinel_setup& setup) {
    std::filesystem::path folder;
    process_ = start_somewhere("redis-sentinel", parent, where_, folder,
                               [&] { return sentinel_lines(where_, folder, groups, setup); });
}

} // namespace redis_groups
