// SPDX-License-Identifier: MIT

#include "redis_groups/trial/mishap.hpp"
#include "redis_groups/trial/traffic.hpp"
#include "running_groups.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

// The traffic that other tests and the demo judge by must itself see what is lost or wrong.

using hashring::group::write_strategy;
using redis_groups::client;
using redis_groups::mishap;
using redis_groups::mishap_result;
using redis_groups::mishap_trial;
using redis_groups::placement;
using redis_groups::settings;
using redis_groups::traffic;
using redis_groups::traffic_counts;
using redis_groups::traffic_options;
using std::chrono::milliseconds;
using support::call;
using support::running_groups;

namespace {

settings alone() {
    settings chosen;
    chosen.rules.write = write_strategy::master_only;
    chosen.rules.read = hashring::group::read_strategy::master;
    return chosen;
}

void await_writes(const traffic& of, std::uint64_t count) {
    for (int i = 0; i < 2000 && of.counts().done < count; ++i) {
        std::this_thread::sleep_for(milliseconds(2));
    }
}

// The trial of the table for a strategy and an event.
mishap_result result_of(write_strategy write, mishap what) {
    for (const mishap_trial& trial : redis_groups::mishap_trials()) {
        if (trial.write == write && trial.what == what) {
            redis_groups::mishap_options quick;
            quick.before = milliseconds(300);
            quick.after = milliseconds(300);
            quick.keys = 150'000;
            return run_mishap(trial, quick);
        }
    }
    throw std::logic_error("there is no such trial");
}

} // namespace

TEST_CASE("traffic: an acknowledged write that is gone or old is counted as lost", "[redis]") {
    running_groups groups(1, 0);
    const auto ring = std::make_shared<placement>(groups.specs());
    const auto server = groups.specs()[0].copies[0];
    client reader(ring, alone());
    traffic_options one_by_one;
    one_by_one.writers = 1;
    one_by_one.batch = 1;
    traffic writer(ring, alone(), {"a", "b"}, one_by_one);
    await_writes(writer, 40);
    writer.stop();
    const std::uint64_t all = writer.counts().done;
    CHECK(writer.lost(reader) == 0);
    CHECK(reader.set("b", "1").is_done()); // as if all but the first were lost
    const std::uint64_t of_b = all / 2;
    CHECK(writer.lost(reader) == of_b - 1);
    call(server, {"FLUSHALL"});
    CHECK(writer.lost(reader) == all);
}

TEST_CASE("traffic: deletions are writes, and what was there before is not lost", "[redis]") {
    running_groups groups(1, 0);
    const auto ring = std::make_shared<placement>(groups.specs());
    client reader(ring, alone());
    CHECK(reader.set("a", "1").is_done());
    traffic_options deleting;
    deleting.writers = 1;
    deleting.batch = 1;
    deleting.first_write = 2;
    deleting.deletion_every = 2;
    traffic writer(ring, alone(), {"a"}, deleting);
    await_writes(writer, 21);
    writer.stop();
    CHECK(writer.lost(reader) == 0);
    const std::uint64_t last = writer.counts().done + 1;
    CHECK(reader.get("a").is_found() == (last % 2 == 1));
    CHECK(reader.set("a", "1").is_done());
    CHECK(writer.lost(reader) == last - 1);
}

TEST_CASE("traffic: a reader that sees an old value, or none, is wrong", "[redis]") {
    running_groups groups(1, 0);
    const auto ring = std::make_shared<placement>(groups.specs());
    const auto server = groups.specs()[0].copies[0];
    traffic_options reading;
    reading.writers = 1;
    reading.readers = 1;
    reading.batch = 1;
    reading.writes_a_second = 100;
    traffic both(ring, alone(), {"a"}, reading);
    await_writes(both, 10);
    CHECK(both.counts().wrong_reads == 0);
    call(server, {"SET", "a", "1"}); // and some milliseconds later the next write
    await_writes(both, 20);
    both.stop();
    const traffic_counts counted = both.counts();
    CHECK(counted.reads > 20);
    CHECK(counted.wrong_reads > 0);
    CHECK(counted.wrong_reads < counted.reads);
    REQUIRE(both.wrong().size() > 0);
    CHECK(both.wrong()[0].find("a is '1' after write ") == 0);
    CHECK(both.by_group().at(0).done == counted.done);
}

TEST_CASE("traffic: a pause is as long as nobody answers, and writes meanwhile are refused or "
          "unknown",
          "[redis]") {
    running_groups groups(1, 0);
    settings quick = alone();
    quick.connections.io_timeout = milliseconds(100);
    quick.look_timeout = milliseconds(100);
    quick.look_every = milliseconds(50);
    traffic writers(std::make_shared<placement>(groups.specs()), quick, support::numbered_keys(100),
                    {});
    await_writes(writers, 100);
    groups[0].copy(0).freeze();
    std::this_thread::sleep_for(milliseconds(400));
    groups[0].copy(0).thaw();
    await_writes(writers, writers.counts().done + 100);
    writers.stop();
    CHECK(writers.longest_pause() >= milliseconds(350));
    CHECK(writers.longest_pause() < milliseconds(3000));
    CHECK(writers.counts().unknown > 0);
    CHECK(writers.counts().refused > 0);
}

TEST_CASE("mishaps: without a majority a slow link costs acknowledged writes, with one it does not",
          "[redis][law]") {
    CHECK(result_of(write_strategy::master_only, mishap::master_dies).lost > 0);
    CHECK(result_of(write_strategy::master_first_async, mishap::master_dies).lost > 0);
    const mishap_result sync = result_of(write_strategy::master_first_sync, mishap::master_dies);
    CHECK(sync.lost == 0);
    CHECK(sync.counts.done > 100);
    CHECK(sync.pause >= milliseconds(100));
}

TEST_CASE("mishaps: a group without replicas loses all without a disk and nothing with one",
          "[redis][law]") {
    const mishap_result empty =
        result_of(write_strategy::master_only, mishap::master_returns_empty);
    CHECK(empty.lost > 100);
    CHECK(empty.lost < empty.counts.done); // what came afterwards is there
    const mishap_result intact =
        result_of(write_strategy::master_only, mishap::master_returns_intact);
    CHECK(intact.lost == 0);
    CHECK(intact.counts.done > 0);
    const mishap_result replica =
        result_of(write_strategy::master_first_async, mishap::replica_dies);
    CHECK(replica.lost == 0);
    CHECK(replica.counts.refused + replica.counts.unknown == 0);
}
