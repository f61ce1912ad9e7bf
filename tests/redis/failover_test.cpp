// SPDX-License-Identifier: MIT

#include "redis_groups/store/client.hpp"
#include "redis_groups/trial/traffic.hpp"
#include "running_groups.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using hashring::group::outcome;
using hashring::group::write_strategy;
using redis_groups::client;
using redis_groups::group_servers;
using redis_groups::group_spec;
using redis_groups::placement;
using redis_groups::settings;
using redis_groups::traffic;
using redis_groups::write_result;
using std::chrono::milliseconds;
using support::call;
using support::running_groups;

namespace {

// Two writers that never stop, and never write a key again, which would hide a loss.
traffic load(const std::vector<group_spec>& specs, const settings& chosen) {
    return traffic(std::make_shared<placement>(specs), chosen, support::numbered_keys(200'000), {});
}

// How many of the writes that were acknowledged a new client does not find.
std::uint64_t lost(const traffic& writers, const std::vector<group_spec>& specs,
                   const settings& chosen) {
    client reader(specs, chosen);
    return writers.lost(reader);
}

void pause(int ms) {
    std::this_thread::sleep_for(milliseconds(ms));
}

// Kills the master again and again, and counts acknowledged writes that are lost.
void survive_kills(int kills) {
    running_groups groups(1, 2);
    group_servers& servers = groups[0];
    settings chosen;
    chosen.patience = milliseconds(3000);
    std::size_t master = 0;
    for (int kill = 0; kill < kills; ++kill) {
        CAPTURE(kill);
        const std::vector<group_spec> specs = groups.specs();
        traffic writers = load(specs, chosen);
        pause(150 + 37 * (kill % 5));
        servers.copy(master).kill();
        const std::size_t next = servers.fail_over(master);
        pause(200);
        writers.stop();
        CHECK(lost(writers, specs, chosen) == 0);
        CHECK(writers.counts().done > 500);
        servers.copy(master).restart(servers.copy(next).where());
        servers.await_ready(next, milliseconds(5000));
        master = next;
    }
}

} // namespace

TEST_CASE("failover: no write that was acknowledged by a majority is lost with the master",
          "[redis][law]") {
    survive_kills(3);
}

TEST_CASE("failover: nor in twenty kills", "[redis][.long]") {
    survive_kills(20);
}

TEST_CASE("failover: a frozen master, and clients that go on with it, lose nothing",
          "[redis][law]") {
    running_groups groups(1, 2);
    group_servers& servers = groups[0];
    settings chosen;
    chosen.connections.io_timeout = milliseconds(300);
    chosen.wait_timeout = milliseconds(300);
    chosen.look_timeout = milliseconds(200);
    const std::vector<group_spec> specs = groups.specs();
    traffic writers = load(specs, chosen);
    pause(150);
    servers.copy(0).freeze();
    const auto offset_of = [&](std::size_t copy) {
        return call(servers.copy(copy).where(), {"ROLE"}).items.at(4).number;
    };
    // Either of them may have the last write that was acknowledged: the further one has.
    const std::size_t next = offset_of(1) >= offset_of(2) ? 1 : 2;
    const auto& promoted = servers.copy(next).where();
    call(promoted, {"REPLICAOF", "NO", "ONE"});
    call(servers.copy(3 - next).where(),
         {"REPLICAOF", promoted.host, hashring::decimal(promoted.port)});
    pause(100);
    servers.copy(0).thaw(); // it still says that it is the master
    pause(900);
    writers.stop();
    CHECK(lost(writers, specs, chosen) == 0);
    CHECK(writers.counts().done > 500);
    // The old master was not written to once the new one was known: each knows its own reign.
    const auto dump = call(servers.copy(0).where(), {"GET", "hashring:version"}).text;
    CHECK(dump.substr(0, 8) == std::string(8, '\0'));
    const auto now = call(promoted, {"GET", "hashring:version"}).text;
    CHECK(now.substr(0, 8) == std::string(7, '\0') + '\x01');
}

TEST_CASE("failover: half of the copies down is safe mode, until all are back and complete",
          "[redis][law]") {
    running_groups groups(1, 1);
    group_servers& servers = groups[0];
    settings chosen;
    chosen.look_every = milliseconds(100);
    client both(groups.specs(), chosen);
    CHECK(both.set("k", "before").is_done());
    servers.copy(1).kill();
    pause(150);
    const auto start = std::chrono::steady_clock::now();
    const write_result refused = both.set("k", "meanwhile");
    CHECK(refused.what == outcome::refused);
    CHECK(refused.why.find("safe mode") != std::string::npos);
    CHECK(std::chrono::steady_clock::now() - start < chosen.look_timeout);
    servers.copy(1).restart(servers.copy(0).where());
    servers.await_ready(0, milliseconds(5000));
    pause(150);
    static_cast<void>(both.get("k")); // sees it return
    pause(150);
    const write_result again = both.set("k", "after");
    CAPTURE(again.why);
    CHECK(again.is_done());
    for (std::size_t i = 0; i < 2; ++i) { // all copies hold the same
        CHECK(call(servers.copy(i).where(), {"GET", "k"}) ==
              call(servers.copy(0).where(), {"GET", "k"}));
    }
    CHECK(both.get("k").value == "after");
}

TEST_CASE("failover: under the asynchronous strategy one copy goes on alone", "[redis][law]") {
    running_groups groups(1, 1);
    settings chosen;
    chosen.rules.write = write_strategy::master_first_async;
    chosen.rules.read = hashring::group::read_strategy::master;
    chosen.look_every = milliseconds(50);
    client both(groups.specs(), chosen);
    groups[0].copy(1).kill();
    pause(100);
    CHECK(both.set("k", "v").is_done());
    CHECK(both.get("k").value == "v");
}

TEST_CASE("failover: a write that never left whole is refused, one that left is unknown",
          "[redis][law]") {
    running_groups groups(1, 0);
    settings chosen;
    chosen.connections.io_timeout = milliseconds(200);
    chosen.look_every = milliseconds(60'000);
    client writer(groups.specs(), chosen);
    CHECK(writer.set("k", "before").is_done());
    const std::string large(std::size_t{64} << 20U, 'x'); // more than a socket takes
    groups[0].copy(0).freeze();
    const std::vector<redis_groups::write_request> writes = {{"a", "1"}, {"b", large}, {"c", "3"}};
    const std::vector<write_result> results = writer.write_many(writes);
    groups[0].copy(0).thaw();
    CHECK(results[0].what == outcome::unknown);
    CHECK(results[1].what == outcome::refused);
    CHECK(results[2].what == outcome::refused);
}

TEST_CASE("failover: writes of one key stay in order when the first has to be tried again",
          "[redis][law]") {
    running_groups groups(1, 1);
    settings chosen;
    chosen.pipeline = 1; // each one travels by itself
    chosen.patience = milliseconds(3000);
    client writer(groups.specs(), chosen);
    CHECK(writer.set("k", "0").is_done());
    groups[0].promote(1); // the old master refuses what it is still sent
    const std::vector<redis_groups::write_request> writes = {{"k", "1"}, {"k", "2"}, {"k", "3"}};
    CHECK(support::undone(writer.write_many(writes)) == 0);
    CHECK(writer.get("k").value == "3");
}
