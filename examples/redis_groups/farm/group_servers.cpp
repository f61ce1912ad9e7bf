// SPDX-License-Identifier: MIT

#include "group_servers.hpp"

#include "../store/connection.hpp"
#include "../store/observation.hpp"

#include <hashring/core/text.hpp>
#include <hashring/group/election.hpp>

#include <stdexcept>
#include <thread>
#include <utility>

namespace redis_groups {

using hashring::concat;
using hashring::decimal;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

namespace {

constexpr milliseconds ready_patience{15000};

/// How far a copy is in the stream of writes. Not by `ROLE`, which says -1 of a replica that has
/// lost its master.
std::uint64_t offset_of(const address& where) {
    connection link(where, {});
    const reply server = link.call({"INFO", "server"});
    return read_observation(server, link.call({"INFO", "replication"})).offset;
}

/// Whether so many replicas have all that this master has: `WAIT` behind a command that is passed
/// on, as their being connected does not say so.
bool has_followers(const address& master, std::size_t replicas) {
    try {
        connection link(master, {});
        const reply role = link.call({"ROLE"});
        if (role.items.empty() || role.items[0].text != "master") {
            return false;
        }
        link.append({"PUBLISH", "hashring", "ready"});
        link.append({"WAIT", decimal(replicas), "200"});
        link.send();
        static_cast<void>(link.receive());
        return link.receive().number >= static_cast<std::int64_t>(replicas);
    } catch (const std::runtime_error&) {
        return false;
    }
}

void follow(const address& copy, const address& master) {
    connection link(copy, {});
    static_cast<void>(link.call({"REPLICAOF", master.host, decimal(master.port)}));
    static_cast<void>(link.call({"CLIENT", "KILL", "TYPE", "normal"}));
}

} // namespace

group_servers::group_servers(const std::filesystem::path& parent, std::string name,
                             std::size_t replicas, server_setup setup)
    : name_(std::move(name)) {
    servers_.reserve(replicas + 1);
    servers_.emplace_back(parent, setup);
    setup.replica_of = servers_.front().where();
    for (std::size_t i = 0; i < replicas; ++i) {
        servers_.emplace_back(parent, setup);
    }
    await_ready(0, ready_patience);
}

group_spec group_servers::spec() const {
    group_spec result{name_, {}, hashring::weight{1}};
    for (const server& each : servers_) {
        result.copies.push_back(each.where());
    }
    return result;
}

void group_servers::await_ready(std::size_t master, milliseconds patience) {
    const auto deadline = clock::now() + patience;
    for (;;) {
        std::size_t others = 0;
        for (std::size_t i = 0; i < servers_.size(); ++i) {
            others += i != master && servers_[i].is_running() ? 1U : 0U;
        }
        if (has_followers(servers_[master].where(), others)) {
            return;
        }
        if (clock::now() > deadline) {
            throw std::runtime_error(concat("group '", name_, "' does not become ready"));
        }
        std::this_thread::sleep_for(milliseconds(10));
    }
}

void group_servers::promote(std::size_t next) {
    connection link(servers_[next].where(), {});
    static_cast<void>(link.call({"REPLICAOF", "NO", "ONE"}));
    for (std::size_t i = 0; i < servers_.size(); ++i) {
        if (i != next && servers_[i].is_running()) {
            follow(servers_[i].where(), servers_[next].where());
        }
    }
}

std::size_t group_servers::fail_over(std::size_t dead) {
    std::vector<std::string> names(servers_.size());
    std::vector<hashring::group::candidate> candidates(servers_.size());
    for (std::size_t i = 0; i < servers_.size(); ++i) {
        names[i] = describe(servers_[i].where());
        candidates[i].name = names[i];
        candidates[i].is_down = i == dead || !servers_[i].is_running();
        if (!candidates[i].is_down) {
            candidates[i].offset = offset_of(servers_[i].where());
        }
    }
    const std::size_t next = hashring::group::elect(candidates);
    if (next == hashring::group::no_copy) {
        throw std::runtime_error(concat("group '", name_, "' has no copy left"));
    }
    promote(next);
    return next;
}

} // namespace redis_groups
