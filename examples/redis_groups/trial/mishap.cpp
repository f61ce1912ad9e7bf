// SPDX-License-Identifier: MIT

#include "mishap.hpp"

#include "../farm/cluster.hpp"
#include "../farm/delay_proxy.hpp"
#include "numbered_keys.hpp"

#include <hashring/core/text.hpp>

#include <memory>
#include <optional>
#include <thread>

namespace redis_groups {

using hashring::decimal;
using hashring::group::read_strategy;
using hashring::group::write_strategy;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds ready_patience{10000};
constexpr milliseconds detection{100}; // until somebody has seen that a master is gone

settings settings_of(const mishap_trial& trial) {
    settings chosen;
    chosen.rules.write = trial.write;
    chosen.rules.read = trial.write == write_strategy::master_first_sync ? read_strategy::majority
                                                                         : read_strategy::master;
    chosen.look_every = milliseconds(100);
    return chosen;
}

/// Lets the replicas follow their master over a slow link.
std::unique_ptr<delay_proxy> slow_link(group_servers& servers, milliseconds delay) {
    auto link = std::make_unique<delay_proxy>(servers.copy(0).where(), delay);
    for (std::size_t i = 1; i < servers.size(); ++i) {
        connection replica(servers.copy(i).where(), {});
        static_cast<void>(
            replica.call({"REPLICAOF", link->where().host, decimal(link->where().port)}));
    }
    servers.await_ready(0, ready_patience);
    return link;
}

void let_happen(mishap what, group_servers& servers, delay_proxy* link) {
    switch (what) {
    case mishap::replica_dies:
        servers.copy(1).kill();
        break;
    case mishap::master_dies:
        if (link != nullptr) {
            link->cut();
        }
        servers.copy(0).kill();
        std::this_thread::sleep_for(detection);
        servers.fail_over(0);
        break;
    case mishap::master_returns_empty:
    case mishap::master_returns_intact:
        servers.copy(0).kill();
        std::this_thread::sleep_for(detection);
        servers.copy(0).restart(std::nullopt);
        break;
    }
}

} // namespace

const std::vector<mishap_trial>& mishap_trials() {
    static const std::vector<mishap_trial> trials = {
        {write_strategy::master_first_async, 1, mishap::replica_dies},
        {write_strategy::master_only, 2, mishap::master_dies},
        {write_strategy::master_first_async, 2, mishap::master_dies},
        {write_strategy::master_first_sync, 2, mishap::master_dies},
        {write_strategy::master_only, 0, mishap::master_returns_empty},
        {write_strategy::master_only, 0, mishap::master_returns_intact},
    };
    return trials;
}

std::string_view describe(mishap what) {
    switch (what) {
    case mishap::replica_dies:
        return "a replica dies";
    case mishap::master_dies:
        return "the master dies";
    case mishap::master_returns_empty:
        return "the master restarts without its data";
    case mishap::master_returns_intact:
        return "the master restarts with its log";
    }
    return "";
}

mishap_result run_mishap(const mishap_trial& trial, const mishap_options& options) {
    server_setup setup;
    setup.is_durable = trial.what == mishap::master_returns_intact;
    cluster servers(1, trial.replicas, setup);
    std::unique_ptr<delay_proxy> link;
    if (trial.what == mishap::master_dies) {
        link = slow_link(servers[0], options.link_delay);
    }
    const settings chosen = settings_of(trial);
    const auto ring = std::make_shared<placement>(servers.specs());
    traffic_options how;
    how.writers = options.clients;
    traffic writers(ring, chosen, numbered_keys(options.keys), how);
    std::this_thread::sleep_for(options.before);
    let_happen(trial.what, servers[0], link.get());
    std::this_thread::sleep_for(options.after);
    writers.stop();
    mishap_result result{writers.counts(), 0, writers.longest_pause()};
    client reader(ring, chosen);
    result.lost = writers.lost(reader);
    return result;
}

} // namespace redis_groups
