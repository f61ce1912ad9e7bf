// SPDX-License-Identifier: MIT

#include "cluster.hpp"

#include "../store/connection.hpp"
#include "../store/reply_check.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

namespace redis_groups {

using hashring::concat;
using hashring::decimal;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t sentinel_count = 3;
constexpr milliseconds sentinel_patience{15000}; // they tell each other of replicas every 2 s

/// The value of `field` in an answer that is a list of fields and values.
std::string field_of(const reply& answer, std::string_view field) {
    for (std::size_t i = 0; i + 1 < answer.items.size(); i += 2) {
        if (answer.items[i].text == field) {
            return answer.items[i + 1].text;
        }
    }
    return {};
}

bool knows(const address& sentinel, const std::string& group, std::size_t replicas) {
    const reply answer = connection(sentinel, {}).call({"SENTINEL", "MASTER", group});
    return field_of(answer, "num-slaves") == decimal(replicas) &&
           field_of(answer, "num-other-sentinels") == decimal(sentinel_count - 1);
}

void watch(const address& sentinel, const std::string& group, const address& master,
           const sentinel_setup& setup) {
    connection link(sentinel, {});
    check(link.call(
        {"SENTINEL", "MONITOR", group, master.host, decimal(master.port), decimal(setup.quorum)}));
    check(link.call({"SENTINEL", "SET", group, "down-after-milliseconds",
                     decimal(setup.down_after.count()), "failover-timeout",
                     decimal(setup.failover_timeout.count()), "parallel-syncs", "1"}));
}

} // namespace

cluster::cluster(std::size_t groups, std::size_t replicas, server_setup setup)
    : replicas_(replicas), setup_(std::move(setup)) {
    for (std::size_t i = 0; i < groups; ++i) {
        add_group();
    }
}

void cluster::start_sentinels(const sentinel_setup& setup) {
    watching_ = setup;
    std::vector<watched_group> watched;
    for (const auto& group : groups_) {
        watched.push_back({group->name(), group->copy(0).where()});
    }
    for (std::size_t i = 0; i < sentinel_count; ++i) {
        sentinels_.emplace_back(folder_.path(), watched, setup);
    }
    for (const auto& group : groups_) {
        await_sentinels(group->name(), replicas_);
    }
}

void cluster::await_sentinels(const std::string& group, std::size_t replicas) {
    const auto deadline = clock::now() + sentinel_patience;
    const auto is_known = [&](const sentinel_server& each) {
        return knows(each.where(), group, replicas);
    };
    while (!std::all_of(sentinels_.begin(), sentinels_.end(), is_known)) {
        if (clock::now() > deadline) {
            throw std::runtime_error(concat("the sentinels do not find the copies of ", group));
        }
        std::this_thread::sleep_for(milliseconds(20));
    }
}

group_servers& cluster::add_group() {
    const std::string number = decimal(++started_);
    const std::string name = concat(started_ < 10 ? "group0" : "group", number);
    groups_.push_back(std::make_unique<group_servers>(folder_.path(), name, replicas_, setup_));
    for (const sentinel_server& each : sentinels_) {
        watch(each.where(), name, groups_.back()->copy(0).where(), watching_);
    }
    await_sentinels(name, replicas_);
    return *groups_.back();
}

void cluster::remove_group(const std::string& name) {
    for (const sentinel_server& each : sentinels_) {
        check(connection(each.where(), {}).call({"SENTINEL", "REMOVE", name}));
    }
    std::erase_if(groups_, [&](const auto& group) { return group->name() == name; });
}

std::vector<group_spec> cluster::specs() const {
    std::vector<group_spec> result;
    for (const auto& group : groups_) {
        result.push_back(group->spec());
    }
    return result;
}

std::vector<address> cluster::sentinels() const {
    std::vector<address> result;
    for (const sentinel_server& each : sentinels_) {
        result.push_back(each.where());
    }
    return result;
}

} // namespace redis_groups
