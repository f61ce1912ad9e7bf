// SPDX-License-Identifier: MIT

#include "server.hpp"

#include "../store/connection.hpp"
#include "start.hpp"

#include <hashring/core/text.hpp>

#include <csignal>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace redis_groups {

using hashring::concat;
using hashring::decimal;
using std::chrono::milliseconds;

namespace {

void write_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) {
        throw std::runtime_error(concat(path.string(), ": cannot be written"));
    }
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
    // Under everysec, Redis holds back the writing of its log for up to 2 s while the disk is
    // behind with an earlier fdatasync (aof.c, flushAppendOnlyFile), so that kill -9 alone loses
    // writes.
    text += setup.is_durable ? "appendonly yes\nappendfsync always\n" : "appendonly no\n";
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

/// A program that takes the path of its configuration; `lines` gives that.
template <class Lines>
start_rules rules_of(const std::string& program, const Lines& lines) {
    const auto words = [=](const address& where, const std::filesystem::path& folder) {
        write_file(folder / "conf", lines(where, folder));
        return std::vector<std::string>{program, (folder / "conf").string()};
    };
    return {words, answers_ping};
}

start_rules server_rules(const server_setup& setup) {
    return rules_of("redis-server", [=](const address& where, const std::filesystem::path& folder) {
        return server_lines(where, folder, setup);
    });
}

} // namespace

server::server(const std::filesystem::path& parent, server_setup setup) : setup_(std::move(setup)) {
    started_server result = start_server(parent, server_rules(setup_));
    where_ = result.where;
    folder_ = result.folder;
    process_ = std::move(result.process);
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
    process_ = start_again(where_, folder_, server_rules(setup_));
}

sentinel_server::sentinel_server(const std::filesystem::path& parent,
                                 const std::vector<watched_group>& groups,
                                 const sentinel_setup& setup) {
    const start_rules rules =
        rules_of("redis-sentinel", [&](const address& where, const std::filesystem::path& folder) {
            return sentinel_lines(where, folder, groups, setup);
        });
    started_server result = start_server(parent, rules);
    where_ = result.where;
    process_ = std::move(result.process);
}

} // namespace redis_groups
