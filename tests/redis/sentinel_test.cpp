// SPDX-License-Identifier: MIT

#include "redis_groups/farm/free_port.hpp"
#include "redis_groups/store/client.hpp"
#include "redis_groups/store/sentinel.hpp"
#include "running_groups.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

using redis_groups::client;
using redis_groups::sentinel_server;
using redis_groups::sentinels;
using redis_groups::settings;
using std::chrono::milliseconds;
using support::running_groups;

namespace {

// Waits until a sentinel knows of so many replicas: it asks the master once a second.
bool knows_replicas(sentinels& from, const std::string& group, std::size_t count) {
    for (int tries = 0; tries < 300; ++tries) {
        const auto seen = from.look(group);
        if (seen && seen->replicas.size() >= count) {
            return true;
        }
        std::this_thread::sleep_for(milliseconds(10));
    }
    return false;
}

} // namespace

TEST_CASE("sentinel: a client that knows only of sentinels finds the master, and the next one",
          "[redis][law]") {
    const redis_groups::scratch_folder folder;
    running_groups groups(1, 2);
    const auto specs = groups.specs();
    redis_groups::sentinel_setup setup;
    setup.quorum = 1;
    setup.down_after = milliseconds(2000); // with less Sentinel changes masters more than once
    const sentinel_server watcher(folder.path(), {{"group01", specs[0].copies[0]}}, setup);

    settings chosen;
    // The first does not answer: the next is asked.
    chosen.sentinels = {{"127.0.0.1", redis_groups::free_port()}, watcher.where()};
    chosen.patience = milliseconds(15'000);
    chosen.look_timeout = milliseconds(3000); // a replica that is slow for a moment is not lost too
    // One that has to be copied whole from the new master is: as the old one stays away, two of
    // three are enough then.
    chosen.rules.leave = hashring::group::safe_exit::majority;
    sentinels asked(chosen.sentinels, chosen.sentinel_connections);
    REQUIRE(knows_replicas(asked, "group01", 2));
    CHECK(asked.look("group01")->master == specs[0].copies[0]);
    CHECK_FALSE(asked.look("group09"));
    CHECK(asked.why_not().find("No such master") != std::string::npos);

    client both({{"group01", {}, {}}}, chosen);
    CHECK(both.set("before", "1").is_done());
    groups[0].copy(0).kill();
    const auto start = std::chrono::steady_clock::now();
    auto written = both.set("after", "2");
    while (!written.is_done() && std::chrono::steady_clock::now() - start < milliseconds(20'000)) {
        written = both.set("after", "2");
    }
    CAPTURE(written.why);
    CHECK(written.is_done());
    CHECK(std::chrono::steady_clock::now() - start < milliseconds(10'000));
    CHECK(written.version.epoch >= 1); // Sentinel's epoch has grown
    CHECK(both.get("before").value == "1");
    CHECK(both.get("after").value == "2");
    const auto seen = asked.look("group01");
    REQUIRE(seen);
    CHECK_FALSE(seen->master == specs[0].copies[0]);
}
